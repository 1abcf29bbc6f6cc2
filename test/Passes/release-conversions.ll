; A held conversion of a constant is its value.
; RUN: %opt -passes='heddle-hold-conversions,heddle-release-conversions' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: ret float 1.0
define float @k() {
  %a = call float asm "cvt.f32.f16 $0, $1;", "=f,h"(i16 15360)
  ret float %a
}

; What takes a half out of a word goes with its conversion: the word may have to
; be waited for. Into a loop it does not go.
; CHECK-LABEL: define float @sinks
; CHECK: call void @wait()
; CHECK: lshr i32
; CHECK: fpext half
; CHECK-LABEL: define float @stays
; CHECK: trunc i32
; CHECK: loop:
; CHECK-NOT: trunc
; CHECK: fpext half
declare void @wait()
define float @sinks(i32 %word) {
  %shifted = lshr i32 %word, 16
  %half = trunc i32 %shifted to i16
  call void @wait()
  %a = call float asm "cvt.f32.f16 $0, $1;", "=f,h"(i16 %half)
  ret float %a
}
define float @stays(i32 %word, i1 %again) {
entry:
  %half = trunc i32 %word to i16
  br label %loop
loop:
  call void @wait()
  %a = call float asm "cvt.f32.f16 $0, $1;", "=f,h"(i16 %half)
  br i1 %again, label %loop, label %end
end:
  ret float %a
}
