// RUN: %frontends --test %s
// FEATURE: CUB: reduce, scan and sort of a block
// LAUNCH: --grid 1 --block 128 --arg o:i32[5] --dump o
// EXPECT: o (i32[5]): 8128 127 4950 0 127
#include <cub/cub.cuh>
__global__ void k(int *o) {
  typedef cub::BlockReduce<int, 128> Reduce;
  typedef cub::BlockScan<int, 128> Scan;
  typedef cub::BlockRadixSort<int, 128, 1> Sort;
  __shared__ typename Reduce::TempStorage r;
  __shared__ typename Scan::TempStorage s;
  __shared__ typename Sort::TempStorage t;
  int v = threadIdx.x, before, key[1] = {127 - v};
  int sum = Reduce(r).Sum(v);
  Scan(s).ExclusiveSum(v, before);
  Sort(t).Sort(key);
  if (v == 0) {
    o[0] = sum;
    o[3] = key[0];
  }
  if (v == 100)
    o[2] = before;
  if (v == 127) {
    o[1] = v;
    o[4] = key[0];
  }
}
