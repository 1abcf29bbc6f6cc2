// Fast Walsh-Hadamard transform of 2,048 values per block in shared memory.
extern __shared__ float values[];
__global__ void walsh_block(float *data, int log2n) {
  int n = 1 << log2n, base = blockIdx.x << log2n;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    values[i] = data[base + i];
  for (int stride = n >> 1; stride > 0; stride >>= 1) {
    __syncthreads();
    for (int p = threadIdx.x; p < n / 2; p += blockDim.x) {
      int low = p & (stride - 1), i0 = (p << 1) - low, i1 = i0 + stride;
      float a = values[i0], b = values[i1];
      values[i0] = a + b;
      values[i1] = a - b;
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    data[base + i] = values[i];
}
