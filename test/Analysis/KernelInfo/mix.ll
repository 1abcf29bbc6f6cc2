; The class of every kind of instruction; those without cost are not counted.
; RUN: %heddle kernels %s --opt-level 0 --json - | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; CHECK: "barriers": 1,
; CHECK-NEXT: "blocks": 1,
; CHECK-NEXT: "instructions": 25,
; CHECK-NEXT: "mix": {
; CHECK-NEXT: "store": 9,
; CHECK-NEXT: "load": 2,
; CHECK-NEXT: "convert": 1,
; CHECK-NEXT: "special": 1,
; CHECK-NEXT: "add": 1,
; CHECK-NEXT: "logic": 1,
; CHECK-NEXT: "shift": 1,
; CHECK-NEXT: "mul": 1,
; CHECK-NEXT: "div": 1,
; CHECK-NEXT: "sqrt": 1,
; CHECK-NEXT: "sfu": 1,
; CHECK-NEXT: "math": 1,
; CHECK-NEXT: "atomic": 1,
; CHECK-NEXT: "reduction": 1,
; CHECK-NEXT: "exit": 1,
; CHECK-NEXT: "barrier": 1
define ptx_kernel void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = load volatile i32, ptr addrspace(1) %p
  %f = load volatile float, ptr addrspace(1) %q
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %add = add i32 %x, %tid
  store volatile i32 %add, ptr addrspace(1) %p
  %and = and i32 %x, 5
  store volatile i32 %and, ptr addrspace(1) %p
  %shl = shl i32 %x, 3
  store volatile i32 %shl, ptr addrspace(1) %p
  %mul = mul i32 %x, 77
  store volatile i32 %mul, ptr addrspace(1) %p
  %div = sdiv i32 %x, 7
  store volatile i32 %div, ptr addrspace(1) %p
  %conv = sitofp i32 %x to float
  store volatile float %conv, ptr addrspace(1) %q
  %sqrt = call float @llvm.sqrt.f32(float %f)
  store volatile float %sqrt, ptr addrspace(1) %q
  %rsqrt = call float @llvm.nvvm.rsqrt.approx.f(float %f)
  store volatile float %rsqrt, ptr addrspace(1) %q
  %sin = call float @llvm.sin.f32(float %f)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %new = atomicrmw xchg ptr addrspace(1) %p, i32 %old monotonic
  store volatile float %sin, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.sqrt.f32(float)
declare float @llvm.sin.f32(float)
declare float @llvm.nvvm.rsqrt.approx.f(float)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
