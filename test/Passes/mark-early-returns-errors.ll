; Functions that are no kernels, paths that come to the barrier as well, and endless loops get no mark.
; RUN: %opt -passes=heddle-mark-early-returns %s | FileCheck %s --implicit-check-not=heddle.early.return
; CHECK-LABEL: ptx_kernel void @both(
; CHECK-LABEL: ptx_kernel void @endless(
; CHECK-LABEL: ptx_kernel void @straight(
; CHECK: declare ptx_kernel void @body_elsewhere()
define ptx_kernel void @both(ptr addrspace(1) %out, i1 %c) {
  br i1 %c, label %left, label %right
left:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
right:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
end:
  ret void
}
define ptx_kernel void @endless() {
  br label %loop
loop:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
}
define ptx_kernel void @straight(ptr addrspace(1) %out) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 0, ptr addrspace(1) %out
  ret void
}
declare ptx_kernel void @body_elsewhere()
