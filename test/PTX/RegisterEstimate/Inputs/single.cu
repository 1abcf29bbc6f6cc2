// One rule of the estimate each; all are estimated as ptxas 13 counts them for
// sm_80.
extern "C" {
__global__ void empty() {}
__global__ void constant(int *p) { *p = 3; }
__global__ void own_index(int *p) { p[threadIdx.x] = threadIdx.x; }
__global__ void argument(int *p, int n) { p[threadIdx.x] = n; }
__global__ void sum(float *p, const float *q, const float *r, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = q[i] + r[i];
}
__global__ void three(float *p, const float *__restrict__ q,
                      const float *__restrict__ r,
                      const float *__restrict__ s) {
  int i = threadIdx.x;
  p[i] = q[i] + r[i] + s[i];
}
// Loads stay apart from stores to other offsets of one address: all run ahead.
__global__ void apart(float *p) {
#pragma unroll
  for (int i = 5; i > 0; --i)
    p[i] += p[i];
}
__global__ void wide(long *p) { *p = 5; }
__global__ void chain(float *p, float a) {
  float v = p[threadIdx.x];
  for (int i = 0; i < 8; ++i)
    v = v * v + a;
  p[threadIdx.x] = v;
}
__global__ void division(double *p, const double *__restrict__ q,
                         const double *__restrict__ r) {
  int i = threadIdx.x;
  p[i] = q[i] / r[i];
}
}
