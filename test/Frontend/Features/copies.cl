// RUN: %frontends --test %s
// FEATURE: async_work_group_copy, barriers, local memory
// LAUNCH: --grid 1 --block 8 --arg a:i32[8]=iota --dump a
// EXPECT: a (i32[8]): 7 6 5 4 3 2 1 0
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(global int *a) {
  local int t[8];
  event_t e = async_work_group_copy(t, a, 8, 0);
  wait_group_events(1, &e);
  barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
  a[get_local_id(0)] = t[7 - get_local_id(0)];
}
