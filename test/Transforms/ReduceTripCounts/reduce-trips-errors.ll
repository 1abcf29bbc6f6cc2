; Reductions that say nothing, and loops that cannot be cut.
; RUN: not opt -load-pass-plugin=%plugin -passes='heddle-reduce-trips<factor=0>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=ZERO
; RUN: not opt -load-pass-plugin=%plugin -passes='heddle-reduce-trips<by=2>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=NAME
; RUN: not opt -load-pass-plugin=%plugin -passes='heddle-reduce-trips<most=-1>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=MOST
; RUN: opt -load-pass-plugin=%plugin -passes='heddle-reduce-trips<factor=4;most=2>' -S %s | FileCheck %s
; ZERO: heddle-reduce-trips: 'factor=0' is not a reduction of trip counts; write factor=N or most=N with N at least 1
; NAME: heddle-reduce-trips: 'by=2' is not a reduction
; MOST: heddle-reduce-trips: 'most=-1' is not a reduction
target triple = "nvptx64-nvidia-cuda"

; Endless: there is no way out that could be taken sooner.
; CHECK-LABEL: @endless(
; CHECK-NOT: trip
define void @endless(ptr %p) {
entry:
  br label %body
body:
  store volatile i32 0, ptr %p
  br label %body
}

; The one exit is not reached in each trip.
; CHECK-LABEL: @seldom(
; CHECK-NOT: trip
define void @seldom(ptr %p) {
entry:
  br label %body
body:
  %v = load volatile i32, ptr %p
  %odd = trunc i32 %v to i1
  br i1 %odd, label %test, label %latch
test:
  %w = load volatile i32, ptr %p
  %stop = icmp eq i32 %w, 0
  br i1 %stop, label %done, label %latch
latch:
  br label %body
done:
  ret void
}

; Two entries: no loop that has a header.
; CHECK-LABEL: @irreducible(
; CHECK-NOT: trip
define void @irreducible(i1 %c, ptr %p) {
entry:
  br i1 %c, label %a, label %b
a:
  %v = load volatile i32, ptr %p
  %x = icmp eq i32 %v, 0
  br i1 %x, label %b, label %done
b:
  br label %a
done:
  ret void
}
