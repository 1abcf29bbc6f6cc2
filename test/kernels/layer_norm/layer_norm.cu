__device__ float warpSum(float value) {
#pragma unroll
  for (int mask = 16; mask > 0; mask >>= 1)
    value += __shfl_xor_sync(0xffffffffu, value, mask);
  return value;
}

// Layer normalisation, one warp per row, four columns at a time: mean, then
// variance around it, then scale and shift.
__global__ void layer_norm(const float4 *__restrict__ in,
                           float4 *__restrict__ out,
                           const float4 *__restrict__ gamma,
                           const float4 *__restrict__ beta, int rows,
                           int columns, float epsilon) {
  int row = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows)
    return;
  int quads = columns / 4;
  const float4 *source = in + row * quads;

  float sum = 0.0f;
  for (int i = threadIdx.x; i < quads; i += 32) {
    float4 v = source[i];
    sum += (v.x + v.y) + (v.z + v.w);
  }
  float mean = warpSum(sum) / columns;

  sum = 0.0f;
  for (int i = threadIdx.x; i < quads; i += 32) {
    float4 v = source[i];
    float x = v.x - mean, y = v.y - mean, z = v.z - mean, w = v.w - mean;
    sum += (x * x + y * y) + (z * z + w * w);
  }
  float scale = rsqrtf(warpSum(sum) / columns + epsilon);

  for (int i = threadIdx.x; i < quads; i += 32) {
    float4 v = source[i], g = gamma[i], b = beta[i];
    v.x = (v.x - mean) * scale * g.x + b.x;
    v.y = (v.y - mean) * scale * g.y + b.y;
    v.z = (v.z - mean) * scale * g.z + b.z;
    v.w = (v.w - mean) * scale * g.w + b.w;
    out[row * quads + i] = v;
  }
}
