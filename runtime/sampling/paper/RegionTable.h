//===- RegionTable.h - Homogeneous regions of thread blocks -----*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_REGIONTABLE_H
#define HEDDLE_SAMPLING_REGIONTABLE_H

#include "sampling/LaunchProfile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace heddle::sampling {

/// Thresholds of TBPoint, sections IV-B and V.
struct RegionOptions {
  double ClusterDistance = 0.2;
  double VariationFactor = 0.3;
};

/// Consecutive thread blocks that are expected to perform alike.
struct Region {
  size_t Cluster = 0;
  uint64_t First = 0, End = 0; ///< blocks [First, End)

  bool operator==(const Region &) const = default;
};

/// Epochs are as many consecutive blocks as the whole GPU holds at once. Their
/// feature is the mean over their blocks of memory requests per warp
/// instruction; epochs whose blocks differ too much stand alone. Runs of epochs
/// of one cluster are the regions (TBPoint, equations 4 and 5, table III).
class RegionTable {
public:
  /// \p SystemOccupancy: blocks on the whole GPU at once, at least 1.
  static RegionTable identify(const LaunchProfile &Profile,
                              uint64_t SystemOccupancy,
                              const RegionOptions &Options = {});

  const std::vector<Region> &regions() const { return Regions; }
  uint64_t epochBlocks() const { return EpochBlocks; }
  /// The region that holds \p Block.
  const Region &of(uint64_t Block) const;

private:
  std::vector<Region> Regions; ///< ascending, without gaps
  uint64_t EpochBlocks = 1;
};

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_REGIONTABLE_H
