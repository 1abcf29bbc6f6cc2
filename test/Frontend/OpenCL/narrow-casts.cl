// Casts to 8 bits give what PTX gives, in which there are none to less than 16; convert_*_sat saturates.
// DEFINE: %{args} = --grid 1 --block 1 --arg x:f32[1]=value:300 --arg o:i32[4]=zero --dump o -q
// RUN: %heddle run %s %{args} | FileCheck %s
// RUN: %heddle run %s %{args} --engine interpreter | FileCheck %s
// RUN: %heddle kernels %s --ptx -q -o %t.ptx
// RUN: %heddle run %t.ptx %{args} | FileCheck %s
// CHECK: o (i32[4]): 44 44 255 127
kernel void casts(global const float *x, global int *o) {
  o[0] = (uchar)x[0];
  o[1] = (char)x[0];
  o[2] = convert_uchar_sat(x[0]);
  o[3] = convert_char_sat(x[0]);
}
