; RUN: %opt -passes=heddle-lower-approximate-math %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK: %[[S:.*]] = fmul afn float %x, 0x3FF7154760000000
; CHECK-NEXT: call afn float @llvm.exp2.f32(float %[[S]])
; CHECK: call afn float @llvm.sin.f32(float %x)
; CHECK: fdiv afn float 1.0{{.*}}, %x
; CHECK: call float @llvm.exp.f32(float %x)
; CHECK: call afn double @llvm.exp.f64(double %y)
define void @k(ptr %p, float %x, double %y) {
  %a = call afn float @llvm.exp.f32(float %x)
  store volatile float %a, ptr %p
  %b = call float @llvm.nvvm.sin.approx.f(float %x)
  store volatile float %b, ptr %p
  %c = call float @llvm.nvvm.div.approx.f(float 1.0, float %x)
  store volatile float %c, ptr %p
  %d = call float @llvm.exp.f32(float %x)
  store volatile float %d, ptr %p
  %e = call afn double @llvm.exp.f64(double %y)
  store volatile double %e, ptr %p
  ret void
}
