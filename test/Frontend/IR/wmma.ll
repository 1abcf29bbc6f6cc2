; Tensor cores' intrinsics beside those of wmma.cu: what lanes hold fits together.
; RUN: %heddle run %s --arch sm_80 --kernel doubles --grid 1 --block 32 --arg f64[32]=iota --arg f64[32]=iota --arg f64[64]=zero --arg o:f64[64] --dump o | FileCheck %s --check-prefix=DOUBLE
; DOUBLE: o (f64[64]): 14 38 62 86 110 134 158 182 38 126
; RUN: %heddle kernels %s --arch sm_80 2>&1 | FileCheck %s --check-prefix=SAID
; SAID-NOT: warning
; SAID: tensor 1
; RUN: %heddle run %s --arch sm_80 --kernel nibbles --grid 1 --block 32 --arg i32[32]=iota --arg i32[32]=iota --arg o:i32[64] --dump o | FileCheck %s --check-prefix=NIBBLE
; NIBBLE: o (i32[64]): 14 38 -34
; RUN: %heddle run %s --arch sm_80 --kernel bits --grid 1 --block 32 --arg i32[32]=iota --arg i32[32]=iota --arg o:i32[64] --dump o --engine interpreter | FileCheck %s --check-prefix=BIT
; BIT: o (i32[64]): 0 4 4 8 4 8 8 12 4 0
; RUN: %heddle run %s --arch sm_80 --kernel bytes --grid 1 --block 32 --arg i8[128]=iota --arg i8[512]=value:127 --arg o:i32[256] --dump o | FileCheck %s --check-prefix=BYTE
; BYTE: o (i32[256]): 2147483647 2147483647
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @doubles(ptr %a, ptr %b, ptr %c, ptr %o) {
  %fa = call double @llvm.nvvm.wmma.m8n8k4.load.a.row.stride.f64.p0(ptr %a, i32 4)
  %fb = call double @llvm.nvvm.wmma.m8n8k4.load.b.col.stride.f64.p0(ptr %b, i32 4)
  %fc = call { double, double } @llvm.nvvm.wmma.m8n8k4.load.c.col.stride.f64.p0(ptr %c, i32 8)
  %c0 = extractvalue { double, double } %fc, 0
  %c1 = extractvalue { double, double } %fc, 1
  %fd = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double %fa, double %fb, double %c0, double %c1)
  %d0 = extractvalue { double, double } %fd, 0
  %d1 = extractvalue { double, double } %fd, 1
  call void @llvm.nvvm.wmma.m8n8k4.store.d.row.f64.p0(ptr %o, double %d0, double %d1)
  ret void
}
define ptx_kernel void @nibbles(ptr %a, ptr %b, ptr %o) {
  %fa = call i32 @llvm.nvvm.wmma.m8n8k32.load.a.row.s4.p0(ptr %a)
  %fb = call i32 @llvm.nvvm.wmma.m8n8k32.load.b.col.s4.p0(ptr %b)
  %fd = call { i32, i32 } @llvm.nvvm.wmma.m8n8k32.mma.row.col.s4(i32 %fa, i32 %fb, i32 0, i32 0)
  %d0 = extractvalue { i32, i32 } %fd, 0
  %d1 = extractvalue { i32, i32 } %fd, 1
  call void @llvm.nvvm.wmma.m8n8k32.store.d.row.s32.p0(ptr %o, i32 %d0, i32 %d1)
  ret void
}
define ptx_kernel void @bits(ptr %a, ptr %b, ptr %o) {
  %fa = call i32 @llvm.nvvm.wmma.m8n8k128.load.a.row.b1.p0(ptr %a)
  %fb = call i32 @llvm.nvvm.wmma.m8n8k128.load.b.col.b1.p0(ptr %b)
  %fd = call { i32, i32 } @llvm.nvvm.wmma.m8n8k128.mma.xor.popc.row.col.b1(i32 %fa, i32 %fb, i32 0, i32 0)
  %d0 = extractvalue { i32, i32 } %fd, 0
  %d1 = extractvalue { i32, i32 } %fd, 1
  call void @llvm.nvvm.wmma.m8n8k128.store.d.row.s32.p0(ptr %o, i32 %d0, i32 %d1)
  ret void
}
; The first row has 0 to 15: 120 times 127 beyond the largest int.
define ptx_kernel void @bytes(ptr %a, ptr %b, ptr %o) {
  %fa = call i32 @llvm.nvvm.wmma.m8n32k16.load.a.row.stride.s8.p0(ptr %a, i32 16)
  %fb = call { i32, i32, i32, i32 } @llvm.nvvm.wmma.m8n32k16.load.b.row.stride.s8.p0(ptr %b, i32 32)
  %b0 = extractvalue { i32, i32, i32, i32 } %fb, 0
  %b1 = extractvalue { i32, i32, i32, i32 } %fb, 1
  %b2 = extractvalue { i32, i32, i32, i32 } %fb, 2
  %b3 = extractvalue { i32, i32, i32, i32 } %fb, 3
  %fd = call { i32, i32, i32, i32, i32, i32, i32, i32 } @llvm.nvvm.wmma.m8n32k16.mma.row.row.s8.satfinite(i32 %fa, i32 %b0, i32 %b1, i32 %b2, i32 %b3, i32 2147483600, i32 2147483600, i32 2147483600, i32 2147483600, i32 2147483600, i32 2147483600, i32 2147483600, i32 2147483600)
  %d0 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %fd, 0
  %d1 = extractvalue { i32, i32, i32, i32, i32, i32, i32, i32 } %fd, 1
  call void @llvm.nvvm.wmma.m8n32k16.store.d.row.stride.s32.p0(ptr %o, i32 %d0, i32 %d1, i32 0, i32 0, i32 0, i32 0, i32 0, i32 0, i32 32)
  ret void
}
