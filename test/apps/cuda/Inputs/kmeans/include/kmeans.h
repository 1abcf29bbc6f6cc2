// Clusters points of the plane: what the library's files share.
#pragma once
#include <cuda_runtime.h>

namespace kmeans {

constexpr int Clusters = 6;
struct Sums {
  double x[Clusters], y[Clusters];
  unsigned count[Clusters];
};

/// The nearest centre for each point, and what the points of each add to.
void assign(const float2 *points, int n, const float2 *centres, int *nearest,
            Sums *sums, cudaStream_t stream);
/// The centres from the sums, which become zero; \p moved says how far the one
/// went that went furthest.
void update(Sums *sums, float2 *centres, float *moved, cudaStream_t stream);

} // namespace kmeans
