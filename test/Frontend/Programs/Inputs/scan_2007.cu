// Old C style; static device funcs, K&R spacing, many macros, #ifdef
// __DEVICE_EMULATION__, sm arch checks
#include <stdio.h>
#include <stdlib.h>
#include <math.h>
#include <sys/time.h>
#include <assert.h>
#include <malloc.h>
#ifdef __DEVICE_EMULATION__
#define EMUSYNC __syncthreads()
#else
#define EMUSYNC
#endif
#if defined(__CUDA_ARCH__) && (__CUDA_ARCH__ < 200)
#define FMUL(x, y) __mul24(x, y)
#else
#define FMUL(x, y) ((x) * (y))
#endif
#if __CUDA_ARCH__ >= 600
#define HAVE 1
#else
__device__ double atomicAdd(double *address, double val) {
  unsigned long long int *p = (unsigned long long int *)address;
  unsigned long long int old = *p, assumed;
  do {
    assumed = old;
    old = atomicCAS(p, assumed,
                    __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif
#define NUM_BANKS 16
#define LOG_NUM_BANKS 4
#define CONFLICT_FREE_OFFSET(n) ((n) >> NUM_BANKS + (n) >> (2 * LOG_NUM_BANKS))
typedef float FLOAT;
typedef unsigned int uint;
typedef unsigned char uchar;
typedef struct dim2_ {
  int x;
  int y;
} dim2;
extern __shared__ FLOAT temp[];
__device__ static FLOAT f(FLOAT x) { return x * x; }
__global__ void prescan(FLOAT *g_odata, FLOAT *g_idata, int n) {
  int thid = threadIdx.x;
  int offset = 1;
  int ai = thid, bi = thid + (n / 2);
  temp[ai + CONFLICT_FREE_OFFSET(ai)] = g_idata[ai];
  temp[bi] = g_idata[bi];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1;
      int bi = offset * (2 * thid + 2) - 1;
      temp[bi] += temp[ai];
    }
    offset *= 2;
  }
  if (thid == 0)
    temp[n - 1] = 0;
  for (int d = 1; d < n; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (thid < d) {
      int ai = offset * (2 * thid + 1) - 1, bi = offset * (2 * thid + 2) - 1;
      float t = temp[ai];
      temp[ai] = temp[bi];
      temp[bi] += t;
    }
  }
  __syncthreads();
  g_odata[2 * thid] = temp[2 * thid];
  EMUSYNC;
}
__global__ void sum(double *s, uint *h, dim2 d) {
  atomicAdd(s, 1.0);
  atomicInc(h, 10u);
  atomicDec(h, 3);
  atomicAnd(h, 7);
  h[FMUL(2, 3)] = min(h[0], 3u) + max((int)h[1], -1) + abs(-3) + d.x;
  uint2 u = {1, 2};
  h[2] = u.x;
  float4 q = make_float4(f(1.0), 1, 2, 3);
  h[3] = (uint)q.x;
}
#include "common_kernels.cuh"
void checkCUDAError(const char *msg) {
  cudaError_t err = cudaGetLastError();
  if (cudaSuccess != err) {
    fprintf(stderr, "%s", cudaGetErrorString(err));
    exit(EXIT_FAILURE);
  }
}
int main(int argc, char **argv) {
  struct timeval t;
  gettimeofday(&t, NULL);
  prescan<<<1, 512, 1024>>>(NULL, NULL, 1024);
  cudaThreadSetLimit(cudaLimitStackSize, 1024);
  cudaThreadSynchronize();
  checkCUDAError("x");
  shared_k<<<1, 1>>>(0);
  return 0;
}
