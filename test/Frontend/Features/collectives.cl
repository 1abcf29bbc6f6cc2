// RUN: %frontends --test %s
// FEATURE: work-group and sub-group collectives, 32 and 64 bits
// LAUNCH: --grid 1 --block 64 --arg o:i64[6] --dump o
// EXPECT: o (i64[6]): 2016 2016 63 780 496 10
kernel void k(global long *o) {
  int i = get_local_id(0);
  long sum = work_group_reduce_add((long)i);
  ulong usum = work_group_reduce_add((ulong)i);
  double most = work_group_reduce_max((double)i);
  long before = work_group_scan_exclusive_add((long)i);
  long lanes = sub_group_reduce_add((long)i);
  long ten = work_group_broadcast((long)i, 10);
  if (i == 40)
    o[3] = before;
  if (i == 0) {
    o[0] = sum;
    o[1] = usum;
    o[2] = most;
    o[4] = lanes;
    o[5] = ten;
  }
}
