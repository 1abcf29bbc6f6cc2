; Registers without a range stay as they are, the size of a warp, and functions of the user.
; RUN: %opt -passes=heddle-recall-thread-ranges %s > %t
; RUN: %opt -passes=verify %s | diff - %t

target triple = "nvptx64-nvidia-cuda"

define i32 @clock() {
  %c = call i32 @llvm.nvvm.read.ptx.sreg.clock()
  %w = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()
  %o = call i32 @own()
  %s = add i32 %c, %w
  %r = add i32 %s, %o
  ret i32 %r
}

define i32 @own() {
  ret i32 3
}

declare i32 @llvm.nvvm.read.ptx.sreg.clock()
declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()
