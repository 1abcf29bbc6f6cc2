// RUN: %frontends --test %s
// FEATURE: cooperative launch: grid.sync() over many blocks
// LAUNCH: --grid 24 --block 96 --threads 2 --arg o:i32[4] --arg partial:i32[24] --dump o
// EXPECT: o (i32[4]): 2653056 2653056 23 1
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
// The sum of 0 ... 2303 by blocks, then by everybody; twice around the ring of blocks.
__global__ void k(int *o, int *partial) {
  cg::grid_group grid = cg::this_grid();
  __shared__ int own;
  if (threadIdx.x == 0)
    own = 0;
  __syncthreads();
  atomicAdd(&own, (int)grid.thread_rank());
  __syncthreads();
  if (threadIdx.x == 0)
    partial[blockIdx.x] = own;
  grid.sync();
  int total = 0;
  for (int b = 0; b < gridDim.x; ++b)
    total += partial[b];
  grid.sync(); // before the partial sums are written over
  if (threadIdx.x == 0)
    partial[(blockIdx.x + 1) % gridDim.x] = blockIdx.x;
  cg::sync(grid);
  int neighbour = partial[blockIdx.x]; // the block before
  if (blockIdx.x == 23 && threadIdx.x == 0)
    o[0] = total + own - (own - 1) - 1;
  if (blockIdx.x == 0 && threadIdx.x == 95) {
    o[1] = total;
    o[2] = neighbour;
    o[3] = grid.size() == 24 * 96;
  }
}
