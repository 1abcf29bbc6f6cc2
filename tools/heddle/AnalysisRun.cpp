//===- AnalysisRun.cpp - Analyses of the user's own -----------------------===//

#include "ApplicationRun.h"
#include "Progress.h"

#include "trace/CustomAnalysis.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <filesystem>

namespace heddle::tool {

namespace {
struct Unload {
  void operator()(void *Library) const { ::dlclose(Library); }
};

template <typename Function>
Function *symbol(void *Library, const char *Name, const std::string &Path) {
  void *Found = ::dlsym(Library, Name);
  if (!Found)
    throw inputError("{}: exports no function '{}'; see docs/CustomAnalyses.md",
                     Path, Name);
  return reinterpret_cast<Function *>(Found);
}
} // namespace

std::string runAnalysis(const SessionOptions &Options,
                        const std::string &Path) {
  // Without a slash the loader would look into the system's folders.
  const std::string Absolute = std::filesystem::absolute(Path).string();
  std::unique_ptr<void, Unload> Library(
      ::dlopen(Absolute.c_str(), RTLD_NOW | RTLD_LOCAL));
  if (!Library)
    throw inputError("cannot load the analysis: {}", ::dlerror());
  const unsigned Version = symbol<decltype(heddleAnalysisVersion)>(
      Library.get(), "heddleAnalysisVersion", Path)();
  if (Version != trace::CustomAnalysisVersion)
    throw inputError("{}: was built for version {} of the interface, this "
                     "program has {}; build it again",
                     Path, Version, trace::CustomAnalysisVersion);
  std::unique_ptr<trace::CustomAnalysis> Analysis(
      symbol<decltype(heddleCreateAnalysis)>(Library.get(),
                                             "heddleCreateAnalysis", Path)());

  const launch::Application Application = readApplication(Options).Application;
  Progress Bar("analysing", "launches", Options.Quiet);
  auto Visit = guarded([&](size_t Index, Session &S) {
    auto Source = take(S.makeTraceSource(ISA::PTX));
    take(trace::analyse(*Source, Index, *Analysis));
    if (!Bar.update(Index + 1, Application.Steps.size(), Index + 1))
      throw CommandError{"interrupted"};
  });
  take(forEachLaunch(Options, Application, Visit));
  return Analysis->report();
}

} // namespace heddle::tool
