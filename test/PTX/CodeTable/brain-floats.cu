// From sm_80 on bfloat16 has instructions; before, its roundings are operations of integers.
// RUN: %heddle kernels --ptx --arch sm_80 %s | FileCheck %s
// RUN: %heddle kernels --ptx --arch sm_70 --kernel narrow %s | FileCheck %s --check-prefix=OLD
// RUN: %heddle kernels --code-table --isa machine --arch sm_80 --kernel pairs %s | FileCheck %s --check-prefix=PAIRS
#include <cuda_bf16.h>

// CHECK-LABEL: .entry narrow(
// CHECK: cvt.rn.bf16.f32
// CHECK-NOT: setp
// CHECK: ret
// OLD-NOT: bf16
// OLD: setp
extern "C" __global__ void narrow(__nv_bfloat16 *out, const float *in) {
  out[threadIdx.x] = __float2bfloat16(in[threadIdx.x]);
}

// CHECK-LABEL: .entry arithmetic(
// CHECK-COUNT-3: fma.rn.bf16
// CHECK-NOT: f32
// CHECK: ret
extern "C" __global__ void arithmetic(__nv_bfloat16 *a, const __nv_bfloat16 *b) {
  __nv_bfloat16 x = a[threadIdx.x], y = b[threadIdx.x];
  a[threadIdx.x] = __hmul(__hadd(x, y), __hfma(x, y, x));
}

// A sum that the kernel also uses in single precision is computed there.
// CHECK-LABEL: .entry both(
// CHECK: add.rn.f32
// CHECK: cvt.rn.bf16.f32
// CHECK: ret
extern "C" __global__ void both(float *out, __nv_bfloat16 *b) {
  float sum = __bfloat162float(b[threadIdx.x]) + __bfloat162float(b[threadIdx.x + 32]);
  out[threadIdx.x] = sum;
  b[threadIdx.x] = __float2bfloat16(sum);
}

// Two halves take one instruction.
// PAIRS: LDG.E
// PAIRS: HFMA2
// PAIRS-NEXT: HFMA2
// PAIRS-NOT: HFMA2
// PAIRS: F2FP.BF16
// PAIRS-NOT: F2FP.BF16
// PAIRS: EXIT
extern "C" __global__ void pairs(__nv_bfloat162 *a, const __nv_bfloat162 *b, const float *c) {
  a[threadIdx.x] = __hmul2(__hadd2(a[threadIdx.x], b[threadIdx.x]), b[threadIdx.x]);
  a[threadIdx.x + 64] = __floats2bfloat162_rn(c[threadIdx.x], c[threadIdx.x + 32]);
}
