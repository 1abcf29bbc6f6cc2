// mad_sat of 64 bits saturates the sum, not the product alone.
// DEFINE: %{args} = %s --grid 1 --block 1 --arg a:i64[4]=iota --arg o:i64[8]=zero --dump o -q
// RUN: %heddle run %{args} | FileCheck %s
// RUN: %heddle run %{args} --engine interpreter | FileCheck %s
// CHECK: o (i64[8]): 9223372036854775807 -9223372036854775808 9223372036854775807 -9223372036854775808 5 9223372036854775807 -9223372036854775808 9223372036854775806
__kernel void sums(__global const long *a, __global long *o) {
  const long one = a[1], most = LONG_MAX - one + 1;
  o[0] = mad_sat(most - 1, one, one + 1);
  o[1] = mad_sat(-most, one, -one - 1);
  o[2] = mad_sat(most, most, -most);
  o[3] = mad_sat(most, -most, most);
  const long4 sums = mad_sat((long4)(one * 2, most, -most, most), (long4)(2, 1, 1, 1), (long4)(1, 1, -2, -1));
  vstore4(sums, 1, o);
}
