#include <cstdio>
#include <cuda_runtime.h>
#include "helper_cuda.h"
#include "helper_functions.h"
#include <type_traits>
#include <tuple>
template <class T> struct SharedMemory {
  __device__ inline operator T *() {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
  __device__ inline operator const T *() const {
    extern __shared__ int __smem[];
    return (T *)__smem;
  }
};
template <> struct SharedMemory<double> {
  __device__ inline operator double *() {
    extern __shared__ double __smem_d[];
    return (double *)__smem_d;
  }
};
template <typename T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce6(T *g_idata, T *g_odata, unsigned int n) {
  T *sdata = SharedMemory<T>();
  unsigned int tid = threadIdx.x, i = blockIdx.x * blockSize * 2 + threadIdx.x,
               gridSize = blockSize * 2 * gridDim.x;
  T mySum = 0;
  while (i < n) {
    mySum += g_idata[i];
    if (nIsPow2 || i + blockSize < n)
      mySum += g_idata[i + blockSize];
    i += gridSize;
  }
  sdata[tid] = mySum;
  __syncthreads();
  if ((blockSize >= 512) && (tid < 256)) {
    sdata[tid] = mySum = mySum + sdata[tid + 256];
  }
  __syncthreads();
  if (tid < 32) {
    volatile T *s = sdata;
    if (blockSize >= 64)
      s[tid] = mySum = mySum + s[tid + 32];
    if (blockSize >= 32)
      s[tid] = mySum = mySum + s[tid + 16];
  }
  if (tid == 0)
    g_odata[blockIdx.x] = mySum;
}
template <class T>
void reduce(int size, int threads, int blocks, int whichKernel, T *d_idata, T *d_odata) {
  dim3 dimBlock(threads, 1, 1), dimGrid(blocks, 1, 1);
  int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
  switch (threads) {
  case 512:
    reduce6<T, 512, true><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
    break;
  case 256:
    reduce6<T, 256, false><<<dimGrid, dimBlock, smemSize>>>(d_idata, d_odata, size);
    break;
  }
}
template void reduce<int>(int, int, int, int, int *, int *);
template void reduce<float>(int, int, int, int, float *, float *);
template void reduce<double>(int, int, int, int, double *, double *);
template <typename F> __global__ void __launch_bounds__(256, 4) for_each_kernel(int n, F f) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i < n)
    f(i);
}
template <typename F> void parallel_for(int n, F &&f) {
  for_each_kernel<<<(n + 255) / 256, 256>>>(n, std::forward<F>(f));
}
template <typename... Args> __global__ void variadic(float *o, Args... a) {
  o[threadIdx.x] = (a + ... + 0.f);
}
enum class Op { Add, Mul };
template <Op op> __device__ __forceinline__ float apply(float a, float b) {
  if constexpr (op == Op::Add)
    return a + b;
  else
    return a * b;
}
template <Op op> __global__ void binop(float *a, const float *b) {
  int i = threadIdx.x;
  a[i] = apply<op>(a[i], b[i]);
}
constexpr int log2c(int n) { return n <= 1 ? 0 : 1 + log2c(n / 2); }
static constexpr int kThreads = 1 << 7;
__global__ void __launch_bounds__(kThreads * 2, (kThreads > 64) ? 2 : 1) bounded(int *o) {
  __shared__ int t[1 << log2c(kThreads)];
  t[threadIdx.x & 127] = 1;
  __syncthreads();
  o[threadIdx.x] = t[0];
}
template <int N> struct Unroll {
  template <class F> __device__ static void run(F f) {
    f(N);
    Unroll<N - 1>::run(f);
  }
};
template <> struct Unroll<0> {
  template <class F> __device__ static void run(F) {}
};
__global__ void unr(float *x) {
  Unroll<5>::run([=] __device__(int i) { x[i] *= 2; });
}
template <template <typename> class Policy, typename T> __global__ void policy(T *t) {
  Policy<T>::apply(t);
}
template <typename T> struct Dbl {
  static __device__ void apply(T *t) { t[threadIdx.x] *= 2; }
};
typedef void (*kfun)(int *, int);
template <int V> __global__ void viaptr(int *p, int n) { p[n] = V; }
int main(int argc, char **argv) {
  findCudaDevice(argc, (const char **)argv);
  float *d;
  checkCudaErrors(cudaMalloc(&d, 4));
  parallel_for(100, [=] __device__(int i) { d[i] = i; });
  parallel_for(100, [=] __host__ __device__(int i) mutable { d[i] = sqrtf(i); });
  variadic<<<1, 32>>>(d, 1, 2.f, 3.0);
  binop<Op::Add><<<1, 1>>>(d, d);
  binop<Op::Mul><<<1, 1>>>(d, d);
  policy<Dbl><<<1, 1>>>(d);
  kfun table[] = {viaptr<1>, viaptr<2>, &viaptr<3>};
  table[argc]<<<1, 1>>>((int *)d, 3);
  void *args[] = {&d, &argc};
  cudaLaunchKernel((const void *)viaptr<7>, dim3(1), dim3(1), args, 0, 0);
  cudaFuncSetAttribute(viaptr<9>, cudaFuncAttributeMaxDynamicSharedMemorySize, 1000);
  StopWatchInterface *t = 0;
  sdkCreateTimer(&t);
  sdkStartTimer(&t);
  sdkStopTimer(&t);
  printf("%f", sdkGetTimerValue(&t));
  sdkDeleteTimer(&t);
  return EXIT_SUCCESS;
}
