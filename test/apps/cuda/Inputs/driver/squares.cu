__device__ int offset = 5;
extern "C" __global__ void squares(const int *in, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = in[i] * in[i] + offset;
}
