; RUN: split-file %s %t
; RUN: not %opt -passes=heddle-adopt-module %t/target.ll 2>&1 | FileCheck --check-prefix=TARGET %s
; RUN: not %opt -passes=heddle-adopt-module %t/none.ll 2>&1 | FileCheck --check-prefix=NONE %s
; RUN: not %opt -passes=heddle-adopt-module %t/kernel.ll 2>&1 | FileCheck --check-prefix=KERNEL %s
; RUN: not %opt -passes=heddle-adopt-module %t/short.ll 2>&1 | FileCheck --check-prefix=SHORT %s
; RUN: not %opt -passes='heddle-adopt-module<arch=sm_1>' %t/short.ll 2>&1 | FileCheck --check-prefix=ARCH %s
; RUN: not %opt -passes='heddle-adopt-module<cpu=sm_70>' %t/short.ll 2>&1 | FileCheck --check-prefix=OPTION %s
; RUN: not %opt -passes='heddle-adopt-module<arch>' %t/short.ll 2>&1 | FileCheck --check-prefix=VALUE %s
; RUN: not %opt -passes='heddle-adopt-module<arch=sm_70;arch=sm_80>' %t/short.ll 2>&1 | FileCheck --check-prefix=TWICE %s
; RUN: not %opt -passes='heddle-prepare<opt-level=high>' %t/short.ll 2>&1 | FileCheck --check-prefix=NUMBER %s
; RUN: not %opt -passes='heddle-prepare<keep-prints=1>' %t/short.ll 2>&1 | FileCheck --check-prefix=FLAG %s
; RUN: not %opt -passes='heddle-prepare' %t/target.ll 2>&1 | FileCheck --check-prefix=TARGET %s
; TARGET: error: {{.*}}target.ll: the module is for 'x86_64-pc-linux-gnu'; kernels must be compiled for nvptx64
; NONE: error: {{.*}}none.ll: the module is for no target
; KERNEL: error: {{.*}}kernel.ll: there is no kernel in this module
; SHORT: error: {{.*}}short.ll: pointers into address space 1 have 32 bits; only 64 can be prepared
; ARCH: error: unknown architecture 'sm_1'; use sm_NN, for example sm_70
; OPTION: error: heddle-adopt-module: 'cpu' is no option; options are: arch
; VALUE: error: heddle-adopt-module: 'arch' takes a value: arch=...
; TWICE: error: heddle-adopt-module: 'arch' is given twice; options are: arch
; NUMBER: error: heddle-prepare: 'high' is no number
; FLAG: error: heddle-prepare: 'keep-prints' takes no value

;--- target.ll
target triple = "x86_64-pc-linux-gnu"
define void @f() {
  ret void
}
;--- none.ll
define ptx_kernel void @f() {
  ret void
}
;--- kernel.ll
target triple = "nvptx64-nvidia-cuda"
define void @f() {
  ret void
}
declare ptx_kernel void @g()
;--- short.ll
target datalayout = "e-p1:32:32-p3:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f() {
  ret void
}
