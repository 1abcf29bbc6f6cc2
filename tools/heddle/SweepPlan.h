//===- SweepPlan.h - The configurations of a sweep --------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_SWEEPPLAN_H
#define HEDDLE_TOOLS_SWEEPPLAN_H

#include "SweepStore.h"
#include "base/Result.h"
#include "launch/Launch.h"

#include <cstdint>
#include <functional>
#include <span>
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
inline constexpr uint64_t MaxSweepPoints = 1'000'000;

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

/// Evaluates \p Indices in \p Processes children of this process, which a
/// fault of one configuration cannot take along: it fails with a message, the
/// others go on. Rows arrive in any order. \p Call returns false to stop.
/// Must be called before this process starts threads.
Result<void> runPool(const SweepPlan &Plan, std::span<const uint64_t> Indices,
                     unsigned Processes,
                     const std::function<bool(SweepRow)> &Call);

/// The number of configurations of a plan as SweepPlan::canonical writes it.
uint64_t plannedPoints(const std::string &Plan);

/// The configurations that \p Database has of the sweep \p Plan; 0 if it does
/// not exist. Throws CommandError if it holds another sweep.
uint64_t finishedIn(const std::string &Database, const std::string &Plan);

/// Prints a line for \p Database or each of its parts, the jobs that Slurm has
/// of it, and why configurations failed. Throws CommandError.
void printStatus(const std::string &Database);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_SWEEPPLAN_H
