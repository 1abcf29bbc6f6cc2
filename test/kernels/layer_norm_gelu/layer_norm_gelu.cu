#include <cuda_fp16.h>

__device__ float warpSum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

// x times the logistic function of 2 sqrt(2 / pi) (x + 0.044715 x^3): the
// polynomial in halves, its exponential in single precision.
__device__ half2 gelu(half2 x) {
  const half2 one = __float2half2_rn(1.0f);
  const half2 cubic = __hfma2(__float2half2_rn(0.044715f), __hmul2(x, x), one);
  const float2 power =
      __half22float2(__hmul2(__hmul2(x, cubic), __float2half2_rn(-1.5957691f)));
  return __hmul2(x,
                 __floats2half2_rn(__fdividef(1.0f, 1.0f + __expf(power.x)),
                                   __fdividef(1.0f, 1.0f + __expf(power.y))));
}

// Layer normalisation with an epilogue, on pairs of halves: one warp per row,
// eight columns at a time. The row stays in registers; its mean and variance
// are sums in single precision. A row has at most 2,048 columns.
constexpr int Most = 8;

__global__ void __launch_bounds__(128)
    layer_norm_gelu(const half *__restrict__ in, half *__restrict__ out,
                    const half *__restrict__ gamma,
                    const half *__restrict__ beta, int rows, int columns,
                    float epsilon) {
  const int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  const int pieces = columns / 8;
  const uint4 *source = (const uint4 *)in + row * pieces;

  uint4 kept[Most];
  float sum = 0.0f;
#pragma unroll
  for (int n = 0; n < Most; ++n) {
    const int i = threadIdx.x + 32 * n;
    kept[n] = i < pieces ? source[i] : make_uint4(0, 0, 0, 0);
    const half2 *x = (const half2 *)&kept[n];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const float2 v = __half22float2(x[j]);
      sum += v.x + v.y;
    }
  }
  const float mean = warpSum(sum) / columns;

  sum = 0.0f;
#pragma unroll
  for (int n = 0; n < Most; ++n) {
    const half2 *x = (const half2 *)&kept[n];
    if (threadIdx.x + 32 * n < pieces)
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        const float2 v = __half22float2(x[j]);
        sum += (v.x - mean) * (v.x - mean) + (v.y - mean) * (v.y - mean);
      }
  }
  const float factor = rsqrtf(warpSum(sum) / columns + epsilon);
  const half2 scale = __float2half2_rn(factor),
              shift = __float2half2_rn(-mean * factor);

#pragma unroll
  for (int n = 0; n < Most; ++n) {
    const int i = threadIdx.x + 32 * n;
    if (i >= pieces)
      continue;
    const uint4 g = ((const uint4 *)gamma)[i], b = ((const uint4 *)beta)[i];
    half2 *x = (half2 *)&kept[n];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const half2 normal = __hfma2(x[j], scale, shift);
      x[j] =
          gelu(__hfma2(normal, ((const half2 *)&g)[j], ((const half2 *)&b)[j]));
    }
    ((uint4 *)out)[row * pieces + i] = kept[n];
  }
}
