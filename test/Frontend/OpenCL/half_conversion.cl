// A conversion to half, where nothing else names the type of a function.
// RUN: %heddle run %s --kernel whole --grid 1 --block 4 --arg h:f16[4] --arg i32[4]=iota --dump h -q | FileCheck %s
// RUN: %heddle run %s --kernel whole --grid 1 --block 4 --arg h:f16[4] --arg i32[4]=iota --dump h -q --engine interpreter | FileCheck %s
// RUN: %heddle run %s --kernel single --grid 1 --block 4 --arg h:f16[4] --arg f32[4]=iota --dump h -q | FileCheck %s
// CHECK: h (f16[4]): 0 1 2 3
kernel void whole(global half *h, global const int *in) {
  h[get_global_id(0)] = convert_half(in[get_global_id(0)]);
}
kernel void single(global half *h, global const float *in) {
  h[get_global_id(0)] = convert_half_rtz(in[get_global_id(0)]);
}
