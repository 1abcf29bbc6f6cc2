; RUN: %opt -passes='heddle-drop-unused<keep-variables>' %s | FileCheck %s
; CHECK: @named = addrspace(1) global i32 7
; CHECK: @constant = addrspace(4) global i32 8
; CHECK-NOT: @own
; CHECK-NOT: @shared
; CHECK-NOT: @declared
@named = addrspace(1) global i32 7
@constant = addrspace(4) global i32 8
@own = internal addrspace(1) global i32 0
@shared = addrspace(3) global i32 undef
@declared = external addrspace(1) global i32
define ptx_kernel void @k() {
  ret void
}
