; RUN: %opt -passes=heddle-copy-written-structs %s | FileCheck %s
; CHECK-LABEL: ptx_kernel void @written(
; CHECK: %s.copy = alloca { i32, i32 }, align 8
; CHECK-NEXT: call void @llvm.memcpy.p0.p0.i64(ptr align 8 %s.copy, ptr align 8 %s, i64 8, i1 false)
; CHECK: store i32 1, ptr %s.copy
; CHECK-LABEL: ptx_kernel void @read(
; CHECK-NOT: alloca
; CHECK-LABEL: void @function(
; CHECK-NOT: alloca
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @written(ptr byval({ i32, i32 }) align 8 %s) {
  store i32 1, ptr %s
  ret void
}
define ptx_kernel void @read(ptr byval({ i32, i32 }) align 8 %s, ptr %p) {
  %v = load i32, ptr %s
  store i32 %v, ptr %p
  ret void
}
define void @function(ptr byval({ i32, i32 }) align 8 %s) {
  store i32 1, ptr %s
  ret void
}
