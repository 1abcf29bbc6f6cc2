// RUN: %frontends --test %s
// FEATURE: cooperative groups: the place of a tile in the tile that it is a part of
// LAUNCH: --grid 1 --block 64 --arg o:i32[12] --dump o
// EXPECT: o (i32[12]): 840 841 842 843 840 841 842 843 8 8 8 8
#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void k(int *o) {
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  auto tile = cg::tiled_partition<8>(warp);
  auto alone = cg::tiled_partition<8>(block);
  int place = alone.meta_group_size() * 100 + tile.meta_group_size() * 10 + tile.meta_group_rank();
  o[tile.meta_group_rank() + threadIdx.x / 32 * 4] = place;
  o[8 + tile.meta_group_rank()] = tile.num_threads();
}
