; RUN: %opt -passes='heddle-lower-prints<keep>' %s 2>/dev/null | FileCheck %s
; RUN: %opt -passes=heddle-lower-prints %s 2>/dev/null | FileCheck --check-prefix=DROP %s
; CHECK-LABEL: @k(
; CHECK: %[[WORD:.*]] = sext i32 %n to i64
; CHECK-NEXT: call void @heddle.print.0(i64 %[[WORD]])
; CHECK: call void @heddle.print.1()
; CHECK-NEXT: call void @llvm.trap()
; CHECK: declare void @heddle.print.0(i64) #[[PRINT:[0-9]+]]
; CHECK: attributes #[[PRINT]] = {{.*}}"heddle-format"="n is %d\0A"
; DROP-LABEL: @k(
; DROP-NOT: printf
; DROP: call void @llvm.trap()
; DROP-NOT: heddle.print
@format = private constant [9 x i8] c"n is %d\0A\00"
@text = private constant [6 x i8] c"x > 0\00"
declare i32 @printf(ptr, ...)
declare void @__assert_fail(ptr, ptr, i32, ptr)
define ptx_kernel void @k(i32 %n) {
  %r = call i32 (ptr, ...) @printf(ptr @format, i32 %n)
  call void @__assert_fail(ptr @text, ptr @text, i32 7, ptr @text)
  ret void
}
