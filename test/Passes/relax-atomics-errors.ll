; Functions without an architecture, and what is relaxed already, stay as they are.
; RUN: %opt -passes='function(heddle-relax-atomics)' %s | FileCheck %s --check-prefix=NONE --implicit-check-not=fence
; RUN: %opt -passes='heddle-adopt-module<arch=sm_60>,function(heddle-relax-atomics)' %s | FileCheck %s --check-prefix=OLD
; NONE: atomicrmw add {{.*}} seq_cst
; NONE: atomicrmw add {{.*}} monotonic
; NONE: load volatile i32
; OLD: fence
; OLD: atomicrmw add {{.*}}, i32 1 {{.*}}monotonic
; OLD-NOT: fence release
; OLD: atomicrmw add {{.*}}, i32 2 {{.*}}monotonic
; OLD-NEXT: load volatile i32
; OLD-NEXT: ret void
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %a = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst
  %b = atomicrmw add ptr addrspace(1) %p, i32 2 monotonic
  %c = load volatile i32, ptr addrspace(1) %p
  ret void
}
