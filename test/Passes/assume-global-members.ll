; RUN: %opt -passes=heddle-assume-global-members %s | FileCheck %s
; CHECK-LABEL: ptx_kernel void @k(
; CHECK: %p = load ptr, ptr %s
; CHECK-NEXT: %[[IN:.*]] = addrspacecast ptr %p to ptr addrspace(1)
; CHECK-NEXT: %[[OUT:.*]] = addrspacecast ptr addrspace(1) %[[IN]] to ptr
; CHECK-NEXT: store i32 1, ptr %[[OUT]]
; CHECK: %other = load ptr, ptr %q
; CHECK-NEXT: store i32 2, ptr %other
define ptx_kernel void @k(ptr byval({ ptr }) %s, ptr %q) {
  %p = load ptr, ptr %s
  store i32 1, ptr %p
  %other = load ptr, ptr %q
  store i32 2, ptr %other
  ret void
}
