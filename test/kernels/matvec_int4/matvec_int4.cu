#include <cuda_fp16.h>

// y = W x of weights of four bits: (n - 8) times the scale of its group of 32
// columns. A warp has a row, a lane eight columns at a time. The number at bits
// 4 i of a word belongs to column 2 i for i < 4, else to 2 (i - 4) + 1, so that
// a mask yields the pairs of columns.
__global__ void __launch_bounds__(128)
    matvec_int4(const unsigned *__restrict__ weights,
                const half *__restrict__ scales, const half *__restrict__ x,
                float *__restrict__ y, int rows, int columns) {
  extern __shared__ uint4 xs[];
  const int thread = threadIdx.y * 32 + threadIdx.x, words = columns / 8;
  for (int i = thread; i < words; i += 128)
    xs[i] = ((const uint4 *)x)[i];
  __syncthreads();
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;

  float sum = 0.0f;
#pragma unroll 4
  for (int i = threadIdx.x; i < words; i += 32) {
    const unsigned packed = weights[row * words + i];
    const float scale = __half2float(scales[row * (words / 4) + i / 4]);
    const uint4 piece = xs[i];
    float part = 0.0f;
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      // 0x6400 is 1024, of whose last bits each is worth 1.
      const unsigned bits = (packed >> 4 * j & 0x000f000f) | 0x64006400;
      const half2 w = __hsub2(*(const half2 *)&bits, __float2half2_rn(1032.0f));
      const float2 a = __half22float2(w),
                   b = __half22float2(((const half2 *)&piece)[j]);
      part += a.x * b.x;
      part += a.y * b.y;
    }
    sum += part * scale;
  }
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (threadIdx.x == 0)
    y[row] = sum;
}
