; RUN: %opt -passes=heddle-lower-matrix-intrinsics %s 2>/dev/null | FileCheck %s
; CHECK-LABEL: @load(
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK-COUNT-8: load i32, ptr %{{.*}}, align 4
; CHECK-NOT: wmma
; CHECK: ret
declare { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p0(ptr)
define { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @load(ptr %p) {
  %a = call { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } @llvm.nvvm.wmma.m16n16k16.load.a.row.f16.p0(ptr %p)
  ret { <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half> } %a
}
