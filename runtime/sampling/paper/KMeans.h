//===- KMeans.h - Weighted k-means, number of clusters by BIC ---*- C++ -*-===//

#ifndef HEDDLE_SAMPLING_KMEANS_H
#define HEDDLE_SAMPLING_KMEANS_H

#include "sampling/paper/HierarchicalClustering.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace heddle::sampling {

struct Clustering {
  std::vector<size_t> Of; ///< cluster of each point
  Points Centres;
  double Distortion = 0; ///< weighted sum of squared distances
  double BIC = 0;
};

/// Lloyd's algorithm from k-means++ centres. \p Weights: one positive number
/// per point. Deterministic in \p Seed.
Clustering clusterKMeans(const Points &P, const std::vector<double> &Weights,
                         size_t K, uint64_t Seed);

struct SelectionOptions {
  size_t MaxClusters = 10;
  unsigned Seeds = 5; ///< k-means runs per number of clusters
  /// The smallest k whose BIC reaches this share of the range between the worst
  /// and the best (SimPoint 3.0's default).
  double BICShare = 0.9;
  size_t ProjectedDimensions = 15; ///< longer vectors are projected to these
  uint64_t Seed = 1;
};

/// SimPoint's choice: random projection, k-means for 1 to MaxClusters clusters,
/// the best of several seeds each, k by the Bayesian information criterion of
/// Pelleg and Moore (X-means, ICML 2000). Vectors should sum to 1.
Clustering clusterByBIC(const Points &P, const std::vector<double> &Weights,
                        const SelectionOptions &Options = {});

/// For every cluster the point nearest to its centre.
std::vector<size_t> representatives(const Points &P, const Clustering &C);

/// \p P times a matrix of uniform numbers in [-1, 1], if it has more dimensions
/// than \p Dimensions.
Points projectRandomly(const Points &P, size_t Dimensions, uint64_t Seed);

} // namespace heddle::sampling

#endif // HEDDLE_SAMPLING_KMEANS_H
