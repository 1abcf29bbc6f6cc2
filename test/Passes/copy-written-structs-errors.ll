; Arguments that no one writes, that are no structs of the kernel's own, or whose kernel has no body get no copy.
; RUN: %opt -passes=heddle-copy-written-structs %s | FileCheck %s --implicit-check-not=alloca
; CHECK-LABEL: ptx_kernel void @pointer(
; CHECK-NEXT: store i32 1, ptr %p
; CHECK-LABEL: ptx_kernel void @unused(
; CHECK-NEXT: ret void
; CHECK-LABEL: ptx_kernel void @copied(
; CHECK-NEXT: call void @llvm.memcpy
; CHECK: declare ptx_kernel void @body_elsewhere(
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @pointer(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define ptx_kernel void @unused(ptr byval({ i32, i32 }) %s) {
  ret void
}
define ptx_kernel void @copied(ptr byval({ i32, i32 }) %s, ptr %p) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %s, i64 8, i1 false)
  ret void
}
declare ptx_kernel void @body_elsewhere(ptr byval({ i32, i32 }))
