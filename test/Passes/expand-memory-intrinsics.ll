; RUN: %opt -passes=heddle-expand-memory-intrinsics %s | FileCheck %s
; CHECK-LABEL: @short(
; CHECK-COUNT-3: load i64, ptr
; CHECK: load i32, ptr
; CHECK-COUNT-3: store i64
; CHECK: store i32
; CHECK: store volatile i8
; CHECK-LABEL: @long(
; CHECK: br i1
; CHECK-NOT: llvm.mem
; CHECK: ret void
define void @short(ptr %p, ptr addrspace(1) %q) {
  call void @llvm.memmove.p0.p1.i64(ptr align 8 %p, ptr addrspace(1) align 8 %q, i64 28, i1 false)
  call void @llvm.memset.p0.i32(ptr %p, i8 7, i32 1, i1 true)
  ret void
}
define void @long(ptr %p, ptr %q, i64 %n) {
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 4096, i1 false)
  call void @llvm.memmove.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
  ret void
}
