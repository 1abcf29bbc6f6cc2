; Modules without such calls stay as they are, and so do registers without a range.
; RUN: %opt -passes=heddle-forget-thread-ranges -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: %c = call i32 @llvm.nvvm.read.ptx.sreg.clock()
define i32 @clock() {
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  ret i32 %c
}

; CHECK: define range(i32 0, 4) i32 @own()
define range(i32 0, 4) i32 @own() {
  ret i32 3
}

declare i32 @llvm.nvvm.read.ptx.sreg.clock()
