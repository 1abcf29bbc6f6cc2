; RUN: split-file %s %t
; RUN: not %opt -passes=heddle-expand-for-target %t/none.ll 2>&1 | FileCheck --check-prefix=NONE %s
; RUN: not %opt -passes=heddle-expand-for-target %t/several.ll 2>&1 | FileCheck --check-prefix=SEVERAL %s
; RUN: not %opt -passes=heddle-expand-for-target %t/unknown.ll 2>&1 | FileCheck --check-prefix=UNKNOWN %s
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
