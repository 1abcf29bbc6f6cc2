//===- LaunchClusters.h - Which launches stand for which --------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_LAUNCHCLUSTERS_H
#define HEDDLE_SAMPLING_LAUNCHCLUSTERS_H

#include "sampling/HierarchicalClustering.h"
#include "sampling/LaunchProfile.h"

#include <vector>

namespace heddle::sampling {

/// Launches that are expected to have the same CPI.
struct LaunchCluster {
  size_t Representative = 0;    ///< launch that is simulated
  std::vector<size_t> Launches; ///< ascending
};

/// < thread instructions / mean, warp instructions / mean, memory requests /
/// mean, coefficient of variation of thread-block sizes > of every launch
/// (TBPoint, equation 2).
Points interLaunchFeatures(const ApplicationProfile &Profile);

/// Clusters by those features; the launch nearest to the cluster's centre
/// represents it. Launches of different kernels never share a cluster: they
/// may have equal counts, but not equal CPI.
std::vector<LaunchCluster> clusterLaunches(const ApplicationProfile &Profile,
                                           double Distance = 0.1);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_LAUNCHCLUSTERS_H
