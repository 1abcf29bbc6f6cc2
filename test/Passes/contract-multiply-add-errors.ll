; The leave to fuse is spent here. No product is fused that may not be, that another block computes, or that is no floating-point product.
; RUN: %opt -passes=heddle-contract-multiply-add %s | FileCheck %s --implicit-check-not=llvm.fma
; CHECK-LABEL: @strict(
; CHECK-NEXT: %m = fmul float
; CHECK-NEXT: %s = fadd float %m
; CHECK-LABEL: @blocks(
; CHECK: %m = fmul float
; CHECK: next:
; CHECK-NEXT: %s = fadd float %m
; CHECK-LABEL: @integers(
; CHECK-NEXT: %m = mul i32
; CHECK-NEXT: %s = add i32 %m
define float @strict(float %x, float %y, float %z) {
  %m = fmul float %x, %y
  %s = fadd float %m, %z
  ret float %s
}
define float @blocks(float %x, float %y, float %z) {
  %m = fmul contract float %x, %y
  br label %next
next:
  %s = fadd contract float %m, %z
  ret float %s
}
define i32 @integers(i32 %x, i32 %y, i32 %z) {
  %m = mul i32 %x, %y
  %s = add i32 %m, %z
  ret i32 %s
}
