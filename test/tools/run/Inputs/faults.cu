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
  out[threadIdx.x] = s[threadIdx.x] + 1;
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
__global__ void next(int *p, int *q) {
  p[threadIdx.x + 1088] = q[threadIdx.x];
}
struct Padded {
  char a;
  double b;
  char c;
};
__global__ void padding(Padded *out, const char *in) {
  __shared__ Padded s[8];
  Padded p;
  p.a = in[threadIdx.x];
  p.b = 3;
  p.c = 4;
  if (threadIdx.x < 8)
    s[threadIdx.x] = p;
  __syncthreads();
  if (threadIdx.x < 8)
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void copied(int *out) {
  __shared__ int s[64], t[64];
  if (threadIdx.x > 32)
    s[threadIdx.x] = 1;
  t[threadIdx.x] = s[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = t[threadIdx.x] + 1;
}
__global__ void guess(float *out) {
  __shared__ unsigned sum;
  if (threadIdx.x == 0)
    sum = 0;
  __syncthreads();
  unsigned old = sum, assumed;
  do {
    assumed = old;
    old = atomicCAS(&sum, assumed,
                    __float_as_uint(__uint_as_float(assumed) + 1));
  } while (old != assumed);
  __syncthreads();
  out[0] = __uint_as_float(sum);
}
__global__ void inplace(float *p) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  float next = i + 1 < gridDim.x * blockDim.x ? p[i + 1] : 0;
  p[i] = next * 0.5f;
}
__global__ void flag(int *p) { *p = 1; }
__global__ void last(int *part, int *out) {
  part[blockIdx.x] = blockIdx.x;
  __threadfence();
  if (threadIdx.x == 0 && atomicAdd(&out[1], 1) == gridDim.x - 1)
    out[0] = part[0] + part[1] + part[2] + part[3];
}

__global__ void uses(const float *in, float *out) {
  out[threadIdx.x] = in[threadIdx.x] + 1;
}
__global__ void numbered(int *p) { p[threadIdx.x] = blockIdx.x; }
