; A loop alone, by the number of its header; options are printed as they are read.
; RUN: %opt -passes='heddle-reduce-trips<loop=2:4:0>' %s | FileCheck %s
; RUN: %opt -passes='heddle-reduce-trips<factor=2;loop=2:4:3>' -print-pipeline-passes -disable-output %s | FileCheck %s --check-prefix=PRINT
; RUN: not %opt -passes='heddle-reduce-trips<loop=2:0:3>' %s 2>&1 | FileCheck %s --check-prefix=FACTOR
; RUN: not %opt -passes='heddle-reduce-trips<loop=2:4:0;loop=2:8:0>' %s 2>&1 | FileCheck %s --check-prefix=TWICE
; CHECK: icmp slt i32 %j.next, 25
; CHECK: icmp slt i32 %i.next, 40
; PRINT: heddle-reduce-trips<factor=2;loop=2:4:3>
; FACTOR: 'loop=2:0:3' is not a reduction of trip counts; write factor=N or most=N with N at least 1, or loop=HEADER:FACTOR:MOST once for a loop
; TWICE: 'loop=2:8:0' is not a reduction of trip counts
define void @k(ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store volatile i32 %j, ptr %p
  %j.next = add nsw i32 %j, 1
  %j.more = icmp slt i32 %j.next, 100
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 1
  %i.more = icmp slt i32 %i.next, 40
  br i1 %i.more, label %outer, label %out
out:
  ret void
}
