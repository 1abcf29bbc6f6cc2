; RUN: %opt -passes=heddle-contract-multiply-add %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %x, float %y, float %z)
; CHECK-NEXT: %[[N:.*]] = fneg float %s
; CHECK-NEXT: %t = call float @llvm.fma.f32(float %x, float %y, float %[[N]])
; CHECK-NEXT: %f = call float @llvm.fma.f32(float %t, float %x, float %y)
; CHECK-NEXT: fmul float %f, %f
; CHECK-NEXT: fadd float
; CHECK-NEXT: ret
define float @k(float %x, float %y, float %z) {
  %m = fmul contract float %x, %y
  %s = fadd contract float %m, %z
  %n = fmul contract float %x, %y
  %t = fsub contract float %n, %s
  %f = call float @llvm.fmuladd.f32(float %t, float %x, float %y)
  %a = fmul float %f, %f
  %b = fadd contract float %a, %z
  ret float %b
}
