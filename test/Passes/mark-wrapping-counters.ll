; Loops whose counter the source lets wrap are marked before anything proves
; that it does not.
; RUN: %opt -passes='function(heddle-mark-wrapping-counters)' -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @by_block(
; CHECK: br i1 %more, label %loop, label %exit, !llvm.loop ![[MARKED:[0-9]+]]
define ptx_kernel void @by_block(i32 %n) {
entry:
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  %next = add i32 %i, %by
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; An int may not wrap, and what does not decide about the end may.
; CHECK-LABEL: define ptx_kernel void @int(
; CHECK: br i1 %more, label %loop, label %exit{{$}}
define ptx_kernel void @int(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %seed = phi i32 [ 1, %entry ], [ %other, %loop ]
  call void @step(i32 %seed)
  %other = add i32 %seed, 77
  %next = add nsw i32 %i, 16
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare void @step(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

; CHECK: ![[MARKED]] = distinct !{![[MARKED]], ![[WRAPS:[0-9]+]]}
; CHECK: ![[WRAPS]] = !{!"heddle.counter.wraps", i32 1}
