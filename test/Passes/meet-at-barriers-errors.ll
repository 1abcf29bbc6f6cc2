; A barrier of one side alone, one behind the meeting place, a uniform branch and a kernel without barriers stay as they are.
; RUN: %opt -passes='heddle-adopt-module<arch=sm_80>,function(heddle-meet-at-barriers)' %s | FileCheck %s --implicit-check-not=Flow
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define ptx_kernel void @one_side(
; CHECK: br i1 %first, label %wait, label %end
define ptx_kernel void @one_side(ptr addrspace(1) %p) {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp ult i32 %t, 32
  br i1 %first, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  store volatile i32 3, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @behind(
; CHECK: br i1 %first, label %one, label %end
define ptx_kernel void @behind(ptr addrspace(1) %p) {
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %one, label %end
one:
  store volatile i32 1, ptr addrspace(1) %p
  br label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store volatile i32 3, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define ptx_kernel void @uniform(
; CHECK: br i1 %two, label %behind, label %both
define ptx_kernel void @uniform(ptr addrspace(1) %p, i32 %n) {
  %first = icmp eq i32 %n, 0
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
