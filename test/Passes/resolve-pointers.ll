; RUN: %opt -passes=heddle-resolve-pointers %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK: icmp eq ptr %f, @one
; CHECK: call i32 @one(i32 %n)
; CHECK: icmp eq ptr %f, @two
; CHECK: call i32 @two(i32 %n)
; CHECK: call i32 @heddle.refused.target(i32 %n)
; A function of another type is not among them, and an unknown one stays.
; CHECK-LABEL: @unknown(
; CHECK: call void %f(i64 1)
; CHECK: "heddle-refused"="calls through a pointer to none of the file's functions"
@table = global [3 x ptr] [ptr @one, ptr @two, ptr @other]
define i32 @one(i32 %x) {
  ret i32 %x
}
define i32 @two(i32 %x) {
  ret i32 2
}
define float @other(i32 %x) {
  ret float 2.0
}
define ptx_kernel void @k(ptr %p, ptr %f, i32 %n) {
  %v = call i32 %f(i32 %n)
  store i32 %v, ptr %p
  ret void
}
define ptx_kernel void @unknown(ptr %f) {
  call void %f(i64 1)
  ret void
}
