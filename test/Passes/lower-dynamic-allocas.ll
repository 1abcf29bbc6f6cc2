; RUN: %opt -passes=heddle-lower-dynamic-allocas %s 2>&1 | FileCheck %s
; CHECK-LABEL: @k(
; CHECK: %[[STACK:.*]] = alloca [1024 x i8], align 16
; CHECK-NOT: alloca i32, i32 %n
; CHECK: call void @heddle.refused.stack()
; CHECK: getelementptr i8, ptr %[[STACK]]
; More than 16 bytes of alignment hold as well.
; CHECK-LABEL: @aligned(
; CHECK: alloca [1024 x i8], align 64
; CHECK: add i64 %{{.*}}, 63
; CHECK-NEXT: and i64 %{{.*}}, -64
; CHECK-LABEL: @fixed(
; CHECK-NEXT: alloca [4 x i32]
; CHECK: "heddle-refused"="takes more than 1024 bytes of a thread's stack with alloca()"
declare void @use(ptr)
define void @k(i32 %n) {
  %s = call ptr @llvm.stacksave.p0()
  %p = alloca i32, i32 %n
  call void @use(ptr %p)
  call void @llvm.stackrestore.p0(ptr %s)
  ret void
}
define void @aligned(i32 %n) {
  %p = alloca i32, i32 %n, align 64
  call void @use(ptr %p)
  ret void
}
define void @fixed() {
  %p = alloca [4 x i32]
  call void @use(ptr %p)
  ret void
}
