; Pointers that no byval argument of a kernel holds stay generic; members of other types and accesses that are no plain loads stay as they are.
; RUN: %opt -passes=heddle-assume-global-members %s | FileCheck %s --implicit-check-not=addrspacecast
; CHECK-LABEL: define void @function(
; CHECK: %p = load ptr, ptr %s
; CHECK-LABEL: define ptx_kernel void @others(
; CHECK: %near = load ptr addrspace(3), ptr %s
; CHECK: %late = load atomic ptr, ptr %s monotonic
; CHECK: %old = atomicrmw xchg ptr %s, ptr null
; CHECK-LABEL: define ptx_kernel void @unused(
; CHECK-NEXT: ret void
; CHECK: declare ptx_kernel void @body_elsewhere(
define void @function(ptr byval({ ptr }) %s) {
  %p = load ptr, ptr %s
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @others(ptr %s) {
  %near = load ptr addrspace(3), ptr %s
  store i32 1, ptr addrspace(3) %near
  %late = load atomic ptr, ptr %s monotonic, align 8
  store i32 2, ptr %late
  %old = atomicrmw xchg ptr %s, ptr null monotonic
  store i32 3, ptr %old
  ret void
}
define ptx_kernel void @unused(ptr byval({ ptr, [4 x ptr] }) %s) {
  ret void
}
declare ptx_kernel void @body_elsewhere(ptr byval({ ptr }))
