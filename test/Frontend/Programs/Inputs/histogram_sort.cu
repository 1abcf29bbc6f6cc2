// Shared atomics, ballots, scans of warps by hand, a radix step, 64-bit keys.
typedef unsigned int uint;
typedef unsigned long long u64;
typedef unsigned char uchar;
#define LOG2_WARP_SIZE 5U
#define WARP_SIZE (1U << LOG2_WARP_SIZE)
#define UMUL(a, b) ((a) * (b))
#define TAG_MASK ((1U << (32 - LOG2_WARP_SIZE)) - 1U)
inline __device__ void addByte(uint *s_WarpHist, uint data, uint threadTag) { atomicAdd(s_WarpHist + data, 1); }
inline __device__ void addWord(uint *s, uint data, uint tag) { addByte(s, (data >> 0) & 0xFFU, tag); addByte(s, (data >> 24) & 0xFFU, tag); }
__global__ void histogram256(uint *partial, uint *data, uint count) {
  __shared__ uint hist[6 * 256];
  uint *mine = hist + (threadIdx.x >> LOG2_WARP_SIZE) * 256;
#pragma unroll
  for (uint i = 0; i < (256 / 32); i++) hist[threadIdx.x + i * 192] = 0;
  const uint tag = threadIdx.x << (32 - LOG2_WARP_SIZE);
  __syncthreads();
  for (uint pos = UMUL(blockIdx.x, blockDim.x) + threadIdx.x; pos < count; pos += UMUL(blockDim.x, gridDim.x)) addWord(mine, data[pos] & TAG_MASK, tag);
  __syncthreads();
  for (uint bin = threadIdx.x; bin < 256; bin += 192) { uint sum = 0; for (uint i = 0; i < 6; i++) sum += hist[bin + i * 256]; partial[blockIdx.x * 256 + bin] = sum; }
}
static __device__ __inline__ uint lanemask_lt() { uint m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); return m; }
template <int BITS> __global__ void rank(const u64 *keys, u64 *out, uint *offsets, int shift) {
  __shared__ uint counts[1 << BITS];
  if (threadIdx.x < (1 << BITS)) counts[threadIdx.x] = 0;
  __syncthreads();
  u64 key = keys[blockIdx.x * blockDim.x + threadIdx.x];
  uint digit = (key >> shift) & ((1 << BITS) - 1), peers = ~0u;
  for (int b = 0; b < BITS; b++) { uint vote = __ballot_sync(~0u, digit >> b & 1); peers &= digit >> b & 1 ? vote : ~vote; }
  uint before = __popc(peers & lanemask_lt()), leader = __ffs(peers) - 1, base = 0;
  if (before == 0) base = atomicAdd(&counts[digit], __popc(peers));
  base = __shfl_sync(~0u, base, leader);
  __syncthreads();
  out[offsets[digit] + base + before] = key;
}
__device__ uint scanWarp(volatile uint *p, const uint idx) {
  const uint lane = idx & 31;
  if (lane >= 1) p[idx] = p[idx - 1] + p[idx];
  if (lane >= 2) p[idx] = p[idx - 2] + p[idx];
  return lane > 0 ? p[idx - 1] : 0;
}
__global__ void scan(uint *d) { __shared__ volatile uint s[256]; s[threadIdx.x] = d[threadIdx.x]; __syncwarp(); d[threadIdx.x] = scanWarp(s, threadIdx.x); }
extern "C" void histogram(uint *p, uint *d, uint n) { histogram256<<<240, 192>>>(p, d, n); rank<4><<<1, 256>>>((u64 *)d, (u64 *)d, p, 4); scan<<<1, 256>>>(p); }
