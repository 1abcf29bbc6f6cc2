__device__ int offset = 5;
__managed__ int shared = 7;
extern "C" __global__ void squares(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i] + offset + shared;
}
extern "C" __global__ void negate(int *values) {
  extern __shared__ int copy[];
  copy[threadIdx.x] = values[threadIdx.x];
  __syncthreads();
  values[threadIdx.x] = -copy[threadIdx.x];
}
