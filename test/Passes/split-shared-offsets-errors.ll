; What stays: global memory may lie beyond 2^31 bytes, an "or" of bits that overlap is no sum, and there must be a constant.
; RUN: %opt -passes=heddle-split-shared-offsets %s > %t
; RUN: %opt -passes=verify %s | diff - %t
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [256 x float] undef

define ptr addrspace(1) @global(ptr addrspace(1) %a, i32 %x) {
  %sum = add i32 %x, 8
  %wide = zext i32 %sum to i64
  %p = getelementptr float, ptr addrspace(1) %a, i64 %wide
  ret ptr addrspace(1) %p
}

define ptr addrspace(3) @overlapping(i32 %x) {
  %sum = or i32 %x, 8
  %wide = zext i32 %sum to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %wide
  ret ptr addrspace(3) %p
}

define ptr addrspace(3) @unknown(i32 %x, i32 %y) {
  %sum = add i32 %x, %y
  %wide = sext i32 %sum to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %wide
  ret ptr addrspace(3) %p
}

define ptr addrspace(3) @narrow(i16 %x) {
  %sum = add i16 %x, 8
  %wide = zext i16 %sum to i64
  %p = getelementptr float, ptr addrspace(3) @tile, i64 %wide
  ret ptr addrspace(3) %p
}
