//===- ClusterPlacement.h - Which SMs a cluster starts on -------*- C++ -*-===//

#ifndef HEDDLE_ARCH_CLUSTERPLACEMENT_H
#define HEDDLE_ARCH_CLUSTERPLACEMENT_H

#include "arch/Occupancy.h"

#include <span>
#include <vector>

namespace heddle::arch {

/// The SMs that the next cluster of \p Size blocks takes, by rank, where SMs
/// have \p Free CTA slots, which it takes from them. It goes to the GPC with
/// most of them, and there over as many SMs as there are. Empty if no GPC has
/// room for all.
std::vector<unsigned> placeCluster(const GPUSpec &Spec, unsigned Size,
                                   std::span<unsigned> Free);

/// SMs that run the blocks of a launch in groups: one group for each cluster
/// that is resident at a time, one SM for each of its blocks.
struct SMGroups {
  unsigned Size = 1;  ///< SMs of a group
  unsigned Count = 1; ///< groups
  /// Clusters of each group, if all are resident at once: most first. A GPC
  /// does not spread its clusters evenly over its SMs; groups stand for SMs
  /// with as many blocks. Else empty.
  std::vector<unsigned> Clusters;

  unsigned sms() const { return Size * Count; }
};

/// The groups of a launch in \p NumClusters clusters of \p Cluster blocks, of
/// which an SM holds \p BlocksPerSM; without clusters one group for each SM.
/// SMs that GPCs have beyond whole clusters stay idle. Fails for clusters of
/// more blocks than a GPC has SMs.
Result<SMGroups> groupsOf(const GPUSpec &Spec, const std::string &Kernel,
                          const Dim3 &Cluster, uint64_t NumClusters,
                          unsigned BlocksPerSM);

} // namespace heddle::arch

#endif // HEDDLE_ARCH_CLUSTERPLACEMENT_H
