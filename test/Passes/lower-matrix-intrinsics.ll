; Loads and stores of fragments: registers, or ldmatrix from shared memory; products stay.
; RUN: %opt -passes=heddle-lower-matrix-intrinsics %s 2>/dev/null | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
; Four registers hold the matrix, four hold it again.
; CHECK-LABEL: @global(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK-COUNT-4: load i32, ptr addrspace(1) %{{.*}}, align 4
; CHECK-NOT: load
; CHECK: ret
define { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @global(ptr addrspace(1) %p) #0 {
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p1(ptr addrspace(1) %p)
  ret { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %a
}
; CHECK-LABEL: @shared(
; CHECK: call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.trans.b16.p3(
; CHECK-NOT: load
; CHECK: ret
define { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @shared(ptr addrspace(3) %p) #0 {
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.row.stride.f16.p3(ptr addrspace(3) %p, i32 24)
  ret { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %a
}
; Volta has no ldmatrix; halves across the lines come one by one.
; CHECK-LABEL: @volta(
; CHECK-NOT: ldmatrix
; CHECK-COUNT-8: load i16, ptr addrspace(3)
; CHECK: ret
define { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @volta(ptr addrspace(3) %p) #1 {
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.b.row.stride.f16.p3(ptr addrspace(3) %p, i32 24)
  ret { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %a
}
; CHECK-LABEL: @sums(
; CHECK: call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(
; CHECK: store <2 x double> %{{.*}}, ptr %{{.*}}, align 16
; CHECK: ret
define void @sums(ptr %p, double %a) #0 {
  %d = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double %a, double %a, double %a, double %a)
  %x = extractvalue { double, double } %d, 0
  %y = extractvalue { double, double } %d, 1
  call void @llvm.nvvm.wmma.m8n8k4.store.d.row.f64.p0(ptr %p, double %x, double %y)
  ret void
}
attributes #0 = { "target-cpu"="sm_80" }
attributes #1 = { "target-cpu"="sm_70" }
