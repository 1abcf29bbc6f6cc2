//===- SweepPlan.h - The configurations of a sweep --------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SWEEPPLAN_H
#define HEDDLE_TOOLS_SWEEPPLAN_H

#include "base/Result.h"
#include "launch/Launch.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace heddle::tool {

/// Keys whose lists are walked together, and which differ from entry to entry.
/// The axes of a plan are multiplied with each other.
struct SweepAxis {
  std::vector<std::string> Keys;
  std::vector<std::vector<std::string>> Values; ///< [entry][key]
  std::string Where;                            ///< "FILE:LINE" or "--vary"
};

/// What a sweep runs (docs/Commands/sweep.md).
struct SweepPlan {
  std::string Input, Launch, Kernel; ///< paths as the tool can open them
  std::string Trace = "auto";
  std::vector<std::string> ClangArgs;
  std::vector<SweepAxis> Axes;

  uint64_t size() const; ///< configurations
  /// Configuration \p Index: its keys with their values, in the order of the
  /// axes; the last axis changes fastest.
  std::vector<std::pair<std::string, std::string>> point(uint64_t Index) const;
  /// Says all that results depend on, as text; equal for equal sweeps.
  std::string canonical() const;
};

/// Most configurations of one sweep.
inline constexpr uint64_t MaxSweepPoints = 10'000'000;

/// Reads a sweep description. Errors start with "FILE:LINE: ".
Result<SweepPlan> readSweepFile(const std::string &Path);

/// Adds one --vary: "KEY=VALUES" or "KEY=VALUES;KEY=VALUES" for keys that go
/// together. VALUES is "a,b,c", "FROM:TO", "FROM:TO:STEP" or "FROM:TO:*FACTOR".
Result<void> addVary(SweepPlan &Plan, const std::string &Text);

/// Checks keys, and that the number of configurations is sane.
Result<void> checkPlan(SweepPlan &Plan);

/// One configuration, taken apart.
struct SweepSettings {
  std::string Model = "pipeline", GPU = "v100";
  std::vector<std::string> Sets;      ///< machine fields, FIELD=VALUE
  std::vector<std::string> ClangArgs; ///< -DNAME=VALUE
  launch::Launch Launch;
};

/// Applies a configuration to \p Launch, the plan's launch.
Result<SweepSettings>
settingsOf(const SweepPlan &Plan, const launch::Launch &Launch,
           const std::vector<std::pair<std::string, std::string>> &Point);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SWEEPPLAN_H
