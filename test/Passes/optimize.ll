; LLVM's passes as a device compiler runs them: nothing is made vectors of that the source has as scalars.
; RUN: %opt -passes='heddle-optimize<opt-level=2>' %s | FileCheck %s
; RUN: %opt -passes='heddle-optimize<opt-level=0>' %s | FileCheck %s --check-prefix=NONE
; RUN: %opt -passes=heddle-optimize -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=PRINT --implicit-check-not=slp-vectorizer
; PRINT: nvvm-reflect
; PRINT-SAME: instcombine
; CHECK: ret i32 3
; NONE: add i32
target triple = "nvptx64-nvidia-cuda"
define i32 @k(i32 %x) {
  %y = add i32 %x, 3
  %z = sub i32 %y, %x
  ret i32 %z
}
