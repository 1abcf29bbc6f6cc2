// RUN: %frontends --test %s
// FEATURE: warp shuffles, votes and matches
// LAUNCH: --grid 1 --block 32 --arg o:i32[6] --dump o
// EXPECT: o (i32[6]): 31 16 496 1 4 5
__global__ void k(int *o) {
  int l = threadIdx.x, sum = l;
  for (int d = 16; d; d /= 2)
    sum += __shfl_xor_sync(~0u, sum, d);
  int last = __shfl_sync(~0u, l, 31), some = __popc(__ballot_sync(~0u, l & 1));
  int any = __any_sync(~0u, l == 7);
  unsigned mask = __activemask();
  if (l == 0) {
    o[0] = last;
    o[1] = some;
    o[2] = sum;
    o[3] = any;
    o[4] = __ffs(8);
    o[5] = __popc(mask & 31);
  }
}
