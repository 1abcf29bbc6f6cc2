#include <stdint.h>
#ifndef __CUDA_ARCH_LIST__
#define X 1
#endif
#if CUDART_VERSION >= 9000
#define SHFL(v, l) __shfl_sync(0xffffffffu, v, l)
#define BALLOT(p) __ballot_sync(0xffffffffu, p)
#else
#define SHFL(v, l) __shfl(v, l)
#define BALLOT(p) __ballot(p)
#endif
#define LDG_STREAM(x) ([](const float *q) { float v; asm volatile("ld.global.nc.L1::no_allocate.L2::128B.f32 %0, [%1];" : "=f"(v) : "l"(q)); return v; }(x))
template <typename T> __device__ inline T ptx_min3(T a, T b, T c) { T r; asm("{\n\t.reg .s32 t;\n\tmin.s32 t, %1, %2;\n\tmin.s32 %0, t, %3;\n\t}" : "=r"(r) : "r"(a), "r"(b), "r"(c)); return r; }
__device__ __forceinline__ uint32_t lanemask_lt() { uint32_t m; asm("mov.u32 %0, %%lanemask_lt;" : "=r"(m)); return m; }
__device__ __forceinline__ uint64_t policy() { uint64_t p; asm("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(p)); return p; }
__global__ void filter_k(int *dst, int *nres, const int *src, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  bool keep = i < n && src[i] > 0;
  unsigned act = BALLOT(keep);
  int leader = __ffs(act) - 1, pos = 0;
  if (keep) {
    if ((threadIdx.x & 31) == leader) pos = atomicAdd(nres, __popc(act));
    pos = __shfl_sync(act, pos, leader) + __popc(act & lanemask_lt());
    dst[pos] = ptx_min3(src[i], 100, (int)__vabsdiffu4(src[i], 7));
  }
}
__global__ void transpose_warp(float *a) {
  float v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = LDG_STREAM(a + threadIdx.x + 32 * k);
  for (int k = 0; k < 4; ++k) v[k] = SHFL(v[k], (threadIdx.x * 5 + k) & 31);
  unsigned peers = __match_any_sync(~0u, (int)v[0]);
  int pred;
  unsigned same = __match_all_sync(~0u, (int)v[1], &pred);
  uint2 w = __builtin_bit_cast(uint2, *(double *)v);
  w.x = __funnelshift_lc(w.x, w.y, 7) ^ __byte_perm(w.x, w.y, 0x2103) ^ __brev(w.y) ^ (unsigned)__clzll((long long)w.x << 32 | w.y) ^ __usad(w.x, w.y, 3) ^ __dp4a((int)w.x, (int)w.y, 1);
  a[threadIdx.x] = v[peers & 3] + __uint_as_float(w.x) + (same & pred) + __reduce_add_sync(~0u, w.x) + __saturatef(v[2]) + __fdividef(v[1], v[2]) + __frcp_rn(v[0]) + __sinf(v[3]);
  __nanosleep(20);
  __syncwarp();
  if (__isShared(a) || __isGlobal(v)) __prof_trigger(0), __threadfence_system();
}
__global__ void hinted(float *a) {
  uint64_t p = policy();
  asm volatile("st.global.L2::cache_hint.f32 [%0], %1, %2;" ::"l"(a), "f"(1.f), "l"(p) : "memory");
}
