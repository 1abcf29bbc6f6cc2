; RUN: %opt -passes=heddle-fold-constant-arrays %s | FileCheck %s
;
; const int w[4] = {1, 2, 3, 4}; return w[i];

@w = private unnamed_addr constant [4 x i32] [i32 1, i32 2, i32 3, i32 4], align 4

; The array is the constant.
; CHECK-LABEL: @read(
; CHECK-NOT: alloca
; CHECK: getelementptr {{.*}} @w
; CHECK: load i32
define i32 @read(i64 %i) {
  %a = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @w, i64 16, i1 false)
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}

; One that is written is not.
; CHECK-LABEL: @written(
; CHECK: alloca
; CHECK: memcpy
define i32 @written(i64 %i, i64 %j) {
  %a = alloca [4 x i32], align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %a, ptr align 4 @w, i64 16, i1 false)
  %q = getelementptr [4 x i32], ptr %a, i64 0, i64 %j
  store i32 7, ptr %q
  %p = getelementptr [4 x i32], ptr %a, i64 0, i64 %i
  %v = load i32, ptr %p
  ret i32 %v
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
