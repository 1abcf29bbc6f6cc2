// <cuda/std/bit> in C++17 and later, with numbers counted by hand.
// RUN: %heddle run %s --grid 1 --block 1 --arg o:i32[10] --dump o | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 1 --arg o:i32[10] --dump o -- -std=c++20 | FileCheck %s
// CHECK: o (i32[10]): 3 28 2 4 1 8 16 1 24 1065353216
#include <cuda/std/bit>
#include <cuda/std/cstdint>
__global__ void k(int *o) {
  uint32_t v = 12 + threadIdx.x;
  o[0] = cuda::std::popcount(v + 1);
  o[1] = cuda::std::countl_zero(v);
  o[2] = cuda::std::countr_zero(v);
  o[3] = cuda::std::bit_width(v);
  o[4] = cuda::std::has_single_bit(v + 4);
  o[5] = cuda::std::bit_floor(v);
  o[6] = cuda::std::bit_ceil(v);
  o[7] = cuda::std::countl_one(uint8_t(v + 0x80 - 12));
  o[8] = cuda::std::rotl(v, 1);
  o[9] = cuda::std::bit_cast<int>(1.0f + threadIdx.x);
}
