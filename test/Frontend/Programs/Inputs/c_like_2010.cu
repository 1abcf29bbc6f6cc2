// C-like old CUDA
#include <stdio.h>
#include <assert.h>
#include <cuda.h>
#include <math.h>
#include <malloc.h>
#include <unistd.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <errno.h>
#include <sys/types.h>
#include <sys/stat.h>
#include <time.h>
#define FLOAT_N 3214212.01
#define DIV_CEIL(a, b) (((a) + (b) - 1) / (b))
typedef float DATA_TYPE;
typedef unsigned char uchar;
typedef unsigned long ulong_;
struct kernel_dim {
  int dimx, dimy;
};
extern __shared__ float sh[];
extern __shared__ char raw[];
__constant__ struct kernel_dim kd;
__constant__ __device__ float cc[2][3];
__device__ static float devtab[4] = {0.f};
__device__ float *devptr;
__device__ __host__ int cdiv(int a, int b) { return (a + b - 1) / b; }
__inline__ __device__ void swap2(float &a, float &b) {
  float t = a;
  a = b;
  b = t;
}
__forceinline__ __device__ float blockSum(float v, volatile float *s) {
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned s2 = blockDim.x >> 1; s2 > 32; s2 >>= 1) {
    if (threadIdx.x < s2)
      s[threadIdx.x] += s[threadIdx.x + s2];
    __syncthreads();
  }
  return s[0];
}
__global__ void mean_kernel(DATA_TYPE *mean, DATA_TYPE data[], int n) {
  int j = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if ((j >= 1) && (j < n)) {
    mean[j] = 0.0;
    int i;
    for (i = 1; i < n; i++) {
      mean[j] += data[i * n + j];
    }
    mean[j] /= (DATA_TYPE)FLOAT_N;
  }
}
__global__ void k2(float *a, float (*b)[16], float c[][8], const struct kernel_dim d) {
  volatile __shared__ float s[256];
  __shared__ volatile int s3[4];
  float *p = sh;
  int *ip = (int *)&sh[blockDim.x];
  char *q = raw;
  a[0] = blockSum(a[1], s) + b[1][2] + c[0][1] + d.dimx + kd.dimy + cc[1][2] + p[0] + ip[1] + q[3];
  s3[0] = 1;
  swap2(a[0], a[1]);
  assert(a[0] == a[0]);
  if (a[1] != a[1])
    printf("%f\n", a[1]);
  devptr[0] = devtab[1];
}
__global__ void k3(unsigned long long *x, uchar4 *u, double2 *d, long2 *l, ushort2 *us) {
  ulonglong2 v;
  v.x = x[0];
  x[1] = v.x + __popcll(x[0]) + __ffs(3) + __clz(2) + __brev(1u);
  u[0] = make_uchar4(1, 2, 3, 4);
  d[0] = make_double2(1, 2);
  d[1].x = __dadd_rn(1, 2) + __hiloint2double(1, 2) + __double2loint(1.0);
  l[0].x = 1;
  us->y = 3;
  x[3] = __double_as_longlong(d[0].x);
  x[4] = atomicAdd(x, 1ULL) + atomicCAS(x, 1ull, 2ull);
  int4 i4 = make_int4(0, 1, 2, 3);
  x[5] = reinterpret_cast<int *>(&i4)[1];
  float4 f4 = *(float4 *)x;
  *((float4 *)&x[4]) = f4;
}
__device__ double atomicAddD(double *address, double val) {
  unsigned long long int *aull = (unsigned long long int *)address;
  unsigned long long int old = *aull, assumed;
  do {
    assumed = old;
    old = atomicCAS(aull, assumed, __double_as_longlong(val + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
#else
__device__ double atomicAdd(double *a, double v) { return atomicAddD(a, v); }
#endif
__global__ void k4(double *d) {
  atomicAdd(d, 1.0);
  atomicAddD(d, 2.0);
  atomicMax((int *)d, 3);
  atomicExch((float *)d, 1.f);
  atomicAnd((unsigned *)d, 1u);
  *d += __expf(1) + __logf(2) + __powf(1, 2) + __fdividef(1, 2) + __frcp_rn(2.f) + __fsqrt_rn(2) +
        __sinf(1) + __tanf(1) + rsqrt(2.0) + exp2f(1) + log2(3.0) + erfcf(1) + normcdff(1) +
        j0(1.0) + sinpif(1) + fdividef(1, 2) + rhypot(1, 2) + norm3df(1, 2, 3) + lgamma(2.0) +
        tgammaf(2) + ldexpf(1, 2) + scalbnf(1, 2) + nearbyintf(1) + remainderf(1, 2) +
        copysignf(1, -1) + __int2float_rn(1) + __float2int_rz(1.f) + __uint_as_float(1) +
        __int_as_float(2) + __umulhi(1, 2) + __mulhi(1, 2) + __sad(1, 2, 3) + __usad(1, 2, 3) +
        __vadd2(1, 2) + __hadd(1, 2) + __rhadd(1, 2);
  sincosf(1, (float *)d, (float *)d);
  sincos(1.0, d, d);
  int e;
  *d += frexpf(1, &e);
}
int main(int argc, char **argv) { return 0; }

// From before machines had it.
__device__ double atomicAdd(double *address, double val) { return atomicAddD(address, val); }
__global__ void k5(double *d) {
  atomicAdd(d, 2.0);
  d[1] = nan("");
}
