constexpr int Bins = 256;

// Counts bytes: each thread block counts in shared memory and adds its counts
// to the result at the end.
__global__ void histogram(const unsigned char *__restrict__ data,
                          unsigned *bins, int n) {
  __shared__ unsigned counts[Bins];
  for (int b = threadIdx.x; b < Bins; b += blockDim.x)
    counts[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    atomicAdd(&counts[data[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < Bins; b += blockDim.x)
    if (counts[b] != 0)
      atomicAdd(&bins[b], counts[b]);
}
