// RUN: %frontends --test %s
// FEATURE: cooperative groups: blocks, tiles, coalesced lanes, reduce
// LAUNCH: --grid 1 --block 64 --arg o:i32[4] --dump o
// EXPECT: o (i32[4]): 376 11 64 4
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;
__global__ void k(int *o) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<16>(block);
  int sum = cg::reduce(tile, (int)block.thread_rank(), cg::plus<int>());
  if (block.thread_rank() == 20)
    o[0] = sum;
  if (block.thread_rank() < 32 && block.thread_rank() % 3 == 0) {
    cg::coalesced_group some = cg::coalesced_threads();
    if (some.thread_rank() == 0)
      o[1] = some.size();
  }
  block.sync();
  o[2] = block.size();
  o[3] = block.size() / tile.size();
}
