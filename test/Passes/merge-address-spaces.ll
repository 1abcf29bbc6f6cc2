; A pointer cast from one known memory to another: what depends on it reads
; where the pointer came from, through the generic space where it is mixed.
; RUN: %heddle kernels %s --emit-llvm -q -o - | FileCheck %s --implicit-check-not='addrspace(1) @c to ptr addrspace(5)'
; RUN: %heddle run %s --kernel mixed --grid 1 --block 4 --arg o:i32[4]=zero --arg i32=2 --dump o --check -q | FileCheck %s --check-prefix=MIXED
; RUN: %heddle run %s --kernel mixed --grid 1 --block 4 --arg o:i32[4]=zero --arg i32=2 --dump o --engine interpreter -q | FileCheck %s --check-prefix=MIXED
; MIXED: 11 12 7 7
target triple = "nvptx64-nvidia-cuda"

@c = private unnamed_addr addrspace(1) constant [4 x i32] [i32 11, i32 12, i32 13, i32 14], align 4

; CHECK-LABEL: define {{.*}} @plain(
; CHECK: load i32, ptr addrspace(1)
define ptx_kernel void @plain(ptr addrspace(1) %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr addrspace(5) addrspacecast (ptr addrspace(1) @c to ptr addrspace(5)), i32 %t
  %v = load i32, ptr addrspace(5) %p
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}

; CHECK-LABEL: define {{.*}} @mixed(
define ptx_kernel void @mixed(ptr addrspace(1) %o, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = alloca [4 x i32]
  %l = addrspacecast ptr %a to ptr addrspace(5)
  %at = getelementptr i32, ptr addrspace(5) %l, i32 %t
  store volatile i32 7, ptr addrspace(5) %at
  %less = icmp ult i32 %t, %n
  br i1 %less, label %then, label %join
then:
  %k = addrspacecast ptr addrspace(1) @c to ptr addrspace(5)
  br label %join
join:
  %base = phi ptr addrspace(5) [ %k, %then ], [ %l, %entry ]
  %p = getelementptr i32, ptr addrspace(5) %base, i32 %t
  %v = load i32, ptr addrspace(5) %p
  %q = getelementptr i32, ptr addrspace(1) %o, i32 %t
  store i32 %v, ptr addrspace(1) %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
