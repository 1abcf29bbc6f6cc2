; RUN: %opt -passes=heddle-lower-dynamic-allocas %s 2>&1 | FileCheck %s
; CHECK: remark: alloca() in address space 5 stays as it is
; CHECK: alloca i32, i32 %n, align 4, addrspace(5)
declare void @use(ptr addrspace(5))
define void @k(i32 %n) {
  %p = alloca i32, i32 %n, addrspace(5)
  call void @use(ptr addrspace(5) %p)
  ret void
}
