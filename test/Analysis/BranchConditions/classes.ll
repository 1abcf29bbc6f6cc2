; A branch of each class, with its condition down to arguments, ids and loads, and the
; lanes of the first warp where ids decide.
; RUN: opt -load-pass-plugin=%plugin -passes='print<heddle-branch-conditions>' -disable-output %s 2>&1 | FileCheck %s
; CHECK: Branch conditions of classes:
; CHECK-NEXT: branch: uniform: n < m
; CHECK-NEXT: branch: by block: blockIdx.x == n
; CHECK-NEXT: branch: by thread, may diverge: (threadIdx.x & 1) == 0 (lanes of warp 0: 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30)
; CHECK-NEXT: branch: by data, may diverge: threadIdx.x < 20 && p[...] > 7; data: p[...]
; Whether a lane is in the loop at all, data decide.
; CHECK-NEXT: branch: by data, may diverge, leaves L0: L0 + 1 < n

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
