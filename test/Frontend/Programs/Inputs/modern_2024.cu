#include <helper_math.h>
#include <cuda_fp16.h>
#include <cuda_bf16.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/atomic>
#include <cuda/std/atomic>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
#include <cublasLt.h>
#include <cuda_fp8.h>
#include <cuda_runtime_api.h>
#include <curand_mtgp32_host.h>
#include <cuComplex.h>
#include <filesystem>
#include <span>
#include <optional>
#include <string_view>
namespace cg = cooperative_groups;
#pragma nv_diag_suppress static_var_with_dynamic_init
#pragma nv_exec_check_disable
template <typename T, int VEC> struct alignas(sizeof(T) * VEC) Vec {
  T v[VEC];
};
template <typename scalar_t>
__global__ void ln(const scalar_t *__restrict__ x, scalar_t *__restrict__ o, int n) {
  extern __shared__ __align__(sizeof(double)) unsigned char smem[];
  scalar_t *buf = reinterpret_cast<scalar_t *>(smem);
  auto blk = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(blk);
  float s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s += static_cast<float>(x[i]);
  s = cg::reduce(warp, s, cg::plus<float>());
  if (warp.thread_rank() == 0)
    buf[warp.meta_group_rank()] = static_cast<scalar_t>(s);
  blk.sync();
  o[threadIdx.x] = buf[0];
}
template __global__ void ln<float>(const float *, float *, int);
template __global__ void ln<half>(const half *, half *, int);
template __global__ void ln<__nv_bfloat16>(const __nv_bfloat16 *__restrict__,
                                           __nv_bfloat16 *__restrict__, int);
__global__ void pipe(const int *in, int *out) {
  __shared__ int s[2][128];
  auto block = cg::this_thread_block();
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope::thread_scope_block, 2> st;
  auto p = cuda::make_pipeline(block, &st);
  p.producer_acquire();
  cuda::memcpy_async(block, s[0], in, sizeof(int) * 128, p);
  p.producer_commit();
  p.consumer_wait();
  block.sync();
  out[threadIdx.x] = s[0][threadIdx.x];
  p.consumer_release();
}
__global__ void bar(int *d) {
  __shared__ cuda::barrier<cuda::thread_scope_block> b;
  if (threadIdx.x == 0)
    init(&b, blockDim.x);
  __syncthreads();
  auto tok = b.arrive();
  b.wait(std::move(tok));
  d[threadIdx.x] = 1;
  cuda::atomic_ref<int, cuda::thread_scope_device> r(d[0]);
  r.fetch_add(1, cuda::memory_order_relaxed);
  cuda::std::array<int, 4> a{1, 2, 3, 4};
  d[1] = a[threadIdx.x & 3];
  d[2] = cuda::std::numeric_limits<int>::max();
}
__global__ void hm(float4 *a, float3 *b, cuFloatComplex *c, cuDoubleComplex *z) {
  a[0] = lerp(a[0], a[1], 0.5f) + make_float4(dot(b[0], b[1])) * 2.f;
  b[0] = normalize(cross(b[0], b[1]));
  b[1] -= b[0] * 2;
  c[0] = cuCmulf(c[0], c[1]);
  z[0] = cuCadd(z[0], make_cuDoubleComplex(1, 2));
  a[1] = clamp(a[0], 0.f, 1.f);
  b[2] = reflect(b[0], b[1]);
  b[0] = fminf(b[0], b[1]);
  float2 f = make_float2(1.f) / 2.f;
  a[3].x = length(f);
  int3 i = make_int3(1, 2, 3) + make_int3(b[0]);
  a[3].y = i.x;
}
__global__ void shfl(int *d, float *f, double *g) {
  unsigned m = __activemask();
  d[0] = __shfl_xor_sync(0xffffffff, d[0], 1);
  f[0] = __shfl_down_sync(m, f[0], 2, 16);
  g[0] = __shfl_sync(~0u, g[0], 3);
  d[1] = __ballot_sync(m, d[0] > 1);
  d[2] = __any_sync(m, 1) + __all_sync(m, 0);
  d[3] = __match_any_sync(m, d[1]);
  d[4] = __reduce_add_sync(m, d[0]);
  __syncwarp();
  d[5] = __popc(m) + __ldg(d + 3) + __ldg((const int4 *)d).x + __ldcs(d);
  __stcg(d + 1, 4);
  d[6] = __syncthreads_count(1) + __syncthreads_or(0);
  d[7] = __dp4a(d[0], d[1], d[2]) + __byte_perm(1, 2, 3) + __funnelshift_l(1, 2, 3) +
         __nv_cvt_float_to_fp8(1.f, __NV_SATFINITE, __NV_E4M3);
  __nanosleep(10);
  __trap();
  __brkpt();
  __prof_trigger(1);
}
struct Matrix {
  int width, height, stride;
  float *elements;
  __device__ float &operator()(int r, int c) { return elements[r * stride + c]; }
};
__device__ Matrix GetSub(Matrix A, int r, int c) {
  Matrix s;
  s.width = 16;
  s.elements = &A.elements[r * c];
  return s;
}
__global__ void mm(Matrix A, Matrix B, Matrix C) {
  Matrix s = GetSub(C, blockIdx.x, blockIdx.y);
  __shared__ float As[16][16];
  As[threadIdx.y][threadIdx.x] = A(threadIdx.y, threadIdx.x);
  __syncthreads();
  float v = 0;
#pragma unroll
  for (int e = 0; e < 16; ++e)
    v += As[threadIdx.y][e] * B(e, 1);
  s(1, 2) = v;
}
class Base {
public:
  __device__ virtual float f(float x) const = 0;
  __device__ virtual ~Base() {}
};
class Derived : public Base {
  float k;

public:
  __device__ Derived(float k) : k(k) {}
  __device__ float f(float x) const override { return x * k; }
};
__global__ void virt(Base **b, float *x) { x[0] = b[0]->f(x[1]); }
__global__ void mk(Base **b) { *b = new Derived(2.f); }
using fn = float (*)(float);
__device__ float sq(float x) { return x * x; }
__device__ fn table[1] = {sq};
__device__ fn psq = sq;
__global__ void fp(float *x, fn f) { x[0] = f(x[1]) + table[0](x[2]) + psq(1); }
__global__ void grid_const(const __grid_constant__ Matrix m, int *o) { o[0] = m.width; }
int main() {
  auto lam = [] __device__(float x) { return x; };
  nvtxRangePushA("a");
  nvtx3::scoped_range r{"x"};
  cudaGraph_t g;
  cudaGraphCreate(&g, 0);
  std::span<int> s;
  cudaMallocAsync((void **)&g, 4, 0);
  cudaMemPool_t pool;
  cudaMemPrefetchAsync(0, 0, 0);
  return 0;
}
