// Work-items of one sub-group wait for another one's.
// RUN: %heddle run %s --kernel produce --grid 2 --block 64 --arg o:i32[32] --arg local=128 --dump o | FileCheck %s
// RUN: %heddle run %s --kernel produce --grid 2 --block 64 --arg o:i32[32] --arg local=128 --dump o --engine interpreter | FileCheck %s
// RUN: %heddle run %s --kernel acquire --grid 2 --block 64 --arg o:i32[32] --arg local=128 --dump o | FileCheck %s
// RUN: %heddle run %s --kernel acquire --grid 2 --block 64 --arg o:i32[32] --arg local=128 --dump o --engine interpreter | FileCheck %s
// CHECK: o (i32[32]): 63 62 61 60 59
kernel void produce(global int *o, local int *data) {
  local volatile int flag;
  int l = get_local_id(0);
  if (l == 0)
    flag = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) {
    while (flag == 0)
      mem_fence(CLK_LOCAL_MEM_FENCE);
    o[l] = data[31 - l];
  } else {
    data[l - 32] = l;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    if (l == 32)
      flag = 1;
  }
}
kernel void acquire(global int *o, local int *data) {
  local atomic_int flag;
  int l = get_local_id(0);
  if (l == 0)
    atomic_init(&flag, 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l < 32) {
    while (atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group) == 0)
      ;
    o[l] = data[31 - l];
  } else {
    data[l - 32] = l;
    if (l == 32)
      atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
  }
}
