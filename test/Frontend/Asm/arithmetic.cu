// Carries from statement to statement and from text to text; saturation, rounding
// modes and what else changes the meaning of an instruction; old and new ways for
// a warp or block to agree. Both engines.
// RUN: %heddle run %s --kernel carries --grid 1 --block 1 --arg out:u32[12]=zero --dump out -q | FileCheck %s --check-prefix=CARRY
// RUN: %heddle run %s --kernel carries --grid 1 --block 1 --arg out:u32[12]=zero --dump out -q --engine interpreter | FileCheck %s --check-prefix=CARRY
// 2^96 - 1 + 1; 0 - 1; (2^64 - 1)^2
// CARRY: out (u32[12]): 0 0 0 1 4294967295 4294967295 4294967295 4294967295 1 0 4294967294 4294967295
extern "C" __global__ void carries(unsigned *out) {
  unsigned ones = ~0u * blockDim.x, zero = threadIdx.x;
  asm volatile("add.cc.u32 %0, %1, 1;" : "=r"(out[0]) : "r"(ones));
  for (int i = 1; i < 3; ++i)
    asm volatile("addc.cc.u32 %0, %1, 0;" : "=r"(out[i]) : "r"(ones));
  asm volatile("addc.u32 %0, %1, 0;" : "=r"(out[3]) : "r"(zero));
  asm("sub.cc.u32 %0, %4, 1; subc.cc.u32 %1, %4, 0; subc.cc.u32 %2, %4, 0;"
      "subc.u32 %3, %4, 0;"
      : "=&r"(out[4]), "=&r"(out[5]), "=&r"(out[6]), "=&r"(out[7])
      : "r"(zero));
  asm("mul.lo.u32 %0, %4, %4; mul.hi.u32 %1, %4, %4;"
      "mad.lo.cc.u32 %1, %4, %4, %1; madc.hi.u32 %2, %4, %4, 0;"
      "mad.lo.cc.u32 %1, %4, %4, %1; madc.hi.cc.u32 %2, %4, %4, %2;"
      "addc.u32 %3, 0, 0;"
      "mad.lo.cc.u32 %2, %4, %4, %2; madc.hi.u32 %3, %4, %4, %3;"
      : "=&r"(out[8]), "=&r"(out[9]), "=&r"(out[10]), "=&r"(out[11])
      : "r"(ones));
}

// RUN: %heddle run %s --kernel integers --grid 1 --block 1 --arg i32=-3 --arg out:i32[13]=zero --dump out -q | FileCheck %s --check-prefix=INT
// RUN: %heddle run %s --kernel integers --grid 1 --block 1 --arg i32=-3 --arg out:i32[13]=zero --dump out -q --engine interpreter | FileCheck %s --check-prefix=INT
// INT: out (i32[13]): -2147483648 2147483647 -15 7 0 5 -1 -128 255 0 -16 1 -3
extern "C" __global__ void integers(int x, int *out) {
#define DO(N, TEXT, ...) asm(TEXT : "=r"(out[N]) : __VA_ARGS__)
  DO(0, "add.sat.s32 %0, %1, 0x80000000;", "r"(x));
  DO(1, "sub.sat.s32 %0, 0x7fffffff, %1;", "r"(x));
  DO(2, "mul24.lo.s32 %0, %1, 5;", "r"(x));
  DO(3, "mad24.lo.s32 %0, %1, %1, -2;", "r"(x));
  DO(4, "cnot.b32 %0, %1;", "r"(x));
  DO(5, "slct.s32.s32 %0, %1, 5, %1;", "r"(x));
  DO(6, "set.lt.s32.s32 %0, %1, 0;", "r"(x));
  DO(7, "cvt.sat.s8.s32 %0, %1;", "r"(x * 100));
  DO(8, "cvt.sat.u8.s32 %0, %1;", "r"(x * -100));
  DO(9, "cvt.sat.u16.s32 %0, %1;", "r"(x));
  // Halves -3 and -1 by bytes 2 and 7, less 3.
  DO(10, "dp2a.lo.s32.s32 %0, %1, 0x0702, %1;", "r"(x));
  DO(12, "shf.r.clamp.b32 %0, 5, %1, 40;", "r"(x));
  DO(11, "{ .reg .pred p; setp.eq.s32 p, %1, 4; selp.s32 %0, 0, 1, p; }", "r"(x));
}

// RUN: %heddle run %s --kernel floats --grid 1 --block 1 --arg f32=1 --arg f32=1.17549435e-8 --arg out:f32[8]=zero --dump out -q | FileCheck %s --check-prefix=FLOAT
// RUN: %heddle run %s --kernel floats --grid 1 --block 1 --arg f32=1 --arg f32=1.17549435e-8 --arg out:f32[8]=zero --dump out -q --engine interpreter | FileCheck %s --check-prefix=FLOAT
// FLOAT: out (f32[8]): 1 1.0000001 0.99999994 1 -1 nan 1 0
extern "C" __global__ void floats(float x, float tiny, float *out) {
#undef DO
#define DO(N, TEXT) asm(TEXT : "=f"(out[N]) : "f"(x), "f"(tiny))
  DO(0, "add.rz.f32 %0, %1, %2;");
  DO(1, "add.rp.f32 %0, %1, %2;");
  DO(2, "sub.rm.f32 %0, %1, %2;");
  DO(3, "add.sat.f32 %0, %1, %1;");
  DO(4, "{ .reg .f32 m; neg.f32 m, %2; copysign.f32 %0, m, %1; }");
  DO(5, "max.NaN.f32 %0, %1, 0f7fc00000;");
  DO(6, "set.gt.f32.f32 %0, %1, %2;");
  DO(7, "cvt.sat.f32.f32 %0, 0fc0000000;");
}

// RUN: %heddle run %s --kernel together --arch sm_80 --grid 1 --block 64 --arg out:u32[9]=zero --dump out -q | FileCheck %s --check-prefix=ALL
// RUN: %heddle run %s --kernel together --arch sm_80 --grid 1 --block 64 --arg out:u32[9]=zero --dump out -q --engine interpreter | FileCheck %s --check-prefix=ALL
// ALL: out (u32[9]): 22 1 0 31 286331153 1006632960 2863311530 1 4294901760
// RUN: %status 1 %heddle run %s --kernel together --arch sm_70 --grid 1 --block 64 --arg out:u32[9]=zero -q 2>&1 | FileCheck %s --check-prefix=OLD
// OLD: arithmetic.cu:[[#@LINE+6]]: inline assembly 'redux.sync.max.s32 {{.*}}' cannot be executed
extern "C" __global__ void together(unsigned *out) {
  unsigned i = threadIdx.x, r[9];
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 22; bar.red.popc.u32 %0, 0, p; }" : "=r"(r[0]) : "r"(i));
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 22; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }" : "=r"(r[1]) : "r"(i));
  asm volatile("{ .reg .pred p, q; setp.lt.u32 p, %1, 22; bar.red.and.pred q, 0, p; selp.u32 %0, 1, 0, q; }" : "=r"(r[2]) : "r"(i));
  asm volatile("redux.sync.max.s32 %0, %1, 0xffffffff;" : "=r"(r[3]) : "r"(i));
  asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r[4]) : "r"(i & 3));
  asm volatile("set.le.f16x2.f16x2 %0, %1, 0x40003c00;" : "=r"(r[5]) : "r"(0x3c003d00 + 0 * i));
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.ballot.b32 %0, p; }" : "=r"(r[6]) : "r"(i & 1));
  asm volatile("shfl.down.b32 %0, %1, 1, 31;" : "=r"(r[7]) : "r"(i));
  asm volatile("set.le.u32.f16x2 %0, %1, 0x40003c00;" : "=r"(r[8]) : "r"(0x3c003d00 + 0 * i));
  if (i == 0)
    for (int k = 0; k < 9; ++k)
      out[k] = r[k];
}
