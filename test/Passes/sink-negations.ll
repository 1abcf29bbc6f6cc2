; RUN: %opt -passes=heddle-sink-negations %s | FileCheck %s

; CHECK-LABEL: @scaled(
; CHECK-NEXT: %[[#P:]] = fmul contract float %x, %y
; CHECK-NEXT: %e = fmul float %[[#P]], -2.000000e+00
; CHECK-NEXT: ret
define float @scaled(float %x, float %y) {
  %n = fneg float %x
  %p = fmul contract float %y, %n
  %e = fmul float %p, 2.0
  ret float %e
}

; CHECK-LABEL: @sum(
; CHECK-NEXT: %[[#P:]] = fmul contract float %x, %y
; CHECK-NEXT: %s = fsub contract float %z, %[[#P]]
; CHECK-NEXT: ret
define float @sum(float %x, float %y, float %z) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %s = fadd contract float %p, %z
  ret float %s
}

; CHECK-LABEL: @difference(
; CHECK-NEXT: %[[#P:]] = fmul contract float %x, %y
; CHECK-NEXT: %d = fadd contract float %z, %[[#P]]
; CHECK-NEXT: ret
define float @difference(float %x, float %y, float %z) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %d = fsub contract float %z, %p
  ret float %d
}

; Users with another number of operands keep the negation.
; CHECK-LABEL: @rounded(
; CHECK: %h = fptrunc float %p to half
define half @rounded(float %x, float %y) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %h = fptrunc float %p to half
  ret half %h
}

; CHECK-LABEL: @absolute(
; CHECK: %a = call float @llvm.fabs.f32(float %p)
define float @absolute(float %x, float %y) {
  %n = fneg float %x
  %p = fmul contract float %n, %y
  %a = call float @llvm.fabs.f32(float %p)
  ret float %a
}
