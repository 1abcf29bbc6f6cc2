; Before sm_70 PTX has relaxed atomics only: ordered ones get fences around them.
; RUN: %heddle kernels %s --arch sm_60 --emit-llvm -o - | FileCheck %s
; RUN: %opt -passes='heddle-adopt-module<arch=sm_60>,function(heddle-relax-atomics)' %s | FileCheck %s
; RUN: %opt -passes='heddle-adopt-module<arch=sm_70>,function(heddle-relax-atomics)' %s | FileCheck %s --check-prefix=NEW
; RUN: %heddle kernels %s --arch sm_60 --ptx -o - | FileCheck %s --check-prefix=PTX
; RUN: %heddle kernels %s --arch sm_70 --emit-llvm -o - | FileCheck %s --check-prefix=NEW
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: fence release
; CHECK-NEXT: atomicrmw add {{.*}} monotonic
; CHECK-NEXT: fence acquire
; CHECK: cmpxchg {{.*}} monotonic monotonic
; CHECK: load atomic i32, {{.*}} monotonic
; CHECK-NEXT: fence acquire
; CHECK: fence release
; CHECK-NEXT: store atomic i32 {{.*}} monotonic
; PTX: membar
; PTX: atom{{.*}}add
; PTX: atom{{.*}}cas
; PTX-NOT: acquire
; NEW: atomicrmw add {{.*}} seq_cst
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %q = getelementptr i32, ptr addrspace(1) %p, i32 1
  %c = cmpxchg ptr addrspace(1) %q, i32 0, i32 42 acq_rel acquire
  %l = load atomic i32, ptr addrspace(1) %p acquire, align 4
  store atomic i32 %l, ptr addrspace(1) %q release, align 4
  ret void
}
