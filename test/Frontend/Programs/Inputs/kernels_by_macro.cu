#include <stdio.h>
#define KERNEL(name, type, op)                                                                     \
  extern "C" __global__ void name##_##type(type *a, const type *b, int n) {                        \
    register int i = blockIdx.x * blockDim.x + threadIdx.x;                                        \
    if (i < n)                                                                                     \
      a[i] = a[i] op b[i];                                                                         \
  }
#define ALLT(name, op) KERNEL(name, float, op) KERNEL(name, int, op) KERNEL(name, double, op)
ALLT(add, +)
ALLT(mul, *)
#ifndef BLOCK_SIZE
#define BLOCK_SIZE 16
#endif
#define AS(i, j) CUT_BANK_CHECKER(((float *)&As[0][0]), (BLOCK_SIZE * i + j))
#define IMUL(a, b) __mul24(a, b)
    __global__ static void stat(int *p) {
  p[IMUL(blockIdx.x, blockDim.x) + threadIdx.x] = warpSize;
}
static __global__ void stat2(unsigned long long *p) {
  p[0] = clock64();
  p[1] = clock();
  p[2] = __clzll(p[0]);
}
__device__ __noinline__ float slow(float x) {
  for (int i = 0; i < 10; i++)
    x = x * x + 1;
  return x;
}
__device__ __constant__ int lut[] = {1, 2, 3, 4};
__device__ int counter = 0;
__device__ volatile int flag;
__managed__ int mm;
__shared__ float gshared[128];
__global__ void g(float *x) {
  gshared[threadIdx.x] = slow(x[threadIdx.x]);
  __syncthreads();
  x[threadIdx.x] = gshared[127 - threadIdx.x] + lut[threadIdx.x & 3];
  atomicInc((unsigned *)&counter, 10);
  flag = 1;
  mm = 2;
  __threadfence();
}
__global__ void mixed(int a, unsigned b, float c, double d, long l, size_t z, short s, char ch,
                      float *o) {
  o[0] = min(a, b);
  o[1] = max(c, d);
  o[2] = min(l, 3L);
  o[3] = abs(a);
  o[4] = abs(c);
  o[5] = fabs(d);
  o[6] = max(s, ch);
  o[7] = min((int)z, a);
  o[8] = pow(c, 2);
  o[9] = pow(d, a);
  o[10] = sqrt(a);
  o[11] = max(1u, 2);
  o[12] = fmin(c, d);
  o[13] = powf(c, 2);
  o[14] = floor(c);
  o[15] = exp(2);
  o[16] = log((float)a);
  o[17] = rsqrt(c);
  o[18] = std::max(a, 3);
  o[19] = std::abs(l);
  o[20] = fmaxf(c, 0);
  o[21] = sin(a);
  o[22] = atan2(c, d);
  o[23] = round(c);
  o[24] = lrintf(c);
  o[25] = __saturatef(c);
  o[26] = max(z, (size_t)4);
  o[28] = fmod(c, 2.0f);
  o[29] = hypot(c, d);
  o[30] = isnan(c) + isinf(d) + signbit(c);
  o[31] = std::min<float>(a, c);
}
__global__ void ptx(unsigned *o) {
  unsigned r;
  asm("mov.u32 %0, %%laneid;" : "=r"(r));
  asm volatile("{\n\t.reg .pred p;\n\tsetp.ne.u32 p, %1, 0;\n\tselp.u32 %0, 1, 2, p;\n\t}"
               : "=r"(o[0])
               : "r"(r));
  unsigned s;
  asm("bfe.u32 %0, %1, %2, %3;" : "=r"(s) : "r"(r), "r"(3), "r"(4));
  o[1] = s;
}
int main(int argc, char *argv[]) {
  float *x;
  add_float<<<1, 1>>>(x, x, 1);
  cudaMemcpyToSymbol("lut", x, 16);
  cudaMemcpyToSymbol(lut, x, 16, 0, cudaMemcpyHostToDevice);
  dim3 threads = dim3(4, 4), grid = {1, 2, 3};
  g<<<grid, threads>>>(x);
  stat<<<1, 1>>>((int *)x);
  return 0;
}
