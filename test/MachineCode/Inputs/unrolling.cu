// Loops that ptxas unrolls, and some that it does not.
#define KERNEL(NAME)                                                           \
  extern "C" __global__ void NAME(const float *__restrict__ a,                 \
                                  float *__restrict__ c, int n, float y,       \
                                  unsigned o)
#define LOOP for (int k = threadIdx.x; k < n; k += 32)

KERNEL(moves) { LOOP c[k] = a[k]; }
KERNEL(computes) { LOOP c[o + k] = a[k]; }
KERNEL(writes) { LOOP c[o + k] = y; }
KERNEL(gathers) { LOOP c[k] = a[o + k]; }
KERNEL(adds) { LOOP atomicAdd(&c[k], a[k]); }
KERNEL(strides) {
  for (int k = threadIdx.x; k < n; k += warpSize)
    c[k] = __ldg(&a[o + k]);
}
KERNEL(shares) {
  __shared__ float s[1024];
  LOOP s[(o + k) & 1023] = a[k];
  __syncthreads();
  c[threadIdx.x] = s[threadIdx.x];
}

// Products of eight values by eight, eight times: in a loop within another
// ptxas writes all iterations, whose loads then lie side by side.
KERNEL(tiles) {
  __shared__ __align__(16) float s[8][8], t[8][128];
  float sum[8][8] = {};
  for (int at = 0; at < n; at += 8) {
    s[threadIdx.x / 8][threadIdx.x % 8] = a[at + threadIdx.x];
    t[threadIdx.x / 32][threadIdx.x % 32] = a[o + at + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 8; ++k)
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j)
          sum[i][j] += s[i][k] * t[k][threadIdx.x % 16 * 8 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j)
      c[i * n + threadIdx.x * 8 + j] = sum[i][j];
}

// Sixty-four multiply-adds, thirty-three times: eight groups of four, and one.
KERNEL(groups) {
  float sum[16];
  for (int i = 0; i < 16; ++i)
    sum[i] = a[threadIdx.x + i * 32];
  for (int k = 0; k < 33; ++k)
    for (int m = 0; m < 4; ++m)
      for (int i = 0; i < 16; ++i)
        sum[i] = sum[i] * y + sum[(i + 1) % 16];
  for (int i = 0; i < 16; ++i)
    c[threadIdx.x + i * 32] = sum[i];
}

// The product of two tiles: alone in the loop over tiles, or beside a branch.
template <bool Beside>
__device__ void product(float *c, const float *a, int depth) {
  __shared__ __align__(16) float as[32][64], bs[32][64];
  const int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  float sum[4][4] = {};
  for (int at = 0; at < depth; at += 32) {
    as[t / 64][t % 64] = a[at + t];
    if (!Beside || t < at)
      bs[t / 64][t % 64] = a[at * 2 + t];
    __syncthreads();
    for (int k = 0; k < 32; ++k)
      for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 4; ++j)
          sum[i][j] += as[k][y + i] * bs[k][x + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j)
      c[(t * 4 + i) * 4 + j] = sum[i][j];
}
extern "C" __global__ void alone(float *c, const float *a, int depth) {
  product<false>(c, a, depth);
}
extern "C" __global__ void beside(float *c, const float *a, int depth) {
  product<true>(c, a, depth);
}
