// -cl-denorms-are-zero makes denormal numbers zero, in both engines; without it
// they stay.
// DEFINE: %{run} = %heddle run %s --grid 1 --block 32 --arg o:f32[32]=zero --arg f32[32]=value:2e-38 --dump 0 -q
// RUN: %{run} | FileCheck %s
// CHECK: o (f32[32]): 5e-39
// RUN: %{run} -- -cl-denorms-are-zero | FileCheck %s --check-prefix=ZERO
// RUN: %{run} --engine interpreter -- -cl-denorms-are-zero | FileCheck %s --check-prefix=ZERO
// ZERO: o (f32[32]): 0 0
// RUN: %heddle kernels %s --ptx -q -- -cl-denorms-are-zero | FileCheck %s --check-prefix=PTX
// PTX: mul.rn.ftz.f32
__kernel void quarter(__global float *o, __global const float *a) {
  o[get_global_id(0)] = a[get_global_id(0)] * 0.5f * 0.5f;
}
