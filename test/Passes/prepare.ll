; What prepareModule takes out of the IR.
; RUN: %heddle kernels %s --emit-llvm | FileCheck %s
; RUN: %heddle kernels %s --emit-llvm --opt-level 1 | FileCheck %s --check-prefix=SHAPES --implicit-check-not="switch " --implicit-check-not="@llvm.mem" --implicit-check-not="fmuladd" --implicit-check-not="frem" --implicit-check-not="getelementptr ("
; SHAPES: define
target triple = "nvptx64-nvidia-cuda"

@table = addrspace(1) global [16 x i32] zeroinitializer
@unused = addrspace(1) global i32 7

; CHECK-NOT: @unused
; CHECK-NOT: define{{.*}}@helper

; CHECK-LABEL: ptx_kernel void @cases(
; CHECK-NOT: switch
; CHECK: ret void
define ptx_kernel void @cases(ptr %p, i32 %n) {
  switch i32 %n, label %other [ i32 1, label %a
                                i32 7, label %b
                                i32 100, label %a ]
a:
  store i32 5, ptr %p
  ret void
b:
  call void @helper(ptr %p)
  ret void
other:
  store i32 7, ptr %p
  ret void
}

define void @helper(ptr %p) noinline {
  store i32 9, ptr %p
  ret void
}

; A short copy is straight-line code in 8-byte pieces, a long one a loop.
; CHECK-LABEL: ptx_kernel void @copies(
; CHECK-COUNT-3: load i64, ptr addrspace(1)
; CHECK: load i32, ptr addrspace(1)
; CHECK-COUNT-3: store i64
; CHECK: store i32
; CHECK: phi
; CHECK: br i1
; CHECK: ret void
define ptx_kernel void @copies(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %p, ptr align 8 %q, i64 28, i1 false)
  call void @llvm.memset.p0.i64(ptr align 4 %q, i8 0, i64 %n, i1 false)
  ret void
}

; CHECK-LABEL: ptx_kernel void @fusion(
; CHECK: call float @llvm.fma.f32(
; CHECK: fmul float
; CHECK-NEXT: fadd float
; CHECK: fneg float
; CHECK-NEXT: call float @llvm.fma.f32(
; CHECK: call float @llvm.fma.f32(
; CHECK-NOT: contract
; CHECK: ret void
define ptx_kernel void @fusion(ptr %p, float %a, float %b, float %c) {
  %m1 = fmul contract float %a, %b
  %s1 = fadd contract float %m1, %c
  store float %s1, ptr %p
  %m2 = fmul float %a, %c
  %s2 = fadd contract float %m2, %b
  %p2 = getelementptr float, ptr %p, i64 1
  store float %s2, ptr %p2
  %m3 = fmul contract float %b, %c
  %s3 = fsub contract float %a, %m3
  %p3 = getelementptr float, ptr %p, i64 2
  store float %s3, ptr %p3
  %f4 = call float @llvm.fmuladd.f32(float %c, float %c, float %a)
  %p4 = getelementptr float, ptr %p, i64 3
  store float %f4, ptr %p4
  ret void
}

; CHECK-LABEL: ptx_kernel void @vectors(
; CHECK: load <4 x i32>
; CHECK-NOT: add <4 x i32>
; CHECK-COUNT-4: add i32
; CHECK: store <4 x i32>
; CHECK: or i1
; CHECK-NOT: i4
; CHECK: ret void
define ptx_kernel void @vectors(ptr %p, ptr %q) {
  %v = load <4 x i32>, ptr %p
  %w = load <4 x i32>, ptr %q
  %s = add <4 x i32> %v, %w
  store <4 x i32> %s, ptr %p
  %c = icmp eq <4 x i32> %v, %w
  %bits = bitcast <4 x i1> %c to i4
  %any = icmp ne i4 %bits, 0
  %z = zext i1 %any to i32
  store i32 %z, ptr %q
  ret void
}

; CHECK-LABEL: ptx_kernel void @spelling(
; CHECK: call float @heddle.math.fmod.f32(
; CHECK: call float @heddle.math.ldexp.f32(
; CHECK: call double @heddle.math.cbrt.f64(
; CHECK: call float @llvm.sin.f32(
; CHECK: call afn float @llvm.exp2.f32(
; CHECK: call float @llvm.minnum.f32(
; CHECK: icmp eq i32 %{{.*}}, 2139095040
; CHECK-NOT: fpclass
; CHECK: ret void
define ptx_kernel void @spelling(ptr %p, ptr %d, i32 %n) {
  %x = load volatile float, ptr %p
  %r = frem float %x, 3.0
  store volatile float %r, ptr %p
  %l = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  store volatile float %l, ptr %p
  %y = load volatile double, ptr %d
  %c = call double @__nv_cbrt(double %y)
  store volatile double %c, ptr %d
  %s = call float @sinf(float %x)
  store volatile float %s, ptr %p
  %e = call float @llvm.nvvm.ex2.approx.f(float %x)
  store volatile float %e, ptr %p
  %m = call float @llvm.minimumnum.f32(float %x, float 2.0)
  store volatile float %m, ptr %p
  %i = call i32 @__nv_isinff(float %x)
  store volatile i32 %i, ptr %p
  ret void
}

; CHECK-LABEL: ptx_kernel void @constants(
; CHECK: getelementptr
; CHECK-NEXT: store i32 1, ptr addrspace(1) %
; CHECK: ret void
define ptx_kernel void @constants() {
  store i32 1, ptr addrspace(1) getelementptr inbounds ([16 x i32], ptr addrspace(1) @table, i64 0, i64 3)
  ret void
}

; Atomics that the machine does not have become loops of compare-and-swap here,
; where everyone sees them.
; CHECK-LABEL: ptx_kernel void @atomics(
; CHECK: cmpxchg
; CHECK: br i1
; CHECK: ret void
define ptx_kernel void @atomics(ptr %p, float %x) {
  %old = atomicrmw fmax ptr %p, float %x monotonic
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare float @llvm.fmuladd.f32(float, float, float)
declare float @llvm.ldexp.f32.i32(float, i32)
declare double @__nv_cbrt(double)
declare float @sinf(float)
declare float @llvm.nvvm.ex2.approx.f(float)
declare float @llvm.minimumnum.f32(float, float)
declare i32 @__nv_isinff(float)
