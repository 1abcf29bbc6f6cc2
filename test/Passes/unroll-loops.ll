; Loops are unrolled as nvcc unrolls them, inner ones first.
; RUN: %opt -passes='function(heddle-unroll-loops)' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; Counted in front of the loop: groups of four, and a loop for what is left.
; CHECK-LABEL: define ptx_kernel void @counted(
; CHECK-COUNT-5: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @counted(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A known number of iterations: all of them.
; CHECK-LABEL: define ptx_kernel void @known(
; CHECK-COUNT-9: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @known() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 9
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A thousand: the largest power of two that divides it and fits.
; CHECK-LABEL: define ptx_kernel void @thousand(
; CHECK-COUNT-8: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @thousand() {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 1000
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An array of the thread becomes registers: many more instructions may do.
; CHECK-LABEL: define ptx_kernel void @array(
; CHECK-COUNT-200: load float, ptr %
; CHECK-NOT: br i1
; CHECK: ret void
define ptx_kernel void @array(ptr %out) {
entry:
  %values = alloca [200 x float]
  call void @fill(ptr %values)
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %at = getelementptr float, ptr %values, i64 %i
  %value = load float, ptr %at
  %to = getelementptr float, ptr %out, i64 %i
  store float %value, ptr %to
  %next = add nsw i64 %i, 1
  %more = icmp slt i64 %next, 200
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A barrier is no obstacle, whatever the loop counts by.
; CHECK-LABEL: define ptx_kernel void @barrier(
; CHECK-COUNT-5: call void @llvm.nvvm.barrier
; CHECK: ret void
define ptx_kernel void @barrier(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Left as they are: counters that may wrap by the rules of the source, ...
; CHECK-LABEL: define ptx_kernel void @wraps(
; CHECK-COUNT-1: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @wraps(i32 %n, i32 %by) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  %next = add nsw i32 %i, %by
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; ... exits besides the one at the end, ...
; CHECK-LABEL: define ptx_kernel void @leaves(
; CHECK-COUNT-1: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @leaves(i32 %n, i32 %m) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %more ]
  %done = icmp eq i32 %i, %m
  br i1 %done, label %exit, label %more
more:
  call void @step(i32 %i)
  %next = add nsw i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}

; ... and what the source says not to unroll.
; CHECK-LABEL: define ptx_kernel void @asked(
; CHECK-COUNT-1: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @asked(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit, !llvm.loop !2
exit:
  ret void
}

declare void @step(i32) nounwind willreturn
declare void @fill(ptr) nounwind willreturn
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

!0 = distinct !{!0, !1}
!1 = !{!"heddle.counter.wraps", i32 1}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
