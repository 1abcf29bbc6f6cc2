// cl_khr_integer_dot_product: products of four bytes each, with signs, summed; the packed forms and the sums that stop at the largest number.
// RUN: %heddle run %s --grid 1 --block 1 --arg o:i32[12] --arg u32=0x01fe03ff --arg u32=0x02020202 --dump o -q | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 1 --arg o:i32[12] --arg u32=0x01fe03ff --arg u32=0x02020202 --dump o -q --engine interpreter | FileCheck %s
// Bytes 1, 254 or -2, 3, 255 or -1, each times 2.
// CHECK: o (i32[12]): 1026 2 1026 2 1026 2 1036 2147483647 -1 2147483647 1 2
// RUN: %heddle kernels %s --ptx -q | FileCheck %s --check-prefix=PTX
// PTX: dp4a.u32.u32
// PTX: dp4a.s32.s32
#pragma OPENCL EXTENSION cl_khr_integer_dot_product : enable
kernel void k(global int *o, uint a, uint b) {
  o[0] = dot(as_uchar4(a), as_uchar4(b));
  o[1] = dot(as_char4(a), as_char4(b));
  o[2] = dot(as_uchar4(a), as_char4(b));
  o[3] = dot(as_char4(a), as_uchar4(b));
  o[4] = dot_4x8packed_uu_uint(a, b);
  o[5] = dot_4x8packed_ss_int(a, b);
  o[6] = dot_acc_sat(as_uchar4(a), as_uchar4(b), 10u);
  o[7] = dot_acc_sat(as_char4(a), as_char4(b), 0x7fffffff);
  o[8] = dot_acc_sat_4x8packed_uu_uint(a, b, 0xffffff00u);
  o[9] = dot_acc_sat_4x8packed_us_int(a, b, 0x7fffff00);
#ifdef __opencl_c_integer_dot_product_input_4x8bit
  o[10] = 1;
#endif
  o[11] = dot_4x8packed_su_int(a, b);
}
