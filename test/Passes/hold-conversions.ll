; Conversions of one half, which are assembly in the toolkit's header, stay apart until they are released; LLVM merges them.
; RUN: %opt -passes='heddle-hold-conversions,function(early-cse),heddle-lower-inline-asm,heddle-release-conversions' -S %s | FileCheck %s
; RUN: %opt -passes='heddle-lower-inline-asm,function(early-cse)' -S %s | FileCheck %s --check-prefix=WITHOUT

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @k(
; CHECK: [[A:%.*]] = fpext half %{{.*}} to float, !heddle.own.conversion
; CHECK: [[B:%.*]] = fpext half %{{.*}} to float, !heddle.own.conversion
; CHECK: fadd float [[A]], [[B]]
; WITHOUT-COUNT-1: fpext
; WITHOUT-NOT: fpext
define float @k(i16 %half) {
  %a = call float asm "{  cvt.f32.f16 $0, $1;}\0A", "=f,h"(i16 %half) #0
  %b = call float asm "{  cvt.f32.f16 $0, $1;}\0A", "=f,h"(i16 %half) #0
  %sum = fadd float %a, %b
  ret float %sum
}

attributes #0 = { convergent nounwind memory(none) }
