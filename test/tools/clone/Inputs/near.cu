// Lanes read anywhere in the 64 words from their own one on, and what a sum of
// integers stores waits for both of its loads.
extern "C" __global__ void near(const float *a, const int *offsets, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < n; ++k)
    sum += a[i + (offsets[i + k * all] & 63)];
  out[i] = sum;
}

extern "C" __global__ void add(int *sums, const int *terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[i] = sums[i] + terms[i];
}
