; RUN: %opt -passes=heddle-close-math-calls %s | FileCheck %s
; CHECK-LABEL: @names(
; CHECK: call float @llvm.sin.f32(float %x)
; CHECK: call float @llvm.cos.f32(float %x)
; CHECK: call double @heddle.math.cbrt.f64(double %y)
; CHECK: call float @heddle.math.ldexp.f32(float %x, i32 %n)
; CHECK: call float @llvm.nvvm.rsqrt.approx.f(float %x)
; CHECK: fcmp oeq float %{{.*}}, 0x7FF0000000000000
; CHECK-COUNT-2: call float @llvm.exp.f32(
; CHECK-NOT: declare float @sinf
; What has other operands than the function of that name is the program's own.
; CHECK-LABEL: @own(
; CHECK: call float @powf(float %x)
; CHECK: call float @cosf(float %x, float %x)
; CHECK: call float @tanf(float %x)
declare float @sinf(float)
declare float @__nv_cosf(float)
declare double @__nv_cbrt(double)
declare float @ldexpf(float, i32)
declare float @_Z5rsqrtf(float)
declare i32 @__nv_isinff(float)
declare <2 x float> @_Z3expDv2_f(<2 x float>)
declare float @powf(float)
declare float @cosf(float, float)
define float @tanf(float %x) {
  ret float %x
}
define void @names(ptr %p, float %x, double %y, i32 %n, <2 x float> %v) {
  %a = call float @sinf(float %x)
  store volatile float %a, ptr %p
  %b = call float @__nv_cosf(float %x)
  store volatile float %b, ptr %p
  %c = call double @__nv_cbrt(double %y)
  store volatile double %c, ptr %p
  %d = call float @ldexpf(float %x, i32 %n)
  store volatile float %d, ptr %p
  %e = call float @_Z5rsqrtf(float %x)
  store volatile float %e, ptr %p
  %f = call i32 @__nv_isinff(float %x)
  store volatile i32 %f, ptr %p
  %g = call <2 x float> @_Z3expDv2_f(<2 x float> %v)
  store volatile <2 x float> %g, ptr %p
  ret void
}
define float @own(float %x) {
  %a = call float @powf(float %x)
  %b = call float @cosf(float %x, float %x)
  %defined = call float @tanf(float %x)
  %s = fadd float %a, %b
  ret float %s
}
