#include <cooperative_groups.h>

namespace cg = cooperative_groups;

constexpr int BinsPerBlock = 256;

// counts[b] += how often b stands in data. The blocks of a cluster share out
// the bins: each counts into its own shared memory and into that of the others.
extern "C" __global__ void __cluster_dims__(4)
    cluster_histogram(const int *__restrict__ data, int *counts, int n) {
  __shared__ int bins[BinsPerBlock];
  cg::cluster_group cluster = cg::this_cluster();
  for (int i = threadIdx.x; i < BinsPerBlock; i += blockDim.x)
    bins[i] = 0;
  cluster.sync();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const int bin = data[i];
    int *place = cluster.map_shared_rank(bins, bin / BinsPerBlock);
    atomicAdd(place + bin % BinsPerBlock, 1);
  }
  cluster.sync();
  const int first = cluster.block_rank() * BinsPerBlock;
  for (int i = threadIdx.x; i < BinsPerBlock; i += blockDim.x)
    if (bins[i])
      atomicAdd(counts + first + i, bins[i]);
}
