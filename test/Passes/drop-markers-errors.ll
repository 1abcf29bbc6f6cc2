; What only looks like a marker stays: own functions, and intrinsics that do something.
; RUN: %opt -passes=heddle-drop-markers %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: %v = alloca i32
; CHECK-NEXT: call void @lifetime(ptr %v)
; CHECK-NEXT: call void @heddle.early(i32 0)
; CHECK-NEXT: call i1 @llvm.is.constant.i32(i32 %n)
; CHECK-NEXT: call i32 @heddle.expect(i32 %n)
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: ret void
declare void @lifetime(ptr)
declare void @heddle.early(i32)
declare i32 @heddle.expect(i32)
define void @k(i32 %n) {
  %v = alloca i32
  call void @lifetime(ptr %v)
  call void @heddle.early(i32 0)
  %c = call i1 @llvm.is.constant.i32(i32 %n)
  %e = call i32 @heddle.expect(i32 %n)
  call void @llvm.trap()
  ret void
}
