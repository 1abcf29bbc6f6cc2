// RUN: %frontends --test %s
// FEATURE: vloadn and vstoren on half in every address space
// LAUNCH: --grid 1 --block 1 --arg f16[16]=iota --arg o:f16[32]=zero --dump o
// EXPECT: o (f16[32]): 5 7 6 9 3 4 5 0 0 1 2 3 4 5 6 7 ...
__constant half table[3] = {2.0h, 3.0h, 1.0h};
__kernel void k(__global const half *a, __global half *o) {
  __local half shared[4];
  half mine[4];
  vstore2(vload2(1, a), 1, shared);           // 2 3
  vstore3(vload3(0, table), 0, mine);         // 2 3 1
  o[0] = shared[2] + mine[1];                 // 2 + 3
  o[1] = shared[3] + vload2(0, mine).x * 2;   // 3 + 4
  o[2] = vload3(1, a).z + mine[2];            // 5 + 1
  o[3] = vload4(1, a).s1 + vload4(1, a).s0;   // 5 + 4
  half *any = mine;                           // generic
  if (a[0] != 0)
    any = shared;
  vstore3(vload3(0, any) + vload3(0, table) - (half3)(1, 2, -3), 0, o + 4);
  vstore8(vload8(0, a), 1, o);
  vstore16(vload16(0, a), 1, o);
}
