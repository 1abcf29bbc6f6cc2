// RUN: %frontends --test %s
// FEATURE: votes, matches and reductions of several groups of lanes at once
// LAUNCH: --arch sm_80 --grid 1 --block 32 --arg in:i32[32]=iota --arg o:i32[16]=zero --dump o
// EXPECT: o (i32[16]): 0 0 0 1 1 1 0 0 0 16711680 65280 4096 1 4096 28 220
#include <cooperative_groups.h>
__global__ void k(const int *in, int *o) {
  int v = in[threadIdx.x];
  unsigned tile = 0xffu << (threadIdx.x & ~7u); // differs between the tiles
  int any = __any_sync(tile, v == 12), all = __all_sync(tile, v > 23);
  int none = __uni_sync(tile, v < 12);
  unsigned odd = __ballot_sync(tile, v > 15);
  unsigned same = __match_any_sync(tile, v == 12);
  int pred;
  unsigned equal = __match_all_sync(tile, v / 8, &pred);
  int sum = __reduce_add_sync(tile, v);
  if (threadIdx.x == 7) {
    o[0] = any;
    o[1] = all;
    o[2] = odd;
  }
  if (threadIdx.x == 0)
    o[3] = none;
  if (threadIdx.x == 12)
    o[4] = any;
  if (threadIdx.x == 31)
    o[5] = all;
  if (threadIdx.x == 15) {
    o[6] = all;
    o[7] = none;
    o[8] = odd;
  }
  if (threadIdx.x == 20)
    o[9] = odd;
  if (threadIdx.x == 8)
    o[10] = equal;
  if (threadIdx.x == 12) {
    o[11] = same;
    o[12] = pred;
    o[13] = same;
  }
  if (threadIdx.x == 1)
    o[14] = sum;
  if (threadIdx.x == 30)
    o[15] = sum;
}
