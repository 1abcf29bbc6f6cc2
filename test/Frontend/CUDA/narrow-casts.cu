// Casts of floating numbers to 8 and 16 bits cut what 32 bits hold, as nvcc's code does; those of halves and bfloat16 are the last number, as in its headers.
// DEFINE: %{args} = --kernel casts --grid 1 --block 1 --arg x:f32[6]=file:%t.x --arg o:i32[20]=zero -q
// RUN: %python -c "import struct; open('%t.x', 'wb').write(struct.pack('6f', 300, 70000.9, -3.5, 5e10, -5e10, float('nan')))"
// RUN: %heddle run %s %{args} --dump o=%t.bin
// RUN: od -An -v -w24 -t d4 %t.bin | FileCheck %s
// RUN: %heddle run %s %{args} --engine interpreter --dump o=%t.bin
// RUN: od -An -v -w24 -t d4 %t.bin | FileCheck %s
// RUN: %heddle kernels %s --ptx -q -o %t.ptx
// RUN: %heddle run %t.ptx %{args} --dump o=%t.bin
// RUN: od -An -v -w24 -t d4 %t.bin | FileCheck %s
//
// CHECK: 44 44 -112 4464 253 0{{$}}
// CHECK-NEXT: -3 65533 -1 0 0 0{{$}}
// CHECK-NEXT: 255 127 -32768 0 255 -128{{$}}
// CHECK-NEXT: 255 127{{$}}
//
// Constants too, and all of 32 and 64 bits.
// RUN: %heddle run %s --kernel constants --grid 1 --block 1 --arg o:i32[6]=zero --arg l:u64[2]=zero -q --dump o=%t.bin --dump l=%t.l
// RUN: od -An -v -w24 -t d4 %t.bin | FileCheck %s --check-prefix=CONSTANTS
// RUN: od -An -v -w16 -t x8 %t.l | FileCheck %s --check-prefix=LONG
// CONSTANTS: 44 -56 4464 0 -1 -2147483648{{$}}
// LONG: 0000000000000000 8000000000000000{{$}}
#include <cuda_bf16.h>
#include <cuda_fp16.h>
extern "C" __global__ void casts(const float *x, int *o) {
  const double d = x[0];
  o[0] = (unsigned char)x[0];
  o[1] = (char)d;
  o[2] = (signed char)(x[0] + 100);
  o[3] = (short)x[1];
  o[4] = (unsigned char)(int)x[2];
  o[5] = (unsigned char)x[2];
  o[6] = (short)x[2];
  o[7] = (unsigned short)(short)x[2];
  o[8] = (short)x[3];
  o[9] = (signed char)x[4];
  o[10] = (unsigned short)x[4];
  o[11] = (unsigned char)x[5];
  o[12] = __half2uchar_rz(__float2half(x[0]));
  o[13] = (signed char)__float2half(x[0]);
  o[14] = __half2short_rn(__float2half(x[4]));
  o[15] = (unsigned short)__float2half(x[5]);
  o[16] = __bfloat162uchar_rz(__float2bfloat16(x[0]));
  o[17] = (signed char)__float2bfloat16(x[4]);
  asm("cvt.rzi.u8.f32 %0, %1;" : "=r"(o[18]) : "f"(x[0]));
  asm("cvt.rzi.s8.f32 %0, %1;" : "=r"(o[19]) : "f"(x[0]));
}
extern "C" __global__ void constants(int *o, unsigned long long *l) {
  o[0] = (unsigned char)300.0f;
  o[1] = (signed char)200.0;
  o[2] = (short)70000.5f;
  o[3] = (unsigned)-3.0f;
  o[4] = (unsigned)5e10f;
  o[5] = (int)__builtin_nan("");
  l[0] = (unsigned long long)-1.0;
  l[1] = (long long)__builtin_nanf("");
}
