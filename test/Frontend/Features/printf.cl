// RUN: %frontends --test %s
// FEATURE: printf, vectors too
// LAUNCH: --grid 1 --block 2 --arg o:i32[1]
// EXPECT: item 1 of 2: 1.5 1,2,3,4 text
kernel void k(global int *o) {
  printf("item %d of %u: %.1f %v4hld %s\n", (int)get_global_id(0),
         (uint)get_global_size(0), 1.5f * get_global_id(0),
         (int4)(1, 2, 3, 4), "text");
  *o = 1;
}
