//===- LaunchClusters.h - Which launches stand for which --------*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_LAUNCHCLUSTERS_H
#define HEDDLE_SAMPLING_LAUNCHCLUSTERS_H

#include "sampling/LaunchProfile.h"
#include "sampling/paper/HierarchicalClustering.h"

#include <set>
#include <vector>

namespace heddle::sampling {

/// Launches that one of them stands for.
struct LaunchCluster {
  /// \p Part of a launch: less than 1 if it is interpolated between two
  /// clusters. That part's cycles are \p Factor times the representative's.
  struct Share {
    size_t Launch = 0;
    double Part = 1, Factor = 1;
  };

  size_t Representative = 0; ///< launch that is simulated
  std::vector<Share> Shares; ///< by ascending launch, itself included
  /// Cycles of the application that the representative stands for, over its
  /// own.
  double weight() const;
  /// Sum of the parts, rounded.
  size_t standsFor() const;
};

/// Cycles that \p Clusters say each of \p NumLaunches launches takes.
/// \p CyclesOfLaunch: of the representatives at least.
std::vector<double> expectedCycles(const std::vector<LaunchCluster> &Clusters,
                                   const std::vector<double> &CyclesOfLaunch);

struct LaunchClusterOptions {
  double Distance = 0.1; ///< TBPoint, section V

  // Not in the paper; all off, clusters are the paper's.
  /// Splits a cluster by the values of those arguments that take at most this
  /// share of its launches as values: strides and buffers that take turns
  /// change the time but not the counts. 0: off.
  double ArgumentShare = 0;
  /// Launches of one kernel whose sizes differ: those in between are
  /// interpolated from clusters that are at most this factor apart. 0: off.
  double SizeStep = 0;
  /// Counts are relative to the mean of the kernel, not of the application:
  /// else small launches are alike whatever they do.
  bool OwnScale = false;
  /// Of launches that are equally near to the centre the one in the middle of
  /// the run represents: what data decide changes as the program goes on. Else
  /// the first.
  bool MiddleOfEquals = false;
  /// Of each launch, its sectors that L2 does not have when it starts, as a
  /// share of those that it accesses. Launches that differ in it by more than
  /// Distance share no cluster, nor do those after a launch of the same kernel,
  /// whose code is in L2, and others; the first of a kernel is alone. Empty:
  /// off.
  std::vector<double> MissRatios = {};
  /// Launches whose cycles are there: they represent before others do, and no
  /// other launch stands for them.
  std::set<size_t> Known = {};
};

/// < thread instructions / mean, warp instructions / mean, memory requests /
/// mean, coefficient of variation of thread-block sizes > of every launch
/// (TBPoint, equation 2).
Points interLaunchFeatures(const ApplicationProfile &Profile);

/// Clusters by those features; the launch nearest to the cluster's centre
/// represents it. Launches of different kernels never share a cluster: they
/// may have equal counts, but not equal CPI.
std::vector<LaunchCluster>
clusterLaunches(const ApplicationProfile &Profile,
                const LaunchClusterOptions &Options = {});

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_LAUNCHCLUSTERS_H
