; Other assembly stays: volatile, with more in it, from other types. Nothing is held that another pass would not lower.
; RUN: %opt -passes=heddle-hold-conversions %s > %t
; RUN: %opt -passes=verify %s | diff - %t

target triple = "nvptx64-nvidia-cuda"

define float @k(i16 %half, i32 %word) {
  %a = call float asm sideeffect "cvt.f32.f16 $0, $1;", "=f,h"(i16 %half)
  %b = call float asm "{ .reg .f16 h; mov.b16 h, $1; cvt.f32.f16 $0, h; }", "=f,h"(i16 %half)
  %c = call float asm "cvt.rn.f32.s32 $0, $1;", "=f,r"(i32 %word)
  %d = fadd float %a, %b
  %e = fadd float %c, %d
  ret float %e
}
