__global__ void tile(const float *in, float *out, int n) {
  __shared__ float line[128];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  line[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  float sum = 0.0f;
  for (int k = 0; k < 16; ++k)
    sum += line[(threadIdx.x + k * 3) % 128];
  if (i < n)
    out[i] = sum;
}
