; What every value hangs on.
; RUN: opt -load-pass-plugin=%plugin -passes='print<heddle-thread-dependence>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: Thread dependence of classes:
; CHECK-DAG: affine: %tid = threadIdx.x
; CHECK-DAG: by block: %cta = blockIdx.x
; CHECK-DAG: uniform: %uniform = n < m
; CHECK-DAG: by block: %block = blockIdx.x == n
; CHECK-DAG: by thread: %even = threadIdx.x & 1
; CHECK-DAG: affine: %at = p + 4 * threadIdx.x
; CHECK-DAG: data by thread: %v
; CHECK-DAG: by thread: %low = threadIdx.x < 20
; CHECK-DAG: data by thread: %both
; CHECK-DAG: data by thread, by iteration: %i = L0

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

define ptx_kernel void @classes(ptr addrspace(1) %p, i32 %n, i32 %m) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %cta = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %uniform = icmp slt i32 %n, %m
  br i1 %uniform, label %a, label %end
a:
  %block = icmp eq i32 %cta, %n
  br i1 %block, label %b, label %end
b:
  %even = and i32 %tid, 1
  %thread = icmp eq i32 %even, 0
  br i1 %thread, label %c, label %d
c:
  br label %d
d:
  %at = getelementptr i32, ptr addrspace(1) %p, i32 %tid
  %v = load i32, ptr addrspace(1) %at
  %low = icmp ult i32 %tid, 20
  %big = icmp sgt i32 %v, 7
  %both = select i1 %low, i1 %big, i1 false
  br i1 %both, label %loop, label %end
loop:
  %i = phi i32 [ 0, %d ], [ %next, %loop ]
  %next = add nuw i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
