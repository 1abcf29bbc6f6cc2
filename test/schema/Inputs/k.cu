__device__ float twice(float v) { return v * 2 + 1; }
__global__ void scale(const float *x, float *y, int n) {
  __shared__ float tile[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < n ? twice(x[i]) : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += tile[(threadIdx.x + k * 2) % blockDim.x];
  if (i < n)
    y[i] = sum;
}
