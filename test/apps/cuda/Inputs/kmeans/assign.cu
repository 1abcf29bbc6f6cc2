#include "kmeans.h"

namespace kmeans {

static __constant__ float Far = 3.4e38f;

static __global__ void assign_points(const float2 *points, int n,
                                     const float2 *centres, int *nearest,
                                     Sums *sums) {
  __shared__ Sums mine;
  __shared__ float2 at[Clusters];
  if (threadIdx.x < Clusters) {
    const int c = threadIdx.x;
    at[c] = centres[c];
    mine.x[c] = mine.y[c] = 0;
    mine.count[c] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    int best = 0;
    float least = Far;
    for (int c = 0; c < Clusters; ++c) {
      const float dx = points[i].x - at[c].x, dy = points[i].y - at[c].y;
      const float d = dx * dx + dy * dy;
      if (d < least) {
        least = d;
        best = c;
      }
    }
    nearest[i] = best;
    // Coordinates are multiples of 1/64: their sums do not depend on the order.
    atomicAdd(&mine.x[best], (double)points[i].x);
    atomicAdd(&mine.y[best], (double)points[i].y);
    atomicAdd(&mine.count[best], 1u);
  }
  __syncthreads();
  if (threadIdx.x < Clusters) {
    const int c = threadIdx.x;
    atomicAdd(&sums->x[c], mine.x[c]);
    atomicAdd(&sums->y[c], mine.y[c]);
    atomicAdd(&sums->count[c], mine.count[c]);
  }
}

void assign(const float2 *points, int n, const float2 *centres, int *nearest,
            Sums *sums, cudaStream_t stream) {
  assign_points<<<16, 128, 0, stream>>>(points, n, centres, nearest, sums);
}

} // namespace kmeans
