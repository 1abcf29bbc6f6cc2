; Loops without a counter, or that end otherwise, are not marked, and marks of others stay.
; RUN: %opt -passes='function(heddle-mark-wrapping-counters)' -S %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i1 @more()
; CHECK-LABEL: @calls(
; CHECK: br i1 %c, label %loop, label %exit{{$}}
define ptx_kernel void @calls() {
  br label %loop
loop:
  %c = call i1 @more()
  br i1 %c, label %loop, label %exit
exit:
  ret void
}
; CHECK-LABEL: @pointers(
; CHECK: br i1 %c, label %loop, label %exit, !llvm.loop ![[OWN:[0-9]+]]
define ptx_kernel void @pointers(ptr %p, ptr %end) {
entry:
  br label %loop
loop:
  %q = phi ptr [ %p, %entry ], [ %next, %loop ]
  store i32 0, ptr %q
  %next = getelementptr i32, ptr %q, i64 1
  %c = icmp ne ptr %next, %end
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
; CHECK-LABEL: @endless(
; CHECK: br label %loop{{$}}
define ptx_kernel void @endless() {
  br label %loop
loop:
  br label %loop
}
; CHECK: ![[OWN]] = distinct !{![[OWN]], ![[DISABLE:[0-9]+]]}
; CHECK: ![[DISABLE]] = !{!"llvm.loop.unroll.disable"}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
