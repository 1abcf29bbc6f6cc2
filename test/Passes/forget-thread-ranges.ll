; Loops are counted as by nvcc, which knows no range of threadIdx; behind them those
; that hold for all kernels are known again, and those of the largest block are not.
; RUN: %opt -passes=heddle-forget-thread-ranges -S %s | FileCheck %s --check-prefix=FORGET
; RUN: %opt -passes='heddle-forget-thread-ranges,function(heddle-unroll-loops)' -S %s | FileCheck %s --check-prefix=RECALL

target triple = "nvptx64-nvidia-cuda"

; FORGET: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; FORGET: %u = call range(i32 0, 7) i32 @other()
; FORGET: declare noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; RECALL: %t = call range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; RECALL: %u = call range(i32 0, 7) i32 @other()
define ptx_kernel void @k(ptr addrspace(1) %p) "nvvm.maxntid"="128" {
  %t = call range(i32 0, 128) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %u = call range(i32 0, 7) i32 @other()
  %sum = add i32 %t, %u
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

declare i32 @other()
declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()
