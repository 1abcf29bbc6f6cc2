// Each thread sums the tile that its block holds in shared memory.
__global__ void rows(const float *in, float *out) {
  __shared__ float tile[288];
  tile[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  int lane = threadIdx.x % 32;
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 256; i += 32)
#pragma unroll
    for (int k = 0; k < 32; ++k)
      sum += tile[i + k + lane];
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
