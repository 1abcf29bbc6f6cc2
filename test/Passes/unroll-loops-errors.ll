; Loops stay that the source wants as they are, that no one can count, and that are no natural loops.
; RUN: %opt -passes='function(heddle-unroll-loops)' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i1 @more(i32)
; CHECK-LABEL: @disabled(
; CHECK-COUNT-1: call i1 @more(
; CHECK-NOT: call i1 @more(
; CHECK-LABEL: @uncounted(
; CHECK-COUNT-1: call i1 @more(
; CHECK-NOT: call i1 @more(
; CHECK-LABEL: @irreducible(
; CHECK-COUNT-2: call i1 @more(
; CHECK-NOT: call i1 @more(
; CHECK-LABEL: @endless(
define ptx_kernel void @disabled() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %u = call i1 @more(i32 %i)
  %next = add nsw i32 %i, 1
  %c = icmp slt i32 %next, 4
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
define ptx_kernel void @uncounted() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %c = call i1 @more(i32 %i)
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
define ptx_kernel void @irreducible(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = call i1 @more(i32 1)
  br i1 %x, label %b, label %exit
b:
  %y = call i1 @more(i32 2)
  br i1 %y, label %a, label %exit
exit:
  ret void
}
define ptx_kernel void @endless() {
  br label %loop
loop:
  br label %loop
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
