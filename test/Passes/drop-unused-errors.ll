; Nothing goes that a kernel reaches, through aliases, initial values or tables of functions. A module without a kernel loses what is its own.
; RUN: split-file %s %t
; RUN: %opt -passes=heddle-drop-unused %t/reached.ll | FileCheck %s --check-prefix=REACHED
; REACHED: @first = addrspace(1) global i32 1
; REACHED: @points = addrspace(1) global ptr addrspace(1) @first
; REACHED: @functions = addrspace(1) global [1 x ptr] [ptr @called]
; REACHED: define {{.*}}void @called()
; REACHED: define ptx_kernel void @k(
; RUN: %opt -passes=heddle-drop-unused %t/empty.ll | FileCheck %s --check-prefix=EMPTY
; EMPTY-NOT: @own
; EMPTY-NOT: @helper

;--- reached.ll
@first = addrspace(1) global i32 1
@points = addrspace(1) global ptr addrspace(1) @first
@functions = addrspace(1) global [1 x ptr] [ptr @called]
define void @called() {
  ret void
}
define ptx_kernel void @k(ptr %p) {
  %a = load ptr addrspace(1), ptr addrspace(1) @points
  %f = load ptr, ptr addrspace(1) @functions
  call void %f()
  ret void
}
;--- empty.ll
@own = internal global i32 0
define internal void @helper() {
  ret void
}
