// Histogram of the angles between pairs of directions: a binary search over bin
// borders in constant memory, counts per warp in shared memory.
#define BINS 20
__constant__ float borders[BINS + 1];
__global__ void angle_histogram(const float *x, const float *y, const float *z, unsigned *bins, int n) {
  __shared__ unsigned counts[8][BINS + 2];
  __shared__ float ox[256], oy[256], oz[256];
  for (int i = threadIdx.x; i < 8 * (BINS + 2); i += blockDim.x)
    (&counts[0][0])[i] = 0;
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float ax = x[i], ay = y[i], az = z[i];
  for (int base = 0; base < n; base += 256) {
    __syncthreads();
    ox[threadIdx.x] = x[base + threadIdx.x];
    oy[threadIdx.x] = y[base + threadIdx.x];
    oz[threadIdx.x] = z[base + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; j++) {
      float dot = ax * ox[j] + ay * oy[j] + az * oz[j];
      int low = 0, high = BINS;
      while (high > low + 1) {
        int middle = (low + high) / 2;
        if (dot >= borders[middle])
          high = middle;
        else
          low = middle;
      }
      atomicAdd(&counts[threadIdx.x / 32][high], 1u);
    }
  }
  __syncthreads();
  if (threadIdx.x < BINS + 2) {
    unsigned sum = 0;
    for (int w = 0; w < 8; w++)
      sum += counts[w][threadIdx.x];
    atomicAdd(&bins[threadIdx.x], sum);
  }
}
