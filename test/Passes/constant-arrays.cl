// As constant-arrays.cu: the array is read where the constant is.
// RUN: %heddle kernels %s --ptx -o %t.ptx
// RUN: FileCheck %s --check-prefix=PTX --implicit-check-not=ld.local --input-file=%t.ptx
// RUN: %heddle run %s --grid 1 --block 32 --arg o:f32[32]=zero --arg i32[32]=iota --dump o --check -q | FileCheck %s
// RUN: %heddle run %t.ptx --grid 1 --block 32 --arg f32[32]=zero --arg i32[32]=iota --dump 0 -q | FileCheck %s
// PTX: ld.{{const|global.nc}}.b32
// CHECK: (f32[32]): 1 2 3 4 5 6 7 8.5 1 2
kernel void numbers(global float *out, global const int *in) {
  const float w[8] = {1, 2, 3, 4, 5, 6, 7, 8.5f};
  out[get_local_id(0)] = w[in[get_local_id(0)] & 7];
}
