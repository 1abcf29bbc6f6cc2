; The slice of a prepared kernel as a pass of opt: arithmetic goes, the address stays.
; RUN: %opt -passes=heddle-control-slice %s | FileCheck %s
; CHECK: define ptx_kernel void @scale
; CHECK-NOT: fmul
; CHECK: store float poison, ptr addrspace(1) %at{{.*}}, !heddle.address.only

target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @scale(ptr addrspace(1) %p) {
  %i = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = getelementptr float, ptr addrspace(1) %p, i32 %i
  %v = load float, ptr addrspace(1) %at
  %w = fmul float %v, 2.0
  store float %w, ptr addrspace(1) %at
  ret void
}
