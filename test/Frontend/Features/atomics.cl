// RUN: %frontends --test %s
// FEATURE: atomics of OpenCL 1 and 2
// LAUNCH: --grid 2 --block 32 --arg o:i32[3] --dump o
// EXPECT: o (i32[3]): 64 63 64
kernel void k(global int *o) {
  atomic_inc(o);
  atom_max(o + 1, (int)get_global_id(0));
  atomic_fetch_add_explicit((volatile global atomic_int *)(o + 2), 1,
                            memory_order_relaxed, memory_scope_device);
}
