; Atomics that the machine has no instruction for become loops before anything is numbered,
; in heddle and in the plugin alike, and nothing reports an error on the way.
; RUN: %heddle kernels %s --emit-llvm -o - 2>&1 | FileCheck %s
; RUN: %opt -passes=heddle-adopt-module,heddle-expand-for-target %s 2>&1 | FileCheck %s
; RUN: opt -load-pass-plugin=%plugin -passes=heddle-analyze -pass-remarks-analysis=heddle -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLUGIN
; CHECK-NOT: error
; CHECK: define {{.*}} @a(
; CHECK: cmpxchg
; CHECK: cmpxchg
; CHECK: atomicrmw add
; PLUGIN-NOT: error
; PLUGIN: kernel a: {{[0-9]+}} registers per thread

target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @a(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = atomicrmw add ptr addrspace(1) %p, i8 1 monotonic
  %y = atomicrmw fmax ptr addrspace(1) %q, float 1.0 monotonic
  %z = atomicrmw add ptr addrspace(1) %q, i32 5 monotonic
  ret void
}
