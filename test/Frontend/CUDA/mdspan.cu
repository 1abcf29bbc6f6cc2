// cuda::std::mdspan in both layouts and with strides, and what cuda/functional and cuda/cmath have, on the device and in constants.
// RUN: %heddle run %s --kernel transpose --grid 1,3 --block 4 --arg f32[12]=iota --arg t:f32[12] --dump t -q | FileCheck %s --check-prefix=TRANSPOSE
// TRANSPOSE: t (f32[12]): 0 4 8 1 5 9 2 6 10 3 7 11
// RUN: %heddle run %s --kernel views --grid 1 --block 1 --arg f32[24]=iota --arg o:f32[16] --dump o -q | FileCheck %s --check-prefix=VIEWS
// RUN: %heddle run %s --kernel views --grid 1 --block 1 --arg f32[24]=iota --arg o:f32[16] --dump o -q --engine interpreter -- -std=c++20 | FileCheck %s --check-prefix=VIEWS
// VIEWS: o (f32[16]): 23 17 14 24 3 12 2 1 5 11 8 7 3 4 6 3
// RUN: heddle-nvcc %s -o %t && %t
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/std/mdspan>
namespace cs = cuda::std;
template <class T> using matrix = cs::mdspan<T, cs::dextents<int, 2>>;
__device__ void copy(matrix<const float> a, cs::mdspan<float, cs::extents<int, 4, cs::dynamic_extent>> b) {
  int x = threadIdx.x, y = blockIdx.y;
  if (x < a.extent(1) && y < a.extent(0))
    b(x, y) = a(y, x);
}
__global__ void transpose(const float *in, float *out) {
  copy(matrix<const float>(in, 3, 4), {out, 3});
}
__global__ void views(float *p, float *o) {
  cs::mdspan cube(p, 2, 3, 4);
  o[0] = cube(1, 2, 3);
  o[1] = cube[cs::array<int, 3>{1, 1, 1}];
  cs::mdspan<float, cs::dims<3>, cs::layout_left> left(p, 2, 3, 4);
  o[2] = left(0, 1, 2);
  o[3] = cube.size();
  o[4] = cube.rank();
  o[5] = cube.stride(0);
  o[6] = left.stride(1);
  o[7] = left.stride(0);
  using Steps = cs::layout_stride::mapping<cs::dextents<int, 2>>;
  cs::mdspan<float, cs::dextents<int, 2>, cs::layout_stride> rows(p, Steps(cs::dextents<int, 2>(2, 3), cs::array<int, 2>{5, 2}));
  o[8] = rows(1, 0);
  o[9] = rows(1, 3);
  o[10] = cuda::round_up(7, 4);
  o[11] = cuda::maximum<int>{}(3, 7);
  o[12] = cuda::minimum<>{}(3, 7u);
  o[13] = cuda::ceil_div(10, 3);
  o[14] = cuda::proclaim_return_type<int>([](float x) { return x * 2; })(3.4f);
  o[15] = matrix<float>(p, 2, 3).extents().extent(1);
}
static_assert(cuda::ceil_div(9u, 4u) == 3 && cuda::round_down(9, 4) == 8);
int main() {
  float numbers[6] = {0, 1, 2, 3, 4, 5};
  matrix<const float> a = matrix<float>(numbers, 2, 3);
  return a(1, 2) == 5 && cuda::maximum<>{}(2, 3) == 3 ? 0 : 1;
}
