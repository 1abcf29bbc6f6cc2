// Names that programs of the last years use: what says that nvcc compiles, states
// of quasirandom numbers, packed eight-bit numbers; helpers behind a guard that
// nothing defines.
// RUN: %heddle run %s --kernel versions --grid 1 --block 1 --arg o:f32[5] --dump o -q 2>&1 | FileCheck %s --check-prefix=VERSIONS
// RUN: %heddle kernels %s 2>&1 | FileCheck %s
#include <cuda_fp8.h>
#include <curand_kernel.h>
#if !defined(__NVCC__) || !defined(__CUDACC__)
#error no nvcc
#endif
#ifdef HAVE_HELPERS
#define checkCudaErrors(x) check((x), #x)
#endif
// VERSIONS: o (f32[5]): 1 1 2 3 4
extern "C" __global__ void versions(float *o) {
  o[0] = __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ > 1100 && __CUDACC_VER_BUILD__ >= 0;
  __nv_fp8x4_e4m3 packed(make_float4(1, 2, 3, 4));
  float4 values = float4(packed);
  o[1] = values.x, o[2] = values.y, o[3] = values.z, o[4] = values.w;
}
// CHECK-DAG: void scale<float>(float*)
template <typename T> __global__ void scale(T *o) { o[threadIdx.x] *= 2; }
// CHECK-DAG: sobol(
__global__ void sobol(curandStateSobol32_t *a, curandStateScrambledSobol32 *b,
                      curandStateSobol64_t *c, float *o) {
  o[0] = curand_uniform(a) + curand(b) + curand(c);
}
int main() {
  float *p;
  checkCudaErrors(cudaMalloc(&p, 128));
  scale<<<1, 32>>>(p);
  checkCudaErrors(cudaDeviceSynchronize());
}
