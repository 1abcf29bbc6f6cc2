//===- FullSimulation.h - What samples are compared with --------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_FULLSIMULATION_H
#define HEDDLE_SAMPLING_FULLSIMULATION_H

#include "base/Result.h"
#include "sampling/LaunchProfile.h"
#include "sampling/paper/TimeUnits.h"

#include <cstdint>
#include <string>
#include <vector>

namespace heddle::sampling {

/// Every launch of an application, simulated on one machine. As a file it
/// serves all methods that are to be judged by it.
struct FullSimulation {
  std::string Machine;           ///< name, changed fields and level of code
  uint64_t UnitInstructions = 0; ///< warp instructions that units aim at
  std::vector<uint64_t> Cycles;  ///< by launch
  std::vector<uint64_t> Instructions; ///< the same, as the profile counts them
  std::vector<TimeUnit> Units;        ///< of all launches, in order

  uint64_t totalCycles() const;
  std::vector<double> cyclesOfLaunch() const;
};

/// JSON; \p Version: of the tool.
std::string writeFullSimulation(const FullSimulation &Full,
                                const std::string &Version);

/// The units of one launch, as JSON and back. An error says nothing of a file.
std::string writeUnits(const std::vector<TimeUnit> &Units);
Result<std::vector<TimeUnit>> parseUnits(const std::string &Text);

/// Errors start with \p Path. \p Profile, \p Machine and \p UnitInstructions
/// are what the simulation must be of.
Result<FullSimulation> parseFullSimulation(const std::string &Text,
                                           const std::string &Path,
                                           const ApplicationProfile &Profile,
                                           const std::string &Machine,
                                           uint64_t UnitInstructions);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_FULLSIMULATION_H
