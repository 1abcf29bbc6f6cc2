; The ranges that hold for all kernels are known again, and those of the largest block are not.
; RUN: %opt -passes='heddle-forget-thread-ranges,function(heddle-recall-thread-ranges)' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK: %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: %u = call range(i32 0, 7) i32 @other()
define ptx_kernel void @k(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call range(i32 0, 7) i32 @other()
  %sum = add i32 %t, %u
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

declare i32 @other()
declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
