//===- HierarchicalClustering.h - Clusters below a distance -----*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_HIERARCHICALCLUSTERING_H
#define HEDDLE_SAMPLING_HIERARCHICALCLUSTERING_H

#include <cstddef>
#include <vector>

namespace heddle::sampling {

/// Points of equal dimension.
using Points = std::vector<std::vector<double>>;

/// Agglomerative clustering with complete linkage and Euclidean distance:
/// clusters are merged, nearest first, as long as all points of the merged one
/// lie within \p Threshold of each other. Returns each point's cluster,
/// numbered by first appearance. Equal points cost nothing; n different ones
/// take O(n^2) time and, beyond \p MaxDistinct of them, are first gathered in
/// cells of a grid an eighth of the threshold wide, so that memory is bounded.
/// (TBPoint, section III: inter-launch at 0.1; section IV: epochs at 0.2.)
std::vector<size_t> clusterHierarchically(const Points &P, double Threshold,
                                          size_t MaxDistinct = 4096);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_HIERARCHICALCLUSTERING_H
