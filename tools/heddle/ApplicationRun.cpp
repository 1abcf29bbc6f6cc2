//===- ApplicationRun.cpp - The launches of an application in order -------===//

#include "ApplicationRun.h"

#include "Progress.h"

#include "launch/LaunchFile.h"
#include "launch/ScalarTypes.h"
#include "sampling/ProfileBuilder.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <atomic>

namespace heddle::tool {

launch::Application readApplication(const SessionOptions &Options) {
  const bool OnlyFile = Options.Grid.empty() && Options.Block.empty() &&
                        Options.Args.empty() && !Options.DynamicShared;
  if (!Options.LaunchFile.empty() && OnlyFile) {
    launch::Application A =
        take(launch::readApplicationFile(Options.LaunchFile));
    if (!Options.Kernel.empty())
      for (launch::Step &S : A.Steps)
        S.Launch.Kernel = Options.Kernel;
    return A;
  }
  launch::Application A;
  A.File = Options.LaunchFile;
  A.Steps.push_back({"", readLaunch(Options)});
  return A;
}

void forEachLaunch(const SessionOptions &Options,
                   const launch::Application &Application,
                   const std::function<void(size_t, Session &)> &Visit) {
  std::unique_ptr<Session> S;
  size_t Index = 0;
  for (const launch::Step &Step : Application.Steps) {
    if (!Step.Sync.empty())
      continue;
    S = S ? std::make_unique<Session>(*S, Step.Launch)
          : std::make_unique<Session>(Options, Step.Launch);
    Visit(Index++, *S);
  }
}

static exec::LaunchResult run(Session &S, Engine &E,
                              exec::LaunchOptions Options) {
  Options.Threads = S.options().Threads;
  Options.MaxSteps = S.options().MaxSteps;
  Options.InOrder = S.blockOrderMatters();
  std::atomic<bool> Stop = false;
  Options.Stop = &Stop;
  Options.Progress = [&Stop](uint64_t, uint64_t) {
    if (Progress::interrupted())
      Stop = true;
  };
  exec::LaunchResult R =
      take(exec::runLaunch(E.kernel(), S.bound(), S.memory(), Options));
  if (R.Failed)
    throw CommandError{S.message(*R.Failed)};
  return R;
}

void execute(Session &S) { run(S, *S.sharedEngine({}), {}); }

/// What tells two launches of a kernel apart.
static std::string argumentText(const launch::Launch &L) {
  std::string Text;
  for (const launch::Argument &A : L.Args) {
    Text += Text.empty() ? "" : ", ";
    if (const auto *B = std::get_if<launch::BufferArg>(&A.Value))
      Text += B->Name;
    else if (const auto *S = std::get_if<launch::ScalarArg>(&A.Value))
      Text += launch::isFloat(S->Type) ? fmt::format("{}", S->Float)
                                       : fmt::format("{}", S->Integer);
    else if (const auto *Local = std::get_if<launch::LocalArg>(&A.Value))
      Text += fmt::format("local {}", Local->SizeBytes);
    else if (const auto *Bytes = std::get_if<launch::BytesArg>(&A.Value))
      Text += fmt::format("bytes {:02x}", fmt::join(Bytes->Bytes, ""));
  }
  return Text;
}

sampling::LaunchProfile profile(Session &S) {
  EngineOptions Hooks;
  Hooks.Counters = true;
  std::shared_ptr<Engine> E = S.sharedEngine(Hooks);
  const KernelCode &Code = S.codeTable(ISA::PTX);
  const trace::CodeTable Table = traceCode(Code);
  sampling::ProfileBuilder Builder(S.traceHeader(Code), Table);
  exec::LaunchOptions Options;
  Options.Counters = true;
  Options.OnBlock = [&](uint64_t Block, const exec::LaunchCounters &C) {
    Builder.block(Block, C.Blocks, C.Memory);
  };
  exec::LaunchResult R = run(S, *E, Options);
  sampling::LaunchProfile P =
      Builder.finish(R.Counters.Blocks, R.Counters.Memory);
  P.Arguments = argumentText(S.launch());
  return P;
}

static std::vector<bool>
launchesAfterSync(const launch::Application &Application) {
  std::vector<bool> AfterSync;
  bool Sync = false;
  for (const launch::Step &S : Application.Steps) {
    if (S.Sync.empty())
      AfterSync.push_back(Sync);
    Sync = !S.Sync.empty();
  }
  return AfterSync;
}

sampling::ApplicationProfile profile(const SessionOptions &Options,
                                     const launch::Application &Application) {
  sampling::ApplicationProfile Profile;
  Progress Bar("profiling", "warp instructions", Options.Quiet);
  uint64_t Instructions = 0;
  const std::vector<bool> AfterSync = launchesAfterSync(Application);
  forEachLaunch(Options, Application, [&](size_t Index, Session &S) {
    Profile.Launches.push_back(profile(S));
    Profile.Launches.back().AfterSync = AfterSync[Index];
    Instructions += Profile.Launches.back().total().WarpInstructions;
    if (!Bar.update(Index + 1, Application.Steps.size(), Instructions))
      throw CommandError{"interrupted"};
  });
  return Profile;
}

} // namespace heddle::tool
