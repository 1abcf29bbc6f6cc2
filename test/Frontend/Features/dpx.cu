// RUN: %frontends --test %s
// FEATURE: DPX functions: minima and maxima of sums and of three values
// TOOLKIT: its functions are inline assembly of SIMD video instructions
// LAUNCH: --grid 1 --block 1 --arg o:i32[10] --arg i32=-5 --dump o
// EXPECT: o (i32[10]): 3 0 -5 0 131069 -131069 7 1 196610 2
__global__ void k(int *o, int x) {
  bool a, b;
  o[0] = __viaddmax_s32(x, 4, 3);
  o[1] = __viaddmax_s32_relu(x, 1, -7);
  o[2] = __vimin3_s32(x, 4, 3);
  o[3] = __vimax_s32_relu(x, -1);
  o[4] = __viaddmin_u16x2(0x00010000u, 0x0000fffdu, 0x0009ffffu); // 1, 65533
  o[5] = __viaddmax_s16x2(0xfffe0001u, 0x00000002u, 0xfff00000u); // -2, 3
  o[6] = __vibmax_s32(7, x, &a);
  o[7] = a;
  o[8] = __vibmin_u16x2(0x00030005u, 0x00040002u, &a, &b); // 3, 2
  o[9] = a * 2 + b;
}
