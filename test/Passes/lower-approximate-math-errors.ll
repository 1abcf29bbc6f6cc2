; Without leave to approximate a function stays as it is, and so do vectors and functions of the same name.
; RUN: %opt -passes=heddle-lower-approximate-math %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: call float @llvm.sin.f32(float %x)
; CHECK: call afn half @llvm.exp.f16(half %h)
; CHECK: call float @sin.approx(float %x)
; CHECK: fdiv float 1.0{{.*}}, %x
declare float @sin.approx(float)
define void @k(ptr %p, float %x, half %h) {
  %a = call float @llvm.sin.f32(float %x)
  store volatile float %a, ptr %p
  %b = call afn half @llvm.exp.f16(half %h)
  store volatile half %b, ptr %p
  %c = call float @sin.approx(float %x)
  store volatile float %c, ptr %p
  %d = fdiv float 1.0, %x
  store volatile float %d, ptr %p
  ret void
}
