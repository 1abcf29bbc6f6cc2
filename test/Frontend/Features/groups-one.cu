// RUN: %frontends --test %s
// FEATURE: cooperative groups: what one thread of a group does for all, memory for tiles of several warps
// TOOLKIT: its headers have assembly that the JIT does not execute
// LAUNCH: --arch sm_80 --grid 1 --block 64 --arg calls:i32[2]=zero --arg o:i32[64]=zero --dump calls --dump o
// EXPECT: calls (i32[2]): 12 111
// EXPECT: o (i32[64]): 100 100 100 100 100 100 100 100 108 108 108 108 108 108 108 108 ...
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *calls, int *o) {
  __shared__ cg::block_tile_memory<64> memory;
  cg::thread_block block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<8>(block);
  auto rank = [&](int from) {
    atomicAdd(calls, 1);
    return from + (int)block.thread_rank() / 8 * 8;
  };
  o[block.thread_rank()] = cg::invoke_one_broadcast(tile, rank, 100);
  // Of each warp the odd lanes, and then the even ones.
  cg::coalesced_group some = cg::binary_partition(cg::tiled_partition<32>(block), block.thread_rank() & 1);
  const int sum = cg::invoke_one_broadcast(some, [&] { return atomicAdd(calls, 1), (int)some.size(); });
  cg::invoke_one(block, [](int *to, int v) { *to = v; }, calls + 1, 95 + sum);
}
