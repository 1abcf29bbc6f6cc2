// A pass of a radix sort: ranks of four-bit digits within a block by ballots,
// counts per warp in shared memory.
__global__ void digit_ranks(const unsigned *keys, unsigned *ranks, unsigned *counts, int shift, int n) {
  __shared__ unsigned perWarp[16][8];
  int i = blockIdx.x * 256 + threadIdx.x, warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  unsigned digit = i < n ? (keys[i] >> shift) & 15u : 15u;
  unsigned peers = 0xffffffffu;
#pragma unroll
  for (int bit = 0; bit < 4; bit++) {
    unsigned set = __ballot_sync(0xffffffffu, (digit >> bit) & 1u);
    peers &= (digit >> bit) & 1u ? set : ~set;
  }
  if (threadIdx.x < 128)
    perWarp[threadIdx.x / 8][threadIdx.x % 8] = 0;
  __syncthreads();
  unsigned before = __popc(peers & ((1u << lane) - 1u));
  if (before == 0)
    perWarp[digit][warp] = __popc(peers);
  __syncthreads();
  if (threadIdx.x < 16) {
    unsigned sum = 0;
    for (int w = 0; w < 8; w++) {
      unsigned c = perWarp[threadIdx.x][w];
      perWarp[threadIdx.x][w] = sum;
      sum += c;
    }
    counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
  }
  __syncthreads();
  if (i < n)
    ranks[i] = perWarp[digit][warp] + before;
}
