// Many blocks that do the same, in loops.
__global__ void rounds(const float *in, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = in[i];
  for (int r = 0; r < n; ++r)
    x = x * 0.99f + in[(i + r * 32) & 65535];
  out[i] = x;
}
