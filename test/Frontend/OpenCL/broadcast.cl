// work_group_broadcast in work-groups of two and of three dimensions.
// RUN: %heddle run %s --grid 1 --block 4,3,5 --arg out:i32[60] --dump out -q | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 4,3,5 --arg out:i32[60] --dump out -q --engine interpreter | FileCheck %s
// CHECK: out (i32[60]): 57 157 57 157
kernel void k(global int *out) {
  int i = get_local_linear_id();
  int a = work_group_broadcast(i, get_local_size(0) - 3, 2, 4); // 4 * (3 * 4 + 2) + 1
  long b = work_group_broadcast(100l + i, 1, 2, 4);
  out[i] = i & 1 ? b : a;
}
