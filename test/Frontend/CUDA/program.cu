// A whole program as it stands: host headers, the runtime API, launches, main.
// RUN: %heddle kernels %s 2>&1 | FileCheck %s
// CHECK: program.cu:[[#@LINE+57]]: warning: printf costs nothing here; 'heddle run' prints
// CHECK-DAG: structs(P, float4, float*)  {{.*}}program.cu:
// CHECK-DAG: math(float*, double*, int*)  {{.*}}program.cu:
// CHECK-DAG: atom(int*, unsigned int*, unsigned long long*, float*, double*, long long*)
// CHECK-DAG: warp(int*, float*, double*, unsigned long long*)
// CHECK-DAG: void tk<float, 256>(float*, float const*, int)
// CHECK-DAG: void tk<int, 128>(int*, int const*, int)
// CHECK-DAG: void apply<Fun>(Fun, int*)
// CHECK-DAG: launch bounds at most 256 threads per block, at least 2 blocks per SM

#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <cuda.h>
#include <cmath>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <assert.h>
#include <vector>
#include <iostream>
#include <string>
#include <algorithm>
#include <chrono>
#include <random>
#include <map>
#include <memory>
#include <fstream>
#include <cfloat>
#include <climits>
#include <cstring>
#include <complex>
#include <numeric>
#include <stdint.h>
using namespace std;
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { fprintf(stderr, "%s\n", cudaGetErrorString(e)); exit(1);} } while (0)
struct P { float a; int b[3]; float *p; };
__constant__ float coef[16];
__device__ int counter;
__managed__ int mg;
template <typename T, int N> __global__ void __launch_bounds__(N, 2) tk(T *out, const T *__restrict__ in, int n) {
  extern __shared__ unsigned char raw[];
  T *s = reinterpret_cast<T *>(raw);
  __shared__ T t[N];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = i < n ? in[i] : T(0);
  s[threadIdx.x] = coef[threadIdx.x & 15];
  __syncthreads();
  for (int k = N / 2; k > 0; k >>= 1) { if (threadIdx.x < k) t[threadIdx.x] += t[threadIdx.x + k]; __syncthreads(); }
  if (threadIdx.x == 0) { out[blockIdx.x] = t[0] + s[0]; atomicAdd(&counter, 1); }
}
__device__ __noinline__ float helper(float x, P p) { p.b[1] += 2; return x * p.b[1] + p.a; }
__global__ void structs(P p, float4 v, float *o) {
  p.b[threadIdx.x % 3] = 7;
  assert(p.a > 0);
  float s = 0;
  for (int i = 0; i < 3; i++) s += helper(v.x, p) * p.p[i];
  o[threadIdx.x] = s + p.b[1] + v.w;
  if (s < 0) printf("negative %f\n", s);
}
__global__ void math(float *f, double *d, int *n) {
  int i = threadIdx.x;
  float x = f[i]; double y = d[i];
  f[0] = sinf(x) + cosf(x) + tanf(x) + asinf(x) + acosf(x) + atanf(x) + atan2f(x, 2.f) + sinhf(x) + coshf(x) + tanhf(x);
  f[1] = sin(x) + cos(x) + exp(x) + log(x) + sqrt(x) + fabs(x) + pow(x, 2.5f) + std::sin(x) + std::sqrt(x) + std::exp(x) + std::abs(x) + std::pow(x, 2.f);
  d[2] = sin(y) + cos(y) + exp(y) + log(y) + sqrt(y) + fabs(y) + pow(y, 2.5) + std::sin(y) + std::fmod(y, 2.0) + fmod(y, 3.) + rsqrt(y) + cbrt(y) + erf(y)+ tgamma(y);
  f[3] = fmaxf(x, 1) + fminf(x, 2) + fmaf(x, x, x) + floorf(x) + ceilf(x) + truncf(x) + roundf(x) + rintf(x) + hypotf(x, 2) + erff(x) + erfcf(x) + lgammaf(x) + cbrtf(x) + fmodf(x, 3) + expf(x) + exp2f(x) + exp10f(x) + logf(x) + log2f(x) + log10f(x) + log1pf(x) + expm1f(x) + rsqrtf(x) + sqrtf(x) + copysignf(x, -1.f) + ldexpf(x, 3) + sinpif(x) + normcdff(x) + rcbrtf(x) + fdimf(x, 1.f) + powf(x, 3.f) + remainderf(x, 3);
  f[4] = __sinf(x) + __cosf(x) + __expf(x) + __logf(x) + __powf(x, 2) + __fdividef(x, 3) + __frcp_rn(x) + __fsqrt_rn(x) + __fadd_rn(x, x) + __fmul_rn(x, x) + __fmaf_rn(x, x, x) + __log2f(x) + __tanf(x) + __saturatef(x)+__exp10f(x)+__log10f(x);
  float s, c; sincosf(x, &s, &c); f[5] = s + c; __sincosf(x, &s, &c); f[6] = s + c; float ip; f[7] = modff(x, &ip) + ip; int e; f[8] = frexpf(x, &e) + e;
  n[0] = __popc(n[1]) + __clz(n[2]) + __ffs(n[3]) + __brev(n[4]) + __mul24(n[5], 3) + __umulhi(n[6], 7) + __funnelshift_l(n[7], n[8], 3) + __byte_perm(n[1], n[2], 0x1234) + __popcll(n[3]) + min(n[1], 3) + max(n[2], 4) + abs(n[3]) + __float2int_rn(x) + __float_as_int(x) + isnan(x) + isinf(y) + __double2int_rz(y);
  n[1] = max(n[1], 4u) + min((size_t)n[0], (size_t)4) + std::max(n[0], 3) + std::min(x, 3.f);
  f[9] = max(x, 1.f) + min(y, 2.0) + (float)max(x, 2.0) + fmin(x, 1.f) + INFINITY + FLT_MAX + M_PI + NAN;
  n[2] = INT_MAX; n[3] = isfinite(x) + signbit(x) + lrintf(x) + llrint(y) + ilogbf(x) + std::isnan(x) + std::isinf(y);
  *(complex<float>*)f = complex<float>(x, 2.f) + complex<float>(1.f, x);
}
__global__ void atom(int *i, unsigned *u, unsigned long long *l, float *f, double *d, long long *ll) {
  __shared__ int si; __shared__ float sf;
  if (!threadIdx.x) { si = 0; sf = 0; }
  __syncthreads();
  atomicAdd(&si, 1); atomicAdd(&sf, 1.f); atomicMax(&si, 3);
  i[1] = atomicAdd(i, 1) + atomicSub(i, 1) + atomicMin(i, 3) + atomicMax(i, 3) + atomicAnd(i, 3) + atomicOr(i, 3) + atomicXor(i, 3) + atomicExch(i, 3) + atomicCAS(i, 1, 2);
  u[1] = atomicAdd(u, 1) + atomicSub(u, 1) + atomicMin(u, 3) + atomicMax(u, 3u) + atomicAnd(u, 3) + atomicInc(u, 3) + atomicDec(u, 3) + atomicCAS(u, 1u, 2u);
  l[1] = atomicAdd(l, 1) + atomicCAS(l, 1, 2) + atomicMax(l, 5ull) + atomicExch(l, 3ull);
  f[1] = atomicAdd(f, 1.f) + atomicExch(f, 1.f); d[1] = atomicAdd(d, 1.0); ll[1] = atomicMax(ll, 3ll);
  __threadfence(); __threadfence_block();
  i[2] = __syncthreads_count(i[3]) + __syncthreads_and(i[4]) + __syncthreads_or(i[5]);
  i[3] = si + sf + atomicAdd_block(i, 2);
}
__global__ void warp(int *i, float *f, double *d, unsigned long long *l) {
  int t = threadIdx.x;
  i[t] = __shfl_sync(~0u, i[t], 3) + __shfl_up_sync(~0u, i[t], 1) + __shfl_down_sync(~0u, i[t], 1, 16) + __shfl_xor_sync(~0u, i[t], 1);
  f[t] = __shfl_sync(~0u, f[t], 3) + __shfl_xor(f[t], 2) + __shfl_down(f[t], 2);
  d[t] = __shfl_down_sync(~0u, d[t], 3); l[t] = __shfl_xor_sync(~0u, l[t], 1);
  i[t] += __any_sync(~0u, i[t]) + __all_sync(~0u, i[t]) + __ballot_sync(~0u, i[t]) + __activemask() + __any(i[t]) + __ballot(i[t] > 3);
  __syncwarp(); i[0] = clock() + clock64() + __ldg(&i[3]) + warpSize;
  i[1] = __match_any_sync(~0u, i[2]);
}
class Foo { public: int x; __host__ __device__ Foo(int a) : x(a) {} __device__ int get() const { return x; } };
template <class F> __global__ void apply(F f, int *o) { o[threadIdx.x] = f(threadIdx.x); }
struct Fun { int k; __device__ int operator()(int a) const { Foo q(a); return q.get() * k; } };
static void run(int n) {
  float *a, *b; CHECK(cudaMalloc(&a, n * sizeof(float))); CHECK(cudaMalloc((void **)&b, n * sizeof(float)));
  float h[16]; CHECK(cudaMemcpyToSymbol(coef, h, sizeof(h)));
  cudaEvent_t e0, e1; cudaEventCreate(&e0); cudaEventCreate(&e1); cudaEventRecord(e0);
  dim3 grid((n + 255) / 256), block(256); cudaStream_t st; cudaStreamCreate(&st);
  tk<float, 256><<<grid, block, 1024, st>>>(a, b, n);
  tk<int, 128><<<4, 128, 1024>>>((int*)a, (int*)b, n);
  apply<<<1, 32>>>(Fun{3}, (int*)a);
  CHECK(cudaGetLastError()); CHECK(cudaDeviceSynchronize()); cudaEventRecord(e1, 0); float ms; cudaEventElapsedTime(&ms, e0, e1);
  cudaDeviceProp prop; cudaGetDeviceProperties(&prop, 0); printf("%s %d\n", prop.name, prop.multiProcessorCount);
  cudaFuncSetCacheConfig(math, cudaFuncCachePreferL1); cudaFuncSetAttribute(tk<float,256>, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
  cudaFree(a); cudaFree(b);
}
int main(int argc, char **argv) { std::vector<float> v(10); std::cout << "hi" << std::endl; mt19937 g(1); run(atoi(argv[1])); std::sort(v.begin(), v.end()); float q = std::max(1.f, 2.f) + max(3, 4) + sinf(2.f) + sin(1.0); return q; }
