; Lanes that part meet in front of a barrier that both sides come to: the way around it that the optimiser
; found goes through the same block as the others.
; RUN: %opt -passes='heddle-adopt-module<arch=sm_80>,function(heddle-meet-at-barriers)' %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define ptx_kernel void @around(
; CHECK: br i1 %first, label %one, label %[[MEET:Flow[0-9]*]]
; CHECK: [[MEET]]:
; CHECK: br i1 {{.*}}, label %both, label
; CHECK: wait:
; CHECK: call void @llvm.nvvm.barrier
define ptx_kernel void @around(ptr addrspace(1) %p, i32 %n) {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %both
one:
  store volatile i32 1, ptr addrspace(1) %p
  %two = icmp eq i32 %n, 2
  br i1 %two, label %behind, label %both
both:
  %wants = icmp eq i32 %n, 1
  br i1 %wants, label %wait, label %behind
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
behind:
  store volatile i32 2, ptr addrspace(1) %p
  br label %end
end:
  store volatile i32 3, ptr addrspace(1) %p
  ret void
}
