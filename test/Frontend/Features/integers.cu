// RUN: %frontends --test %s
// FEATURE: bit, SIMD and cast intrinsics
// LAUNCH: --grid 1 --block 1 --arg o:u32[7] --dump o
// EXPECT: o (u32[7]): 66051 70 31 4278255360 17 2 1065353216
__global__ void k(unsigned *o) {
  o[0] = __byte_perm(0x00010203, 0, 0x3210);
  o[1] = __dp4a(0x01020304, 0x05060708, 0);
  o[2] = __clz(1);
  o[3] = __brev(0x00ff00ff);
  o[4] = __funnelshift_l(0x80000000u, 8u, 1);
  o[5] = __ffsll(2ll);
  o[6] = __float_as_uint(1.0f);
}
