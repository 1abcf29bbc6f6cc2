; Neighbouring loads become one; nothing is left that only instruction selection understands.
; RUN: %opt -passes='heddle-adopt-module<arch=sm_70>,heddle-run-back-end' %s | FileCheck %s
; CHECK-LABEL: ptx_kernel void @k(
; CHECK: load <4 x float>, ptr addrspace(1)
; CHECK-NOT: asm "exit;"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) align 16 %p) {
  %a = load float, ptr addrspace(1) %p, align 16
  %p1 = getelementptr float, ptr addrspace(1) %p, i64 1
  %b = load float, ptr addrspace(1) %p1, align 4
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 2
  %c = load float, ptr addrspace(1) %p2, align 8
  %p3 = getelementptr float, ptr addrspace(1) %p, i64 3
  %d = load float, ptr addrspace(1) %p3, align 4
  %s = fadd float %a, %b
  %t = fadd float %s, %c
  %u = fadd float %t, %d
  store float %u, ptr addrspace(1) %p
  ret void
}
