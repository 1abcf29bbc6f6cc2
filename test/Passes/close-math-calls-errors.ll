; A program's own functions, variables and pointers under the names of the library keep them, and so does what the library has in other types.
; RUN: %opt -passes=heddle-close-math-calls %s | FileCheck %s
; CHECK: @sinf = global i32 0
; CHECK-LABEL: @k(
; CHECK: call i64 @sin(i64 %n)
; CHECK: call <3 x float> @_Z3expDv3_i(<3 x i32>
; CHECK: call float %f(float %x)
; CHECK: call float @cosf.own(float %x)
; CHECK: call float (float, ...) @expf(float %x, i64 %n)
@sinf = global i32 0
declare i64 @sin(i64)
declare <3 x float> @_Z3expDv3_i(<3 x i32>)
declare float @cosf.own(float)
declare float @expf(float, ...)
define void @k(ptr %p, ptr %f, float %x, i64 %n) {
  %a = call i64 @sin(i64 %n)
  store volatile i64 %a, ptr %p
  %b = call <3 x float> @_Z3expDv3_i(<3 x i32> zeroinitializer)
  store volatile <3 x float> %b, ptr %p
  %c = call float %f(float %x)
  store volatile float %c, ptr %p
  %d = call float @cosf.own(float %x)
  store volatile float %d, ptr %p
  %e = call float (float, ...) @expf(float %x, i64 %n)
  store volatile float %e, ptr %p
  ret void
}
