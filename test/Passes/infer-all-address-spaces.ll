; RUN: %opt -mtriple=nvptx64-nvidia-cuda -passes=heddle-infer-all-address-spaces %s | FileCheck %s
; CHECK: load volatile i32, ptr addrspace(3) @shared
; CHECK: store volatile i32 %v, ptr addrspace(3) @shared
; CHECK: atomicrmw add ptr addrspace(3) @shared
; CHECK: load i32, ptr addrspace(3) @shared
target triple = "nvptx64-nvidia-cuda"
@shared = internal addrspace(3) global i32 poison
define i32 @k() {
  %v = load volatile i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  store volatile i32 %v, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  %a = atomicrmw volatile add ptr addrspacecast (ptr addrspace(3) @shared to ptr), i32 1 monotonic
  %w = load i32, ptr addrspacecast (ptr addrspace(3) @shared to ptr)
  ret i32 %w
}
