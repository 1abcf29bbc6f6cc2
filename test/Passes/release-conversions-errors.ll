; Assembly that is not held is another pass's.
; RUN: %opt -passes=heddle-release-conversions %s > %t
; RUN: %opt -passes=verify %s | diff - %t

target triple = "nvptx64-nvidia-cuda"

define float @k(i16 %half) {
  %a = call float asm "cvt.f32.f16 $0, $1;", "=f,h"(i16 %half)
  ret float %a
}
