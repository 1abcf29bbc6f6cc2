; RUN: %opt -passes=heddle-contract-multiply-add %s | FileCheck %s --check-prefixes=CHECK,CLANG
; RUN: %opt '-passes=heddle-contract-multiply-add<as-nvcc>' %s | FileCheck %s --check-prefixes=CHECK,BOTH
; RUN: %opt '-passes=heddle-contract-multiply-add<as-ptxas>' %s | FileCheck %s --check-prefixes=CHECK,BOTH
; RUN: %opt '-passes=heddle-contract-multiply-add<as-nvcc>' %s | FileCheck %s --check-prefix=NVCC

; CHECK-LABEL: @k(
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %x, float %y, float %z)
; CHECK-NEXT: %[[#N:]] = fneg float %s
; CHECK-NEXT: %t = call float @llvm.fma.f32(float %x, float %y, float %[[#N]])
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

; The product is needed beside the sum: ptxas leaves the sum alone.
; CHECK-LABEL: @kept(
; CHECK-NEXT: %m = fmul float %x, %y
; CLANG-NEXT: %s = call float @llvm.fma.f32(float %x, float %y, float %z)
; BOTH-NEXT: %s = fadd float %m, %z
define void @kept(float %x, float %y, float %z, ptr %p, ptr %q) {
  %m = fmul contract float %x, %y
  %s = fadd contract float %m, %z
  store float %s, ptr %p
  store float %m, ptr %q
  ret void
}

; A sum and a difference: nvcc leaves them to ptxas.
; CHECK-LABEL: @difference(
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %x, float %y, float %z)
; CHECK-NEXT: %[[#N:]] = fneg float %z
; CHECK-NEXT: %d = call float @llvm.fma.f32(float %x, float %y, float %[[#N]])
; CHECK-NEXT: store
define void @difference(float %x, float %y, float %z, ptr %p, ptr %q) {
  %m = fmul contract float %x, %y
  %s = fadd contract float %m, %z
  %d = fsub contract float %m, %z
  store float %s, ptr %p
  store float %d, ptr %q
  ret void
}

; Twice in one sum. nvcc fuses one of the two, and then the other is left; so
; does ptxas.
; CHECK-LABEL: @twice(
; CHECK-NEXT: %m = fmul float %x, %y
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %x, float %y, float %m)
define float @twice(float %x, float %y) {
  %m = fmul contract float %x, %y
  %s = fadd contract float %m, %m
  ret float %s
}

; The first product has another use, the second goes.
; CHECK-LABEL: @second(
; CHECK-NEXT: %a = fmul float %x, %y
; CHECK-NEXT: %s = call float @llvm.fma.f32(float %z, float %w, float %a)
define void @second(float %x, float %y, float %z, float %w, ptr %p, ptr %q) {
  %a = fmul contract float %x, %y
  %b = fmul contract float %z, %w
  %s = fadd contract float %a, %b
  store float %s, ptr %p
  store float %a, ptr %q
  ret void
}

; nvcc's back end gets here first and takes the sum of sums; a difference of
; what another difference needs stays for ptxas, which begins with the first.
; CHECK-LABEL: @order(
; CHECK-NEXT: %b = fmul float %z, %w
; CHECK-NEXT: %[[#N:]] = fneg float %b
; CHECK-NEXT: %d = call float @llvm.fma.f32(float %x, float %y, float %[[#N]])
; CHECK-NEXT: fneg float %w
; CHECK-NEXT: %e = call float @llvm.fma.f32(float %x, float %y,
; BOTH-NEXT: %f = fsub float %x, %b
; CLANG: %f = call float @llvm.fma.f32(
define void @order(float %x, float %y, float %z, float %w, ptr %p) {
  %a = fmul contract float %x, %y
  %b = fmul contract float %z, %w
  %d = fsub contract float %a, %b
  %e = fsub contract float %a, %w
  %f = fsub contract float %x, %b
  %g = fdiv float %d, %e
  %h = fdiv float %g, %f
  store float %h, ptr %p
  ret void
}

; Five sums with one product are too many for nvcc's back end, not for ptxas.
; CHECK-LABEL: @many(
; CHECK-COUNT-5: call float @llvm.fma.f32(float %x, float %y,
define float @many(float %x, float %y, float %z) {
  %m = fmul contract float %x, %y
  %a = fadd contract float %m, %z
  %b = fadd contract float %m, %a
  %c = fadd contract float %m, %b
  %d = fadd contract float %m, %c
  %e = fadd contract float %m, %d
  ret float %e
}

; Through a register of a lifted kernel, and negated.
; CHECK-LABEL: @lifted(
; CHECK: %[[#N:]] = fneg float %x
; CHECK: %s = call float @llvm.fma.f32(float %[[#N]], float %y, float %z)
define float @lifted(float %x, float %y, float %z) {
  %m = fmul contract float %x, %y
  %r = bitcast float %m to i32
  %f = bitcast i32 %r to float
  %n = fneg float %f
  %s = fadd contract float %n, %z
  ret float %s
}

; Another block may not come to the sum.
; CHECK-LABEL: @blocks(
; CHECK: fmul float %x, %y
; CHECK: fadd float %m, %z
define float @blocks(float %x, float %y, float %z, i1 %c) {
  %m = fmul contract float %x, %y
  br i1 %c, label %then, label %end
then:
  %s = fadd contract float %m, %z
  br label %end
end:
  %r = phi float [ %s, %then ], [ %z, %0 ]
  ret float %r
}

; A difference with twice a value is none of a product to nvcc, one with three times is; nor is what LLVM made of it. In a sum twice is a product.
; NVCC-LABEL: @twiceAValue(
; NVCC: %d = fsub float %x, %
; NVCC: %e = fadd float %{{.*}}, %x
; NVCC: call float @llvm.fma.f32(float %y, float -3.000000e+00, float %x)
; NVCC: call float @llvm.fma.f32(float %y, float 2.000000e+00, float %x)
define void @twiceAValue(float %x, float %y, ptr %p) {
  %a = fmul contract float %y, 2.0
  %d = fsub contract float %x, %a
  store volatile float %d, ptr %p
  %b = fmul contract float %y, -2.0
  %e = fadd contract float %b, %x
  store volatile float %e, ptr %p
  %c = fmul contract float %y, -3.0
  %f = fadd contract float %c, %x
  store volatile float %f, ptr %p
  %g = fmul contract float %y, 2.0
  %h = fadd contract float %g, %x
  store volatile float %h, ptr %p
  ret void
}
