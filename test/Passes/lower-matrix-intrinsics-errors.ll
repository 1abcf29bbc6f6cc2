; A product warns once in a function; a load of bits against their order stays and is named.
; RUN: %opt -passes=heddle-lower-matrix-intrinsics %s 2>%t.err | FileCheck %s
; RUN: FileCheck --check-prefix=SAID %s < %t.err
; CHECK-LABEL: @product(
; CHECK-NOT: wmma
; CHECK: call double @llvm.fma.f64
; CHECK: ret
; SAID: warning: wmma is executed with shuffles; the time is not that of tensor cores
; SAID-NOT: warning
declare { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double, double, double, double)
define { double, double } @product(double %a, double %b, double %c) {
  %x = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double %a, double %b, double %c, double %c)
  %e = extractvalue { double, double } %x, 0
  %y = call { double, double } @llvm.nvvm.wmma.m8n8k4.mma.row.col.f64(double %a, double %b, double %e, double %c)
  ret { double, double } %y
}
