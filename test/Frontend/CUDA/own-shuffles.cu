// A program may overload the shuffles without a mask for types of its own, with
// either type of the count, and for types that ours have too.
// RUN: %heddle run %s --grid 1 --block 32 --arg o:f64[32] --dump o -q | FileCheck %s
// CHECK: o (f64[32]): 104.5 106.5 108.5 110.5
struct Pair {
  int a;
  float b;
};
__device__ Pair __shfl_down(Pair v, unsigned count) {
  return {__shfl_down(v.a, count), __shfl_down(v.b, 1)};
}
__device__ Pair __shfl_xor(Pair v, int mask) {
  return {__shfl_xor(v.a, mask), v.b};
}
__device__ double __shfl_up(double v, unsigned count, int width = 32) {
  return v + 100;
}
__global__ void k(double *o) {
  int t = threadIdx.x;
  Pair p = __shfl_down(Pair{t, 2.f}, 1), q = __shfl_xor(Pair{t, 0.f}, 0);
  o[t] = p.a + p.b + q.a + __shfl_up(1.0, 1) + 0.5;
}
