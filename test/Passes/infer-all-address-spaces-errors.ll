; A pointer that may come from two spaces, from an integer or from an argument stays generic. Other targets have no such spaces.
; RUN: split-file %s %t
; RUN: %opt -passes=heddle-infer-all-address-spaces %t/mixed.ll | FileCheck %s --check-prefix=MIXED
; MIXED: %p = phi ptr
; MIXED: load i32, ptr %p
; MIXED: load i32, ptr %n
; MIXED: load i32, ptr %a
; RUN: %opt -passes=heddle-infer-all-address-spaces %t/host.ll | FileCheck %s --check-prefix=HOST
; HOST: load i32, ptr addrspacecast (ptr addrspace(3) @s to ptr)

;--- mixed.ll
target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global i32 poison
@g = internal addrspace(1) global i32 0
define i32 @k(ptr %a, i64 %i, i1 %c) {
  br i1 %c, label %left, label %out
left:
  br label %out
out:
  %p = phi ptr [ addrspacecast (ptr addrspace(3) @s to ptr), %0 ], [ addrspacecast (ptr addrspace(1) @g to ptr), %left ]
  %v = load i32, ptr %p
  %n = inttoptr i64 %i to ptr
  %w = load i32, ptr %n
  %x = load i32, ptr %a
  %y = add i32 %v, %w
  %z = add i32 %y, %x
  ret i32 %z
}
;--- host.ll
target triple = "x86_64-pc-linux-gnu"
@s = internal addrspace(3) global i32 poison
define i32 @f() {
  %v = load i32, ptr addrspacecast (ptr addrspace(3) @s to ptr)
  ret i32 %v
}
