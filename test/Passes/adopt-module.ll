; A plain front end's module: kernels by nvvm.annotations or convention, what is to be inlined, aliases.
; RUN: %opt -passes='heddle-adopt-module<arch=sm_80>' %s 2>%t.err | FileCheck %s
; RUN: FileCheck --check-prefix=REMARK %s < %t.err
; RUN: %opt -passes=heddle-adopt-module %s 2>/dev/null | FileCheck --check-prefix=DEFAULT %s
; REMARK: remark: {{.*}}adopt-module.ll: pointers into address space 3 have 32 bits, 64 from here on
; REMARK: remark: {{.*}}adopt-module.ll: compiled for 'sm_52', prepared for 'sm_80'
; CHECK: target datalayout = "e-p6
; CHECK: target triple = "nvptx64-nvidia-cuda"
; CHECK-NOT: @llvm.used
; CHECK: define ptx_kernel void @annotated() #[[KERNEL:[0-9]+]]
; CHECK: define dso_local ptx_kernel void @hidden() #[[KERNEL]]
; CHECK-NEXT: call void @helper()
; CHECK: define internal void @helper() #[[HELPER:[0-9]+]]
; CHECK: attributes #[[KERNEL]] = { "target-cpu"="sm_80" }
; CHECK: attributes #[[HELPER]] = { alwaysinline "target-cpu"="sm_80" }
; DEFAULT: "target-cpu"="sm_70"
target datalayout = "e-p3:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64--nvidiacl"

@variable = addrspace(1) global i32 0
@llvm.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @variable to ptr)]
@other = alias void (), ptr @helper
$helper = comdat any

define void @annotated() #0 {
  ret void
}
define hidden ptx_kernel void @hidden() #0 {
  call void @other()
  ret void
}
define linkonce_odr void @helper() noinline optnone #0 comdat {
  ret void
}
attributes #0 = { "target-cpu"="sm_52" "target-features"="+ptx32" "frame-pointer"="all" }
!nvvm.annotations = !{!0}
!0 = !{ptr @annotated, !"kernel", i32 1}
