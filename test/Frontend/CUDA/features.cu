// Half, bfloat16, fp8, cooperative groups, SIMD intrinsics and atomics: values
// that can be counted by hand, from both engines.
// RUN: %heddle run %s --kernel numbers --grid 1 --block 32 --arg f:f32[16] --dump f | FileCheck %s --check-prefix=NUMBERS
// RUN: %heddle run %s --kernel numbers --grid 1 --block 32 --arg f:f32[16] --dump f --engine interpreter | FileCheck %s --check-prefix=NUMBERS
// NUMBERS: f (f32[16]): 3.25 2048 6 1.0078125 256 1.125 448 5 1
// RUN: %heddle run %s --kernel groups --grid 1 --block 64 --arg o:i32[16] --dump o | FileCheck %s --check-prefix=GROUPS
// RUN: %heddle run %s --kernel groups --grid 1 --block 64 --arg o:i32[16] --dump o --engine interpreter | FileCheck %s --check-prefix=GROUPS
// GROUPS: o (i32[16]): 376 10 16 33 3 64 6 32
// RUN: %heddle run %s --kernel integers --grid 1 --block 32 --arg u:u32[16] --dump u | FileCheck %s --check-prefix=INTEGERS
// INTEGERS: u (u32[16]): 66051 70 496 31 4278255360 17 2
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda/atomic>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
namespace cg = cooperative_groups;

extern "C" __global__ void numbers(float *f) {
  half a = __float2half(1.5f), b = 2;
  f[0] = __half2float(__hfma(a, a, __float2half(1.0f)));
  f[1] = __half2float(__float2half(2048.9f)); // steps of two
  half2 v = __hadd2(__floats2half2_rn(1, 2), __half2half2(b));
  f[2] = __low2float(v) * 2;
  f[3] = __bfloat162float(__float2bfloat16(1.005f));
  f[4] = __bfloat162float(__nv_bfloat16(255.0f) + __nv_bfloat16(1.0f));
  f[5] = float(__nv_fp8_e4m3(1.1f));
  f[6] = float(__nv_fp8_e4m3(1000.0f));
  f[7] = float(__nv_fp8_e5m2(5.0f));
  f[8] = __hgt(b, a);
}
extern "C" __global__ void groups(int *o) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int sum = cg::reduce(tile, (int)block.thread_rank(), cg::plus<int>());
  int third = tile.shfl(sum, 3), down = tile.shfl_down((int)tile.thread_rank(), 1);
  if (block.thread_rank() == 20) {
    o[0] = third;
    o[2] = tile.size();
    o[4] = tile.meta_group_size() - 1;
    o[5] = block.size();
    o[6] = down + 1;
  }
  if (block.thread_rank() % 3 == 0 && block.thread_rank() < 32) {
    cg::coalesced_group odd = cg::coalesced_threads();
    if (odd.thread_rank() == 0)
      o[1] = odd.size() - 1;
  }
  __shared__ cuda::atomic<int, cuda::thread_scope_block> counter;
  if (block.thread_rank() == 0)
    counter.store(1);
  block.sync();
  if (block.thread_rank() < 32)
    counter.fetch_add(1, cuda::std::memory_order_relaxed);
  block.sync();
  o[3] = counter.load();
  unsigned peers = __match_any_sync(0xffffffffu, 7);
  o[7] = __popc(peers);
}
extern "C" __global__ void integers(unsigned *u) {
  u[0] = __vadd4(0x00010203, 0) & 0xffffff;
  u[1] = __dp4a(0x01020304u, 0x05060708u, 0u);
  u[2] = __reduce_add_sync(0xffffffffu, threadIdx.x);
  u[3] = __reduce_max_sync(0xffffffffu, threadIdx.x);
  u[4] = __vcmpgtu4(0x02010201, 0x01010101) | 0xff00ff00u;
  u[5] = __byte_perm(0x11, 0, 0x4440);
  u[6] = __ffsll(2);
}
