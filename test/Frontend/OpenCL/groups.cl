// Collectives of a work-group and a sub-group.
// RUN: %heddle run %s --grid 1 --block 64 --arg a:i32[64]=iota --arg out:i32[64] --dump out | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 64 --arg a:i32[64]=iota --arg out:i32[64] --dump out --engine interpreter | FileCheck %s
// CHECK: out (i32[64]): 2016 780 703 40 63 0 1 780
__kernel void k(__global int *a, __global int *out) {
  int i = get_global_id(0), v = a[i];
  int sum = work_group_reduce_add(v), scan = work_group_scan_inclusive_add(v);
  int before = work_group_scan_exclusive_add(v), max = work_group_reduce_max(v);
  int forty = work_group_broadcast(v, 40);
  int all = work_group_all(v > 0), any = work_group_any(v > 62);
  int lanes = sub_group_scan_exclusive_add(v);
  if (i == 39) {
    out[0] = sum;
    out[1] = scan;
    out[7] = before + v;
    out[3] = forty;
    out[4] = max;
    out[5] = all;
    out[6] = any;
  }
  if (i == 38)
    out[2] = before;
}
