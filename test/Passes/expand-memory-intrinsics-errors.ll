; Functions of the program with these names stay, and so do copies of nothing, as nothing.
; RUN: %opt -passes=heddle-expand-memory-intrinsics %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: call ptr @memcpy(ptr %p, ptr %q, i64 8)
; CHECK-NEXT: call void @heddle.memcpy(ptr %p)
; CHECK-NOT: load
; CHECK-NOT: store
; CHECK-NOT: br i1
; CHECK: ret void
declare ptr @memcpy(ptr, ptr, i64)
declare void @heddle.memcpy(ptr)
define void @k(ptr %p, ptr %q) {
  %r = call ptr @memcpy(ptr %p, ptr %q, i64 8)
  call void @heddle.memcpy(ptr %p)
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 0, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 0, i1 false)
  ret void
}
