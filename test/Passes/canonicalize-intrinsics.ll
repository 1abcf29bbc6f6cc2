; RUN: %opt -passes=heddle-canonicalize-intrinsics %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK: call float @heddle.math.fmod.f32(float %x, float 3.0
; CHECK: call float @heddle.math.ldexp.f32(float %x, i32 %n)
; CHECK: fmul float %x, %x
; CHECK: call float @llvm.minnum.f32(float %x, float 2.0
; CHECK: call float @llvm.rint.f32(float %x)
; CHECK-NEXT: fptosi float
; CHECK: fadd float %x, 1.0
; CHECK: extractelement <4 x i32> %v, i64 3
; CHECK: icmp sgt i32 %n, 4
; CHECK-NOT: llvm.scmp
; CHECK-NOT: llvm.cttz
; CHECK: [[R:%.*]] = call i32 @llvm.bitreverse.i32(i32 %n)
; CHECK-NEXT: call i32 @llvm.ctlz.i32(i32 [[R]], i1 false)
; CHECK: ret void
; CHECK-LABEL: @class(
; CHECK-NOT: fpclass
; CHECK: ret i1
; CHECK-LABEL: @bytes(
; CHECK-NEXT: [[W:%.*]] = fptoui float %x to i16
; CHECK-NEXT: trunc i16 [[W]] to i8
; CHECK-LABEL: @carry(
; CHECK-NEXT: [[S:%.*]] = add i32 %n, 1
; CHECK-NEXT: [[C:%.*]] = icmp ugt i32 %n, -2
; CHECK-NEXT: [[D:%.*]] = icmp ult i32 %n, %m
; CHECK-NEXT: [[O:%.*]] = or i1 [[C]], [[D]]
; CHECK-NEXT: select i1 [[O]], i32 [[S]], i32 0
define void @k(ptr %p, float %x, i32 %n, <4 x i32> %v) {
  %a = frem float %x, 3.0
  store volatile float %a, ptr %p
  %b = call float @llvm.ldexp.f32.i32(float %x, i32 %n)
  store volatile float %b, ptr %p
  %c = call float @llvm.powi.f32.i32(float %x, i32 2)
  store volatile float %c, ptr %p
  %d = call float @llvm.minimumnum.f32(float %x, float 2.0)
  store volatile float %d, ptr %p
  %e = call i32 @llvm.lrint.i32.f32(float %x)
  store volatile i32 %e, ptr %p
  %f = call contract float @llvm.nvvm.add.rn.f(float %x, float 1.0)
  store volatile float %f, ptr %p
  %g = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  store volatile i32 %g, ptr %p
  %h = call i32 @llvm.scmp.i32.i32(i32 %n, i32 4)
  store volatile i32 %h, ptr %p
  %tz = call i32 @llvm.cttz.i32(i32 %n, i1 false)
  store volatile i32 %tz, ptr %p
  ret void
}
define i1 @class(float %x) {
  %c = call i1 @llvm.is.fpclass.f32(float %x, i32 3)
  ret i1 %c
}
define i8 @bytes(float %x) {
  %i = fptoui float %x to i8
  ret i8 %i
}
define i32 @carry(i32 %n, i32 %m) {
  %a = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %n, i32 1)
  %s = extractvalue { i32, i1 } %a, 0
  %c = extractvalue { i32, i1 } %a, 1
  %b = call { i32, i1 } @llvm.usub.with.overflow.i32(i32 %n, i32 %m)
  %d = extractvalue { i32, i1 } %b, 1
  %o = or i1 %c, %d
  %r = select i1 %o, i32 %s, i32 0
  ret i32 %r
}
