//===- HostOpenMP.cpp - OpenMP of programs that heddle cc compiles --------===//

#include "NvccOptions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle::tool {

/// The folder of GCC's headers that has omp.h, of the newest GCC; or "".
static std::string folderOfGCC() {
  std::string Best;
  unsigned BestVersion = 0;
  std::error_code EC;
  for (sys::fs::directory_iterator Target("/usr/lib/gcc", EC), End;
       !EC && Target != End; Target.increment(EC)) {
    std::error_code Inner;
    for (sys::fs::directory_iterator It(Target->path(), Inner);
         !Inner && It != End; It.increment(Inner)) {
      unsigned Version = 0;
      if (sys::path::filename(It->path()).getAsInteger(10, Version) ||
          Version <= BestVersion ||
          !sys::fs::exists(It->path() + "/include/omp.h"))
        continue;
      Best = It->path() + "/include";
      BestVersion = Version;
    }
  }
  return Best;
}

void addOpenMP(NvccOptions &Options) {
  auto IsFlag = [](const std::string &Word) { return Word == "-fopenmp"; };
  const bool IsAsked = any_of(Options.Host, IsFlag);
  if (IsAsked && none_of(Options.Link, IsFlag))
    Options.Link.push_back("-fopenmp");
  if (sys::fs::exists(HEDDLE_LLVM_TOOLS "/../lib/libomp.so"))
    return;
  if (IsAsked)
    errs() << "heddle: note: '-fopenmp': Clang's OpenMP library is not "
              "installed, so pragmas do nothing and the host code runs on one "
              "thread; install libomp-22-dev\n";
  for (auto *Words : {&Options.Host, &Options.Link})
    for (std::string &Word : *Words)
      if (IsFlag(Word))
        Word = "-fopenmp=libgomp";
  if (const std::string Folder = folderOfGCC(); !Folder.empty())
    Options.Host.insert(Options.Host.end(), {"-idirafter", Folder});
}

} // namespace heddle::tool
