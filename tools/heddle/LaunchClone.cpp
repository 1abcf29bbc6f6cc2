//===- LaunchClone.cpp - A clone as a session -----------------------------===//

#include "LaunchClone.h"

#include "TextOutput.h"

#include "synthesis/CloneFiles.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace heddle::tool {

static void write(const std::filesystem::path &Path, const std::string &Text) {
  TextOutput Out = take(TextOutput::create(Path.string()));
  take(Out.write(Text));
  take(Out.finish());
}

std::unique_ptr<LaunchClone> LaunchClone::make(const behavior::Profile &Profile,
                                               uint64_t LoopFactor,
                                               const SessionOptions &Common) {
  synthesis::ReductionOptions Reduction;
  Reduction.LoopFactor = LoopFactor;
  auto Plan = synthesis::planClone(Profile, Reduction);
  if (!Plan)
    return nullptr; // no loop is that long
  const synthesis::CloneText Text =
      take(synthesis::writePTX(*Plan, Common.Arch));

  std::unique_ptr<LaunchClone> Clone(new LaunchClone);
  std::string Name =
      (std::filesystem::temp_directory_path() / "heddle-clone-XXXXXX").string();
  if (!mkdtemp(Name.data()))
    throw CommandError{"cannot create folder '" + Name +
                       "': " + std::strerror(errno)};
  Clone->Folder = Name;
  write(Clone->Folder / "clone.ptx", Text.PTX);
  write(Clone->Folder / "clone.launch.yaml",
        synthesis::cloneLaunch(*Plan, Text));
  SessionOptions Own;
  Own.Arch = Common.Arch;
  Own.Engine = Common.Engine;
  Own.Threads = Common.Threads;
  Own.MaxSteps = Common.MaxSteps;
  Own.Quiet = Common.Quiet;
  Own.Input = (Clone->Folder / "clone.ptx").string();
  Own.LaunchFile = (Clone->Folder / "clone.launch.yaml").string();
  Clone->S = take(Session::create(Own));
  return Clone;
}

LaunchClone::~LaunchClone() {
  std::error_code Ignored;
  std::filesystem::remove_all(Folder, Ignored);
}

} // namespace heddle::tool
