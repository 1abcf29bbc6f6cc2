//===- KeptLaunches.h - Launches that were simulated before -----*- C++ -*-===//

#ifndef HEDDLE_TOOLS_KEPTLAUNCHES_H
#define HEDDLE_TOOLS_KEPTLAUNCHES_H

#include "SweepStore.h"

#include "arch/GPUSpec.h"
#include "heddle/Driver/LaunchSimulator.h"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace heddle::tool {

/// The launches of a recording that were simulated before, and where new ones
/// are kept. Where a launch finds L2 as the one before left it, that lies
/// beside them for the last ones: from there a later process goes on. Functions
/// throw CommandError.
class KeptLaunches {
public:
  /// What \p Path has of the simulation \p Plan of \p Total launches;
  /// \p Simulator gets the contents of L2.
  KeptLaunches(const std::string &Path, const std::string &Plan,
               const arch::GPUSpec &Spec, size_t Total,
               LaunchSimulator &Simulator);

  size_t size() const { return Known.size(); }
  std::optional<WholeLaunch> find(size_t Index) const;
  /// Keeps launch \p Index, the last one that \p Simulator simulated.
  void keep(size_t Index, const std::string &Kernel, const WholeLaunch &L,
            const LaunchSimulator &Simulator);
  /// All launches are there: no one goes on from here.
  void finish();

private:
  void readLaunches();
  void readStates(const arch::GPUSpec &Spec, LaunchSimulator &Simulator);
  void checkChain(size_t Total) const;
  Result<void> keepStates(const L2States &States);

  SweepStore Store;
  std::map<size_t, WholeLaunch> Known;
  std::set<uint64_t> Stored; ///< fingerprints of contents of L2
};

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_KEPTLAUNCHES_H
