; A held conversion of a constant is its value.
; RUN: %opt -passes='heddle-hold-conversions,heddle-release-conversions' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: ret float 1.0
define float @k() {
  %a = call float asm "cvt.f32.f16 $0, $1;", "=f,h"(i16 15360)
  ret float %a
}
