; RUN: split-file %s %t
; RUN: not %opt -passes=heddle-run-back-end %t/none.ll 2>&1 | FileCheck --check-prefix=NONE %s
; RUN: not %opt -passes=heddle-run-back-end %t/several.ll 2>&1 | FileCheck --check-prefix=SEVERAL %s
; RUN: not %opt -passes=heddle-run-back-end %t/unknown.ll 2>&1 | FileCheck --check-prefix=UNKNOWN %s
; RUN: not %opt -passes=heddle-run-back-end %t/other.ll 2>&1 | FileCheck --check-prefix=OTHER %s
; OTHER: error: module is for target 'x86_64-pc-linux-gnu', not for nvptx64
; NONE: error: {{.*}}none.ll: 'k' has no target-cpu; run heddle-adopt-module first
; SEVERAL: error: {{.*}}several.ll: 'l' has another target-cpu than functions before; run heddle-adopt-module first
; UNKNOWN: error: {{.*}}unknown architecture 'znver3'; use sm_NN, for example sm_70

;--- none.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() {
  ret void
}
;--- several.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k() "target-cpu"="sm_70" {
  ret void
}
define ptx_kernel void @l() "target-cpu"="sm_80" {
  ret void
}
;--- unknown.ll
target triple = "x86_64-pc-linux-gnu"
define void @k() "target-cpu"="znver3" {
  ret void
}
;--- other.ll
target triple = "x86_64-pc-linux-gnu"
define void @k() "target-cpu"="sm_70" {
  ret void
}
