; A kernel whose control depends on nothing that it computes keeps its blocks and loses the rest; functions that are no kernels stay as they are.
; RUN: split-file %s %t
; RUN: %opt -passes=heddle-control-slice %t/kept.ll | FileCheck %s --check-prefix=KEPT
; KEPT-LABEL: define void @function(
; KEPT: store i32 1, ptr %p
; KEPT-LABEL: ptx_kernel void @straight(
; KEPT-NOT: fmul
; KEPT: ret void
; KEPT: declare ptx_kernel void @body_elsewhere(
; RUN: %opt -passes=heddle-control-slice %t/empty.ll | FileCheck %s --check-prefix=EMPTY
; EMPTY: @only = global i32 0

;--- kept.ll
target triple = "nvptx64-nvidia-cuda"
define void @function(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @straight(ptr addrspace(1) %p, float %x) {
  %y = fmul float %x, %x
  %z = fmul float %y, %y
  ret void
}
declare ptx_kernel void @body_elsewhere(ptr)
;--- empty.ll
@only = global i32 0
