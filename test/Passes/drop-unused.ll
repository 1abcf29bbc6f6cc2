; RUN: %opt -passes=heddle-drop-unused %s | FileCheck %s
; CHECK: @used = addrspace(1) global i32 0
; CHECK-NOT: @unused
; CHECK-NOT: @name
; CHECK-NOT: @helper
; CHECK: define ptx_kernel void @k
; CHECK-NOT: declare
@used = addrspace(1) global i32 0
@unused = addrspace(1) global i32 0
@name = alias i32, ptr addrspace(1) @used
declare void @unused.declared()
define void @helper() {
  ret void
}
define ptx_kernel void @k() {
  store i32 1, ptr addrspace(1) @used
  ret void
}
