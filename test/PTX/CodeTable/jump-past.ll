; The back end may write the copies for a block that does nothing else, @nothing, in the block
; before it and jump past it: both ways still run the same blocks of the IR.
; RUN: %heddle kernels --no-ptxas --code-table --isa ptx %s | FileCheck %s
; CHECK: block 1 compare
; CHECK: bra
; CHECK: block 4 nothing
; CHECK-NEXT: mov.b32
; CHECK-NEXT: block 5
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(i32 %n) {
entry:
  %0 = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %1 = load i32, ptr addrspace(1) null, align 4
  %tid = uitofp nneg i32 %0 to float
  %2 = load float, ptr addrspace(1) null, align 4
  %3 = call float @llvm.minnum.f32(float %2, float 0.000000e+00)
  %rest = urem i32 %n, %0
  %low = and i32 %rest, 3
  %is0 = icmp eq i32 %low, 0
  br i1 %is0, label %away, label %compare

compare:
  %zero = fmul float %3, 0.000000e+00
  %sum = add i32 0, %n
  %byte = and i32 %sum, 255
  %limit = add i32 0, %byte
  %below = icmp ult i32 0, %limit
  br i1 %below, label %second, label %nothing

second:
  %twice = shl nuw nsw i32 %0, 0
  %by = and i32 %twice, 14
  %shifted = shl i32 %1, %by
  %third = urem i32 %shifted, 3
  %divides = icmp eq i32 %third, 0
  br i1 %divides, label %nothing, label %loop

nothing:
  br label %loop

away:
  ret void

loop:
  %f = phi float [ %tid, %second ], [ %zero, %nothing ], [ 0.000000e+00, %next ]
  %never = icmp eq i32 0, 0
  br i1 %never, label %next, label %inside

inside:
  ret void

next:
  %g = phi float [ %f, %loop ]
  %scaled = fmul float %g, 1.600000e+01
  %number = fptoui float %scaled to i32
  %dot = call i32 @llvm.nvvm.idp4a.u.u(i32 0, i32 0, i32 0)
  %above = icmp ugt i32 %dot, %number
  %chosen = select i1 %above, i32 %dot, i32 0
  %two = and i32 %chosen, 3
  %again = icmp eq i32 %two, 0
  br i1 %again, label %loop, label %end

end:
  ret void
  uselistorder label %loop, { 0, 2, 1 }
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.idp4a.u.u(i32, i32, i32)
declare float @llvm.minnum.f32(float, float)
