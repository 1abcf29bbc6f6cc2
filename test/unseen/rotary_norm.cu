// Root-mean-square normalisation of a row, then rotary embedding of its pairs,
// in half precision, two values at a time.
#include <cuda_fp16.h>
__global__ void rotary_norm(const __half2 *input, const __half2 *gain, __half2 *output, int pairs, float base) {
  __shared__ float partial[8];
  const __half2 *row = input + (size_t)blockIdx.x * pairs;
  float sum = 0;
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    float2 v = __half22float2(row[i]);
    sum += v.x * v.x + v.y * v.y;
  }
  for (int offset = 16; offset > 0; offset /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0)
    partial[threadIdx.x / 32] = sum;
  __syncthreads();
  float total = 0;
  for (int w = 0; w < 8; w++)
    total += partial[w];
  float scale = rsqrtf(total / (2 * pairs) + 1e-5f);
  for (int i = threadIdx.x; i < pairs; i += blockDim.x) {
    float2 v = __half22float2(__hmul2(row[i], gain[i]));
    float angle = blockIdx.x * __powf(base, -2.0f * (i % 64) / 128.0f), s, c;
    __sincosf(angle, &s, &c);
    output[(size_t)blockIdx.x * pairs + i] =
        __floats2half2_rn(scale * (v.x * c - v.y * s), scale * (v.x * s + v.y * c));
  }
}
