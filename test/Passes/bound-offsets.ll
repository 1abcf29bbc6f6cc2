; tile[threadIdx.y + 8][threadIdx.x]: no sum wraps below 1024 threads. The range itself stays unknown.
; RUN: %opt -passes=heddle-bound-offsets -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @k(
; CHECK: %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
; CHECK: %row = add nuw i32 %t, 8
; CHECK: %words = mul nuw i32 %row, 33
; CHECK: %next = shl nuw i32 %words, 1
; CHECK: %global = add nuw i32 %t, 7
define ptx_kernel void @k(ptr addrspace(3) %tile, ptr addrspace(1) %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = add i32 %t, 8
  %words = mul i32 %row, 33
  %next = shl i32 %words, 1
  %i = zext i32 %next to i64
  %a = getelementptr float, ptr addrspace(3) %tile, i64 %i
  %v = load float, ptr addrspace(3) %a
  %global = add i32 %t, 7
  %g = zext i32 %global to i64
  %o = getelementptr float, ptr addrspace(1) %out, i64 %g
  store float %v, ptr addrspace(1) %o
  ret void
}

declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
