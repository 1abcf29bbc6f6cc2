; Constants that are no expressions stay where they are, also in initial values and as operands of phis.
; RUN: %opt -passes=heddle-expand-constant-expressions %s | FileCheck %s
; CHECK: @points = global ptr addrspacecast (ptr addrspace(1) @table to ptr)
; CHECK-LABEL: @k(
; CHECK-NEXT: store ptr @function, ptr %p
; CHECK-NEXT: store <2 x i32> <i32 1, i32 2>, ptr %p
; CHECK-NEXT: store ptr addrspace(1) @table, ptr %p
; CHECK-NEXT: br i1 %c, label %left, label %out
; CHECK: phi ptr addrspace(1) [ null, %0 ], [ @table, %left ]
@table = addrspace(1) global [16 x i32] zeroinitializer
@points = global ptr addrspacecast (ptr addrspace(1) @table to ptr)
declare void @function()
define ptr addrspace(1) @k(ptr %p, i1 %c) {
  store ptr @function, ptr %p
  store <2 x i32> <i32 1, i32 2>, ptr %p
  store ptr addrspace(1) @table, ptr %p
  br i1 %c, label %left, label %out
left:
  br label %out
out:
  %v = phi ptr addrspace(1) [ null, %0 ], [ @table, %left ]
  ret ptr addrspace(1) %v
}
