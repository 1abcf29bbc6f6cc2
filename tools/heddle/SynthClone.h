//===- SynthClone.h - The files of a synthetic clone ------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SYNTHCLONE_H
#define HEDDLE_TOOLS_SYNTHCLONE_H

#include "CommonOptions.h"
#include "heddle/Synthesis/SynthModule.h"
#include "synthesis/ClonePlan.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace heddle::tool {

/// Makes a folder where there is none. Throws CommandError.
void makeFolder(const std::filesystem::path &Folder);
/// Writes a file whole or not at all. Throws CommandError.
void writeFile(const std::filesystem::path &Path, const std::string &Text);

struct SynthCloneSummary {
  unsigned Instructions = 0, Added = 0, Dropped = 0;
  double ExpectedScale = 1, ExpectedError = 0;
};

/// A launch that behaves as \p P says, reduced by \p R, without files; null if
/// that leaves nothing. \p Scale, if given, becomes the warp instructions of
/// the original for each one of the clone, what is added to it included. Throws
/// CommandError.
std::unique_ptr<Session> openClone(const behavior::Profile &P,
                                   const synthesis::ReductionOptions &R,
                                   const SessionOptions &Common,
                                   double *Scale = nullptr);

/// Writes synthetic clones of a kernel.
class SynthClones {
public:
  /// \p Names must not be found in what is written. \p Resident: thread blocks
  /// that the machine holds at once.
  SynthClones(std::vector<std::string> Names, std::string Arch,
              uint64_t Resident)
      : Names(std::move(Names)), Arch(std::move(Arch)), Resident(Resident) {}

  /// Reduces \p Behavior, whose profile is \p P, and writes the clone's files
  /// to
  /// \p Folder. Throws CommandError: a reduction that leaves nothing, a leak.
  SynthCloneSummary write(SynthModule &Behavior, const behavior::Profile &P,
                          const synthesis::ReductionOptions &R,
                          const std::filesystem::path &Folder) const;

  uint64_t resident() const { return Resident; }

private:
  std::vector<std::string> Names;
  std::string Arch;
  uint64_t Resident;
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SYNTHCLONE_H
