; Trip counts are divided where a test of an induction variable tells them, and
; bounded by a counter elsewhere; bodies stay.
; RUN: opt -load-pass-plugin=%plugin -passes='heddle-reduce-trips<factor=4;most=3>' -S %s | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes='heddle-reduce-trips<factor=4>' -S %s | FileCheck %s --check-prefix=ONLY
target datalayout = "e-p:64:64-i64:64"
target triple = "nvptx64-nvidia-cuda"

; i = start; i < end; i += step: neither start nor step must be known.
; CHECK-LABEL: @strided(
; CHECK: before:
; CHECK-NEXT: [[FIRST:%.*]] = add i32 %step, %start
; CHECK-NEXT: [[WAY:%.*]] = sub i32 %end, [[FIRST]]
; CHECK-NEXT: [[PART:%.*]] = sdiv i32 [[WAY]], 4
; CHECK-NEXT: [[MOVED:%.*]] = add i32 [[FIRST]], [[PART]]
; CHECK-NEXT: [[BOUND:%.*]] = call i32 @llvm.smin.i32(i32 [[MOVED]], i32 %end)
; CHECK-NEXT: br label %body
; CHECK: body:
; CHECK-NEXT: phi i32
; CHECK-NEXT: getelementptr
; CHECK-NEXT: store
; CHECK-NEXT: %next = add i32
; CHECK-NEXT: icmp slt i32 %next, [[BOUND]]
; CHECK-NEXT: br
define void @strided(ptr addrspace(1) %p, i32 %start, i32 %end, i32 %step) {
entry:
  %some = icmp slt i32 %start, %end
  br i1 %some, label %before, label %done
before:
  br label %body
body:
  %i = phi i32 [ %start, %before ], [ %next, %body ]
  %a = getelementptr float, ptr addrspace(1) %p, i32 %i
  store float 0.0, ptr addrspace(1) %a
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %end
  br i1 %more, label %body, label %done
done:
  ret void
}

; Backwards, the bound on the left, and a test that others use too.
; CHECK-LABEL: @downwards(
; CHECK: [[ALL:%.*]] = sub i32 %n, 7
; CHECK: [[WAY:%.*]] = udiv i32 [[ALL]], 4
; CHECK: [[MOVED:%.*]] = sub i32 %n, [[WAY]]
; CHECK: [[BOUND:%.*]] = call i32 @llvm.umax.i32(i32 [[MOVED]], i32 7)
; CHECK: %less = icmp ult i32 7, %i
; CHECK: [[TEST:%.*]] = icmp ult i32 [[BOUND]], %i
; CHECK: br i1 [[TEST]], label %body, label %done
; CHECK: ret i1 %less
define i1 @downwards(i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ %n, %entry ], [ %next, %body ]
  %less = icmp ult i32 7, %i
  br i1 %less, label %body, label %done
body:
  %next = add i32 %i, -2
  br label %head
done:
  ret i1 %less
}

; != is exact: 100 trips become 25.
; CHECK-LABEL: @exact(
; CHECK: icmp ne i32 %next, 75
define void @exact() {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add nuw i32 %i, 3
  %more = icmp ne i32 %next, 300
  br i1 %more, label %body, label %done
done:
  ret void
}

; Pointers that run to an end.
; CHECK-LABEL: @pointers(
; CHECK: [[COUNT:%.*]] = lshr i64 {{%.*}}, 5
; CHECK: [[LAST:%.*]] = getelementptr i8, ptr %from
; CHECK: icmp eq ptr %next, [[LAST]]
define void @pointers(ptr %from, i64 %n) {
entry:
  %end = getelementptr i64, ptr %from, i64 %n
  br label %body
body:
  %p = phi ptr [ %from, %entry ], [ %next, %body ]
  store i64 0, ptr %p
  %next = getelementptr inbounds i64, ptr %p, i64 1
  %over = icmp eq ptr %next, %end
  br i1 %over, label %done, label %body
done:
  ret void
}

; An unrolled loop: nothing says that its step meets the end, but it did.
; CHECK-LABEL: @unrolled(
; CHECK: [[COUNT:%.*]] = lshr i32 {{%.*}}, 5
; CHECK: shl nuw nsw i32 [[COUNT]], 3
; CHECK: [[LAST:%.*]] = add i32 {{%.*}}, 8
; CHECK: icmp eq i32 %next, [[LAST]]
define void @unrolled(i32 %from, i32 %end, ptr %p) {
entry:
  br label %body
body:
  %i = phi i32 [ %from, %entry ], [ %next, %body ]
  store volatile i32 %i, ptr %p
  %next = add i32 %i, 8
  %over = icmp eq i32 %next, %end
  br i1 %over, label %done, label %body
done:
  ret void
}

; What is loaded decides: at most three trips, counted.
; CHECK-LABEL: @walk(
; CHECK: %trip = phi i32 [ %trip.next, %body ], [ 0, %entry ]
; CHECK: %trip.next = add i32 %trip, 1
; CHECK: %node.next = load ptr
; CHECK: %null = icmp eq ptr %node.next, null
; CHECK: [[MOST:%.*]] = icmp uge i32 %trip.next, 3
; CHECK: [[OUT:%.*]] = or i1 %null, [[MOST]]
; CHECK: br i1 [[OUT]], label %done, label %body
; Nothing is known of it: it stays.
; ONLY-LABEL: @walk(
; ONLY-NOT: trip
; ONLY: br i1 %null, label %done, label %body
define void @walk(ptr %first) {
entry:
  br label %body
body:
  %node = phi ptr [ %first, %entry ], [ %node.next, %body ]
  %node.next = load ptr, ptr %node
  %null = icmp eq ptr %node.next, null
  br i1 %null, label %done, label %body
done:
  ret void
}

; Two ways out: with a bound of trips that counts for both; without one, the
; test that counts is cut.
; CHECK-LABEL: @twoways(
; CHECK: %trip = phi
; ONLY-LABEL: @twoways(
; ONLY-NOT: trip
; ONLY: icmp slt i32 %next, {{%[^n]}}
define void @twoways(ptr %p, i32 %n) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = load i32, ptr %p
  %stop = icmp eq i32 %v, 0
  br i1 %stop, label %done, label %latch
latch:
  %next = add nuw nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; A nest: both loops are cut, the inner one's bound is computed in the outer.
; CHECK-LABEL: @nest(
; CHECK: outer:
; CHECK: [[INNER:%.*]] = call i32 @llvm.smin.i32(i32 {{%.*}}, i32 %i)
; CHECK: inner:
; CHECK: icmp slt i32 %j.next, [[INNER]]
; CHECK: icmp ne i32 %i.next, 16
define void @nest(ptr %p) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  store volatile i32 %j, ptr %p
  %j.next = add nuw nsw i32 %j, 1
  %j.more = icmp slt i32 %j.next, %i
  br i1 %j.more, label %inner, label %latch
latch:
  %i.next = add nuw nsw i32 %i, 1
  %i.more = icmp ne i32 %i.next, 64
  br i1 %i.more, label %outer, label %done
done:
  ret void
}
