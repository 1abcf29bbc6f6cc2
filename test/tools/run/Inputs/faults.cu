__global__ void oob(float *out, const float *in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i + n];
}
__global__ void spin(volatile int *flag) {
  while (*flag == 0)
    ;
}
__global__ void diverge(int *out) {
  if (threadIdx.x < 7)
    __syncthreads();
  out[threadIdx.x] = 1;
}
__global__ void race(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void unwritten(int *out) {
  __shared__ int s[64];
  if (threadIdx.x > 32)
    s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void sharedoob(int *out) {
  __shared__ int s[32];
  s[threadIdx.x] = 1;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x];
}
__global__ void misaligned(char *p) {
  *(int *)(p + threadIdx.x) = 1;
}
__global__ void good(int *out) {
  __shared__ int s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
