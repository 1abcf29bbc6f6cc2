#include "sub/kernels_part.cu"
#include <complex>
#include <limits>
#include <cstring>
#include <type_traits>
#include <cuda/std/complex>
#include <cuda/std/limits>
#include <thrust/complex.h>
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 200
#error "needs compute capability 2.0"
#endif
#define TILE_DIM 32
#define KERNEL(name) extern "C" __global__ void name
struct __align__(16) Particle { float3 p; unsigned kind : 4, alive : 1; short pad; };
struct Op { int k; __device__ constexpr Op(int k) : k(k) {} __device__ int operator()(int x) const noexcept { return x * k; } };
__device__ float *g_ptr; __device__ volatile int flag; __constant__ Particle presets[3]; __device__ const float pi = 3.14159265f;
static __device__ __noinline__ int slow(int x) { return x % 7; }
void __global__ odd_order(int *a) { a[threadIdx.x] = slow(a[threadIdx.x]); }
__global__ static void stat(int *a) { Op op(3); a[threadIdx.x] = op(a[threadIdx.x]); }
KERNEL(by_macro)(float *__restrict__ a, const float *__restrict__ b) { a[threadIdx.x] += b[threadIdx.x] * pi; }
template <class T> __global__ void spec(T *a) { a[0] = T(1); }
template <> __global__ void spec<int>(int *a) { a[0] = 2; }
template __global__ void spec<float>(float *);
extern "C" __global__ void __launch_bounds__(TILE_DIM *8, 4) transpose(float *o, const float *i, int w, int h) {
  __shared__ float t[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int k = 0; k < TILE_DIM; k += 8) t[threadIdx.y + k][threadIdx.x] = i[(y + k) * w + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x; y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int k = 0; k < TILE_DIM; k += 8) o[(y + k) * h + x] = t[threadIdx.x][threadIdx.y + k];
}
__global__ void wide(__int128 *a, unsigned __int128 b, long double d) { a[threadIdx.x] = a[threadIdx.x] * (__int128)b >> 3; a[0] += (int)d; }
__global__ void numbers(float *f, cuda::std::complex<float> *c, thrust::complex<double> *t) {
  f[0] = std::max(f[1], std::numeric_limits<float>::epsilon()) + std::abs(f[2]) + std::pow(f[3], 2.0f) + cuda::std::numeric_limits<int>::max();
  c[0] = c[1] * c[2] + cuda::std::complex<float>(1, 2); t[0] = exp(t[1]) * thrust::conj(t[2]) + thrust::polar(1.0, 2.0);
  std::pair<int, float> p{1, 2}; f[4] = p.second + static_cast<float>(flag); memcpy(f + 5, &presets[1].p, sizeof(float3)); memset(f + 8, 0, 8);
}
__global__ void asms(unsigned *o) {
  unsigned s, w; asm volatile("mov.u32 %0, %%smid;" : "=r"(s)); asm("mov.u32 %0, %%nwarpid;" : "=r"(w));
  asm volatile("membar.gl;"); asm volatile("nanosleep.u32 40;"); asm volatile("bar.sync 1, 64;");
  if (s == 77) asm("trap;"); if (w == 99) asm volatile("exit;"); o[threadIdx.x] = s; asm volatile("prefetch.global.L2 [%0];" ::"l"(o)); asm("brkpt;");
}
namespace outer { namespace { __global__ void hidden(int *a) { a[0] = 1; } } inline namespace v1 { template <int... I> __global__ void pack(int *a) { int n = 0; ((n += I), ...); a[0] = n; } } }
class Solver { friend __global__ void friendly(Solver *); float x; public: void go(); };
__global__ void friendly(Solver *s) { s->x = 1; }
void Solver::go() { friendly<<<1, 1>>>(this); outer::hidden<<<1, 1>>>(nullptr); outer::pack<1, 2, 3><<<1, 1>>>(nullptr); auto k = &stat; k<<<1, 2>>>(0); void (*fp)(int *) = odd_order; fp<<<1, 1>>>(0); cudaMemcpyToSymbol("flag", &x, 4); cudaFuncSetCacheConfig(transpose, cudaFuncCachePreferShared); }
