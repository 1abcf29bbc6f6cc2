; An array stays that holds something else: part of the constant, a variable's contents, or what a call may write.
; RUN: %opt -passes=heddle-fold-constant-arrays %s | FileCheck %s
@w = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4
@v = global [4 x i32] zeroinitializer, align 4
declare void @call(ptr)

; CHECK-LABEL: @part(
; CHECK: alloca
; CHECK-NEXT: call void @llvm.memset
; CHECK: store i64
define i32 @part(i64 %i) {
  %a = alloca [4 x i32], align 4
  call void @llvm.memset.p0.i64(ptr align 4 %a, i8 0, i64 16, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @w, i64 8, i1 false)
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}
; CHECK-LABEL: @variable(
; CHECK: alloca
; CHECK: memcpy
define i32 @variable(i64 %i) {
  %a = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @v, i64 16, i1 false)
  store i32 7, ptr @v
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}
; CHECK-LABEL: @called(
; CHECK: alloca
; CHECK: call void @call(ptr nonnull %a)
define i32 @called(i64 %i) {
  %a = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @w, i64 16, i1 false)
  call void @call(ptr %a)
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %r = load i32, ptr %p
  ret i32 %r
}
