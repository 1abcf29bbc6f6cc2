; An intrinsic that the architecture has no instruction for is an error with a reason,
; not a crash; of several files it is that of its own.
; RUN: %status 1 %heddle kernels %s 2>&1 | FileCheck %s
; RUN: %heddle kernels %s --arch sm_80 | FileCheck %s --check-prefix=LATER
; What LLVM has when it gives up nothing frees.
; RUN: env LSAN_OPTIONS=detect_leaks=0 %heddle kernels %s %kernels/saxpy/saxpy.cu | FileCheck %s --check-prefix=TWO
; CHECK: heddle: error: {{.*}}LLVM cannot make code of what the kernel does for this architecture: Cannot select: intrinsic %llvm.nvvm.redux.sync.max
; LATER: k
; TWO: unselectable.ll {{.*}} fails
; TWO: saxpy.cu 1 0
; TWO: unselectable.ll: LLVM cannot make code
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %p) {
  %v = load i32, ptr addrspace(1) %p
  %r = call i32 @llvm.nvvm.redux.sync.max(i32 %v, i32 -1)
  store i32 %r, ptr addrspace(1) %p
  ret void
}

declare i32 @llvm.nvvm.redux.sync.max(i32, i32)
