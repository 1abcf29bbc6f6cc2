__device__ float warpSum(float value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2)
    value += __shfl_down_sync(0xffffffffu, value, offset);
  return value;
}

// partial[b] = sum of what thread block b takes of in: a grid-stride loop, then
// shuffles within the warps and once more over the warps' sums.
__global__ void __launch_bounds__(256)
    reduction(const float *__restrict__ in, float *__restrict__ partial,
              int n) {
  __shared__ float warpSums[32];
  float sum = 0.0f;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = warpSum(sum);
  int lane = threadIdx.x % warpSize, warp = threadIdx.x / warpSize;
  if (lane == 0)
    warpSums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / warpSize ? warpSums[lane] : 0.0f;
    sum = warpSum(sum);
    if (lane == 0)
      partial[blockIdx.x] = sum;
  }
}
