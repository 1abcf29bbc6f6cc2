#include "cuda.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
#include <float.h>
#include <limits.h>
union f4 {
  float4 v;
  float a[4];
};
typedef union {
  unsigned u;
  float f;
  struct {
    unsigned m : 23;
    unsigned e : 8;
    unsigned s : 1;
  } b;
} bits;
struct __align__(16) Body {
  float3 p;
  float m;
};
struct __builtin_align__(8) P2 {
  float a, b;
};
enum Mode { FAST = 0, SLOW };
#define KERNEL(name) extern "C" __global__ void name
#define FN static __device__ __forceinline__
FN float frsq(float x) {
  bits b;
  b.f = x;
  b.u = 0x5f3759df - (b.u >> 1);
  return b.f * (1.5f - 0.5f * x * b.f * b.f);
}
KERNEL(k1)(union f4 *p, float *o, Body *bodies, enum Mode mode) {
  volatile __shared__ float s[64];
  union f4 x = p[threadIdx.x];
  float r = 0;
  for (int i = 0; i < 4; i++)
    r += x.a[i];
  s[threadIdx.x] = r;
  if (threadIdx.x < 32) {
    s[threadIdx.x] += s[threadIdx.x + 32];
    s[threadIdx.x] += s[threadIdx.x + 16];
  }
  o[threadIdx.x] =
      s[0] * frsq(bodies[threadIdx.x].p.x) + (mode == FAST ? FLT_MAX : INT_MAX);
}
KERNEL(k2)(unsigned *a, const unsigned *__restrict b) {
  asm volatile("" ::: "memory");
  unsigned m = __ballot(1), c = __any(b[0] > 3), d = __all(1);
  int v = __shfl(3, 2);
  v += __shfl_down(v, 1) + __shfl_up(v, 1) + __shfl_xor(v, 16);
  a[threadIdx.x] = m + c + d + v + __popc(m) + __ffs(m) + __clz(m) + __brev(m) +
                   __float_as_int(1.f) + __int_as_float(3) + __umulhi(3, 4) +
                   __sad(1, 2, 3u) + __usad(1, 2, 3) + __mul24(3, 4) +
                   __float2int_rn(1.5f) + __double2int_rz(2.5) +
                   __longlong_as_double(1ll) + __double_as_longlong(1.0) +
                   __hiloint2double(1, 2) + __uint2float_rn(1) +
                   __fmul_rn(1, 2) + __fadd_rz(1, 2) + __frcp_rn(2) +
                   __fsqrt_rn(2) + __dadd_rn(1, 2) + __ldg(b) + __clzll(4) +
                   __popcll(3) + __vadd4(1, 2) + __byte_perm(1, 2, 3);
  __prof_trigger(1);
  unsigned smid;
  asm("mov.u32 %0, %%smid;" : "=r"(smid));
  a[1] = smid + clock() + (unsigned)clock64();
}
texture<float, 1> T;
CUmodule mod;
CUfunction fn;
CUdevice dev;
CUcontext ctx;
CUdeviceptr dptr;
int main() {
  cuInit(0);
  cuDeviceGet(&dev, 0);
  cuCtxCreate(&ctx, 0, dev);
  cuModuleLoad(&mod, "x.ptx");
  cuModuleGetFunction(&fn, mod, "k1");
  cuMemAlloc(&dptr, 100);
  cuLaunchKernel(fn, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0);
  cuParamSetSize(fn, 10);
  cuFuncSetBlockShape(fn, 1, 1, 1);
  cuLaunchGrid(fn, 1, 1);
  cuMemcpyHtoD(dptr, 0, 1);
  cuCtxSynchronize();
  cuCtxDestroy(ctx);
  cudaSetDeviceFlags(cudaDeviceBlockingSync);
  cudaSetDevice(0);
  cudaGetDeviceCount((int *)0);
}
