; Casts to and from the generic space have a meaning and stay, and so does a cast between two spaces of which nothing is read.
; RUN: %opt -passes=heddle-merge-address-spaces %s | FileCheck %s
target triple = "nvptx64-nvidia-cuda"
@g = private unnamed_addr addrspace(1) constant [4 x i32] zeroinitializer
; CHECK-LABEL: @generic(
; CHECK-NEXT: %a = addrspacecast ptr addrspace(1) %p to ptr
; CHECK-NEXT: %b = addrspacecast ptr %a to ptr addrspace(3)
; CHECK-NEXT: %v = load i32, ptr addrspace(3) %b
; CHECK-NEXT: ret i32 %v
define i32 @generic(ptr addrspace(1) %p) {
  %a = addrspacecast ptr addrspace(1) %p to ptr
  %b = addrspacecast ptr %a to ptr addrspace(3)
  %v = load i32, ptr addrspace(3) %b
  ret i32 %v
}
; CHECK-LABEL: @same(
; CHECK-NEXT: %v = load i32, ptr addrspace(1) @g
define i32 @same() {
  %v = load i32, ptr addrspace(1) @g
  ret i32 %v
}
