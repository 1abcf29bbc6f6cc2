// RUN: %frontends --test %s
// FEATURE: CUB: differences of neighbours, the bits that radix sort compares
// LAUNCH: --grid 1 --block 32 --arg o:i32[6] --dump o
// EXPECT: o (i32[6]): 0 1 63 -127 2147483645 -1
#include <cub/cub.cuh>
struct Minus {
  __device__ int operator()(int a, int b) const { return a - b; }
};
__global__ void k(int *o) {
  typedef cub::BlockAdjacentDifference<int, 32> Difference;
  __shared__ typename Difference::TempStorage s;
  int t = threadIdx.x, v[2] = {t * t, t * t + t}, left[2], right[2];
  Difference(s).SubtractLeft(v, left, Minus());
  __syncthreads();
  Difference(s).SubtractRight(v, right, Minus());
  if (t == 0)
    o[0] = left[0];
  if (t == 1)
    o[1] = left[1];
  if (t == 31) {
    o[2] = left[0] + 32;
    o[3] = right[0] - right[1] / 992 * 96;
    o[4] = cub::Traits<int>::TwiddleIn(unsigned(-3));
    o[5] = cub::Traits<float>::TwiddleOut(cub::Traits<float>::TwiddleIn(~0u));
  }
}
