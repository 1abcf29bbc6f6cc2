// Two kernels of an application: many equal blocks, and blocks whose work
// changes in the middle of the grid.
__global__ void smooth(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i + 1 < n)
    out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
}

__global__ void uneven(const float *in, float *out, int half) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  int rounds = blockIdx.x < half ? 0 : 64;
  for (int r = 0; r < rounds; ++r)
    x = x * 0.99f + 0.5f;
  out[i] = x;
}
