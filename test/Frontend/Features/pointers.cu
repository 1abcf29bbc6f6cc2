// RUN: %frontends --test %s
// FEATURE: one pointer to global, shared, constant or a thread's own memory
// LAUNCH: --grid 1 --block 32 --arg a:i32[32]=iota --arg o:i32[32]=zero --dump o
// EXPECT: o (i32[32]): 100 101 7 1003 104 105 7 1007 108 109 7 1011 112 113 7 1015 ...
__constant__ int table[4] = {7, 7, 7, 7};
__global__ void k(int *a, int *o) {
  int t = threadIdx.x, mine[4] = {1000 + t, 2000, 3000, 4000};
  __shared__ int s[32];
  s[t] = 100 + t;
  // Which memory it is differs from lane to lane.
  int *p = t % 4 == 0 ? &s[t] : t % 4 == 1 ? &a[t] : &mine[t % 4 - 3 + (t % 4 == 2)];
  const int *q = t % 4 == 2 ? &table[t / 8] : p;
  if (t % 4 == 1)
    *p += 100;
  o[t] = *q;
}
