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

; The loop counts by thirty-two around an assembly that is volatile, which does not matter.
; CHECK-LABEL: define ptx_kernel void @assembly(
; CHECK-COUNT-5: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @assembly(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  call void asm sideeffect "", ""() nounwind
  %next = add nsw i32 %i, 32
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Its step is no constant and might be zero: the loop stays.
; CHECK-LABEL: define ptx_kernel void @assemblyAnyStep(
; CHECK-COUNT-1: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @assemblyAnyStep(i32 %n, i32 %by) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  call void asm sideeffect "", ""() nounwind
  %next = add nsw i32 %i, %by
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Halves are assembly to nvcc.
; CHECK-LABEL: define ptx_kernel void @halvesAnyStep(
; CHECK-COUNT-1: fadd half
; CHECK-NOT: fadd half
; CHECK: ret void
define ptx_kernel void @halvesAnyStep(ptr addrspace(1) %out, half %x, i32 %n, i32 %by) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %h = phi half [ %x, %entry ], [ %sum, %loop ]
  %sum = fadd half %h, %x
  %next = add nsw i32 %i, %by
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store half %sum, ptr addrspace(1) %out
  ret void
}

; The bound is the same for all threads of the block, although LLVM takes each call as one that differs: no lane leaves before a barrier of the others.
; CHECK-LABEL: define ptx_kernel void @ofBlock(
; CHECK-COUNT-5: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @ofBlock(i32 %n) {
entry:
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %end = add nsw i32 %n, %size
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; A bound that differs from lane to lane: the loop stays.
; CHECK-LABEL: define ptx_kernel void @ofLanes(
; CHECK-COUNT-1: call void @step(
; CHECK-NOT: call void @step(
; CHECK: ret void
define ptx_kernel void @ofLanes(i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %end = add nsw i32 %n, %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  call void @step(i32 %i)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %end
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; Functions of the device library are as long as nvcc writes them out: twelve logarithms are all written, of fourteen two together.
; CHECK-LABEL: define ptx_kernel void @twelveLogs(
; CHECK-COUNT-12: call float @llvm.log.f32(
; CHECK-NOT: call float @llvm.log.f32(
; CHECK: ret void
define ptx_kernel void @twelveLogs(ptr addrspace(1) %v, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %v, i64 %wide
  %x = load float, ptr addrspace(1) %p
  %l = call float @llvm.log.f32(float %x)
  %more = fadd float %sum, %l
  %next = add nsw i32 %i, 1
  %end = icmp eq i32 %next, 12
  br i1 %end, label %exit, label %loop
exit:
  store float %more, ptr addrspace(1) %out
  ret void
}

; CHECK-LABEL: define ptx_kernel void @fourteenLogs(
; CHECK-COUNT-2: call float @llvm.log.f32(
; CHECK-NOT: call float @llvm.log.f32(
; CHECK: ret void
define ptx_kernel void @fourteenLogs(ptr addrspace(1) %v, ptr addrspace(1) %out) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %wide = zext nneg i32 %i to i64
  %p = getelementptr float, ptr addrspace(1) %v, i64 %wide
  %x = load float, ptr addrspace(1) %p
  %l = call float @llvm.log.f32(float %x)
  %more = fadd float %sum, %l
  %next = add nsw i32 %i, 1
  %end = icmp eq i32 %next, 14
  br i1 %end, label %exit, label %loop
exit:
  store float %more, ptr addrspace(1) %out
  ret void
}

; A sine has a loop for large angles, so this is no innermost loop.
; CHECK-LABEL: define ptx_kernel void @sines(
; CHECK-COUNT-1: call float @llvm.sin.f32(
; CHECK-NOT: call float @llvm.sin.f32(
; CHECK: ret void
define ptx_kernel void @sines(ptr addrspace(1) %out, float %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = phi float [ %x, %entry ], [ %sine, %loop ]
  %sine = call float @llvm.sin.f32(float %v)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store float %sine, ptr addrspace(1) %out
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

; Arrays that are registers by then count nothing: ten sums are eleven operations,
; twenty times.
; CHECK-LABEL: define ptx_kernel void @registers(
; CHECK-COUNT-200: fadd float
; CHECK-NOT: fadd float
; CHECK: ret void
define ptx_kernel void @registers(ptr %out, float %x) {
entry:
  %sums = alloca [10 x float]
  call void @llvm.memset.p0.i64(ptr %sums, i8 0, i64 40, i1 false)
  %p0 = getelementptr [10 x float], ptr %sums, i64 0, i64 0
  %p1 = getelementptr [10 x float], ptr %sums, i64 0, i64 1
  %p2 = getelementptr [10 x float], ptr %sums, i64 0, i64 2
  %p3 = getelementptr [10 x float], ptr %sums, i64 0, i64 3
  %p4 = getelementptr [10 x float], ptr %sums, i64 0, i64 4
  %p5 = getelementptr [10 x float], ptr %sums, i64 0, i64 5
  %p6 = getelementptr [10 x float], ptr %sums, i64 0, i64 6
  %p7 = getelementptr [10 x float], ptr %sums, i64 0, i64 7
  %p8 = getelementptr [10 x float], ptr %sums, i64 0, i64 8
  %p9 = getelementptr [10 x float], ptr %sums, i64 0, i64 9
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v0 = load float, ptr %p0
  %s0 = fadd float %v0, %x
  store float %s0, ptr %p0
  %v1 = load float, ptr %p1
  %s1 = fadd float %v1, %x
  store float %s1, ptr %p1
  %v2 = load float, ptr %p2
  %s2 = fadd float %v2, %x
  store float %s2, ptr %p2
  %v3 = load float, ptr %p3
  %s3 = fadd float %v3, %x
  store float %s3, ptr %p3
  %v4 = load float, ptr %p4
  %s4 = fadd float %v4, %x
  store float %s4, ptr %p4
  %v5 = load float, ptr %p5
  %s5 = fadd float %v5, %x
  store float %s5, ptr %p5
  %v6 = load float, ptr %p6
  %s6 = fadd float %v6, %x
  store float %s6, ptr %p6
  %v7 = load float, ptr %p7
  %s7 = fadd float %v7, %x
  store float %s7, ptr %p7
  %v8 = load float, ptr %p8
  %s8 = fadd float %v8, %x
  store float %s8, ptr %p8
  %v9 = load float, ptr %p9
  %s9 = fadd float %v9, %x
  store float %s9, ptr %p9
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 20
  br i1 %more, label %loop, label %exit
exit:
  %last = load float, ptr %p9
  store float %last, ptr %out
  ret void
}

; Eight loads at distances from one address, twenty times: all of them.
; CHECK-LABEL: define ptx_kernel void @global(
; CHECK-COUNT-160: fadd float
; CHECK-NOT: fadd float
; CHECK: ret void
define ptx_kernel void @global(ptr %out, ptr addrspace(1) %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %t7, %loop ]
  %at = getelementptr [8 x float], ptr addrspace(1) %in, i32 %i
  %q0 = getelementptr float, ptr addrspace(1) %at, i64 1
  %w0 = load float, ptr addrspace(1) %q0
  %t0 = fadd float %sum, %w0
  %q1 = getelementptr float, ptr addrspace(1) %at, i64 2
  %w1 = load float, ptr addrspace(1) %q1
  %t1 = fadd float %t0, %w1
  %q2 = getelementptr float, ptr addrspace(1) %at, i64 3
  %w2 = load float, ptr addrspace(1) %q2
  %t2 = fadd float %t1, %w2
  %q3 = getelementptr float, ptr addrspace(1) %at, i64 4
  %w3 = load float, ptr addrspace(1) %q3
  %t3 = fadd float %t2, %w3
  %q4 = getelementptr float, ptr addrspace(1) %at, i64 5
  %w4 = load float, ptr addrspace(1) %q4
  %t4 = fadd float %t3, %w4
  %q5 = getelementptr float, ptr addrspace(1) %at, i64 6
  %w5 = load float, ptr addrspace(1) %q5
  %t5 = fadd float %t4, %w5
  %q6 = getelementptr float, ptr addrspace(1) %at, i64 7
  %w6 = load float, ptr addrspace(1) %q6
  %t6 = fadd float %t5, %w6
  %q7 = getelementptr float, ptr addrspace(1) %at, i64 8
  %w7 = load float, ptr addrspace(1) %q7
  %t7 = fadd float %t6, %w7
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 20
  br i1 %more, label %loop, label %exit
exit:
  store float %t7, ptr %out
  ret void
}

; In shared memory each distance is an operation of its own: groups of four.
; CHECK-LABEL: define ptx_kernel void @shared(
; CHECK-COUNT-32: fadd float
; CHECK-NOT: fadd float
; CHECK: ret void
define ptx_kernel void @shared(ptr %out, ptr addrspace(3) %in) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %t7, %loop ]
  %at = getelementptr [8 x float], ptr addrspace(3) %in, i32 %i
  %q0 = getelementptr float, ptr addrspace(3) %at, i64 1
  %w0 = load float, ptr addrspace(3) %q0
  %t0 = fadd float %sum, %w0
  %q1 = getelementptr float, ptr addrspace(3) %at, i64 2
  %w1 = load float, ptr addrspace(3) %q1
  %t1 = fadd float %t0, %w1
  %q2 = getelementptr float, ptr addrspace(3) %at, i64 3
  %w2 = load float, ptr addrspace(3) %q2
  %t2 = fadd float %t1, %w2
  %q3 = getelementptr float, ptr addrspace(3) %at, i64 4
  %w3 = load float, ptr addrspace(3) %q3
  %t3 = fadd float %t2, %w3
  %q4 = getelementptr float, ptr addrspace(3) %at, i64 5
  %w4 = load float, ptr addrspace(3) %q4
  %t4 = fadd float %t3, %w4
  %q5 = getelementptr float, ptr addrspace(3) %at, i64 6
  %w5 = load float, ptr addrspace(3) %q5
  %t5 = fadd float %t4, %w5
  %q6 = getelementptr float, ptr addrspace(3) %at, i64 7
  %w6 = load float, ptr addrspace(3) %q6
  %t6 = fadd float %t5, %w6
  %q7 = getelementptr float, ptr addrspace(3) %at, i64 8
  %w7 = load float, ptr addrspace(3) %q7
  %t7 = fadd float %t6, %w7
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, 20
  br i1 %more, label %loop, label %exit
exit:
  store float %t7, ptr %out
  ret void
}


; A shuffle of floats counts three, so of 13 with a sum there are groups of two.
; CHECK-LABEL: define ptx_kernel void @shuffles(
; CHECK-COUNT-39: call float @llvm.nvvm.shfl
; CHECK-NOT: call float @llvm.nvvm.shfl
; CHECK: ret void
define ptx_kernel void @shuffles(ptr addrspace(1) %out, i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v0 = phi float [ %x, %entry ], [ %v13, %loop ]
  %t0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v0, i32 4, i32 31)
  %v1 = fadd float %t0, %x
  %t1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v1, i32 4, i32 31)
  %v2 = fadd float %t1, %x
  %t2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v2, i32 4, i32 31)
  %v3 = fadd float %t2, %x
  %t3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v3, i32 4, i32 31)
  %v4 = fadd float %t3, %x
  %t4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v4, i32 4, i32 31)
  %v5 = fadd float %t4, %x
  %t5 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v5, i32 4, i32 31)
  %v6 = fadd float %t5, %x
  %t6 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v6, i32 4, i32 31)
  %v7 = fadd float %t6, %x
  %t7 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v7, i32 4, i32 31)
  %v8 = fadd float %t7, %x
  %t8 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v8, i32 4, i32 31)
  %v9 = fadd float %t8, %x
  %t9 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v9, i32 4, i32 31)
  %v10 = fadd float %t9, %x
  %t10 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v10, i32 4, i32 31)
  %v11 = fadd float %t10, %x
  %t11 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v11, i32 4, i32 31)
  %v12 = fadd float %t11, %x
  %t12 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v12, i32 4, i32 31)
  %v13 = fadd float %t12, %x
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store float %v13, ptr addrspace(1) %out
  ret void
}

; A quotient that may be approximate counts one: groups of four.
; CHECK-LABEL: define ptx_kernel void @quotients(
; CHECK-COUNT-100: fdiv afn
; CHECK-NOT: fdiv afn
; CHECK: ret void
define ptx_kernel void @quotients(ptr addrspace(1) %out, i32 %n, float %x) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v0 = phi float [ %x, %entry ], [ %v20, %loop ]
  %v1 = fdiv afn float %v0, %x
  %v2 = fdiv afn float %v1, %x
  %v3 = fdiv afn float %v2, %x
  %v4 = fdiv afn float %v3, %x
  %v5 = fdiv afn float %v4, %x
  %v6 = fdiv afn float %v5, %x
  %v7 = fdiv afn float %v6, %x
  %v8 = fdiv afn float %v7, %x
  %v9 = fdiv afn float %v8, %x
  %v10 = fdiv afn float %v9, %x
  %v11 = fdiv afn float %v10, %x
  %v12 = fdiv afn float %v11, %x
  %v13 = fdiv afn float %v12, %x
  %v14 = fdiv afn float %v13, %x
  %v15 = fdiv afn float %v14, %x
  %v16 = fdiv afn float %v15, %x
  %v17 = fdiv afn float %v16, %x
  %v18 = fdiv afn float %v17, %x
  %v19 = fdiv afn float %v18, %x
  %v20 = fdiv afn float %v19, %x
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  store float %v20, ptr addrspace(1) %out
  ret void
}

declare void @step(i32) nounwind willreturn
declare void @fill(ptr) nounwind willreturn
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

!0 = distinct !{!0, !1}
!1 = !{!"heddle.counter.wraps", i32 1}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.disable"}
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
