; What may wrap stays: a sum with what is not known, one below zero, a shift of too many bits; so does what is marked.
; RUN: %opt -passes=heddle-bound-offsets %s > %t
; RUN: %opt -passes=verify %s | diff - %t

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(3) %tile, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %sum = add i32 %t, %n
  call void @store(ptr addrspace(3) %tile, i32 %sum)
  %i = zext i32 %sum to i64
  %a = getelementptr float, ptr addrspace(3) %tile, i64 %i
  store float 0.0, ptr addrspace(3) %a
  %less = add i32 %t, -1
  %j = zext i32 %less to i64
  %b = getelementptr float, ptr addrspace(3) %tile, i64 %j
  store float 1.0, ptr addrspace(3) %b
  %far = shl i32 %t, 23
  %k = zext i32 %far to i64
  %c = getelementptr float, ptr addrspace(3) %tile, i64 %k
  store float 2.0, ptr addrspace(3) %c
  %known = add nuw i32 %t, 1
  %l = zext i32 %known to i64
  %d = getelementptr float, ptr addrspace(3) %tile, i64 %l
  store float 3.0, ptr addrspace(3) %d
  ret void
}

declare void @store(ptr addrspace(3), i32)
declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.y()
