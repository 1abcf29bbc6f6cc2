// Indices that a mask cuts go around in the buffer, several times, and each
// thread block walks as far as it is told.
extern "C" __global__ void masked(const float *a, const int *n, float *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n[blockIdx.x]; ++k) {
    s += a[(i * 3 + k * 4160 + 5) & 8191];
    s += a[(i * 3 + k * 4160 + 6) & 8191];
    for (int j = 0; j < 32; ++j)
      s = s * 0.5f + float(j);
  }
  out[i & 1023] = s;
}
