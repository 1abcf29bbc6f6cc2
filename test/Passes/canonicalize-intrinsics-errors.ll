; Intrinsics that have no plainer form here stay: such as are plain already, and calls of functions that only look alike.
; RUN: %opt -passes=heddle-canonicalize-intrinsics %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: call i32 @llvm.ctpop.i32(i32 %n)
; CHECK-NEXT: call i32 @fmod(i32 %a)
; CHECK-NEXT: call i32 @heddle.own(i32 %c)
; CHECK-NEXT: call void @llvm.trap()
; CHECK-NEXT: unreachable
; CHECK-LABEL: @never(
; CHECK-NEXT: ret float
; CHECK: dead:
; CHECK: br label %dead
declare i32 @fmod(i32)
declare i32 @heddle.own(i32)
define void @k(float %x, i32 %n) {
  %a = call i32 @llvm.ctpop.i32(i32 %n)
  %c = call i32 @fmod(i32 %a)
  %d = call i32 @heddle.own(i32 %c)
  call void @llvm.trap()
  unreachable
}
define float @never(float %x) {
  ret float %x
dead:
  %a = frem float %x, 3.0
  br label %dead
}
