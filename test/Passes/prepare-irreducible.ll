; Irreducible flow and phi nodes stay as they are; blocks that cannot be
; reached go.
; RUN: %heddle kernels %s --emit-llvm | FileCheck %s
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: ptx_kernel void @k(
; CHECK-NOT: dead
; CHECK: phi
; CHECK: ret void
define ptx_kernel void @k(ptr %p, i32 %n, i1 %c) {
entry:
  br i1 %c, label %left, label %right
left:
  %a = phi i32 [ 0, %entry ], [ %b2, %right ]
  %a2 = add i32 %a, 3
  store volatile i32 %a2, ptr %p
  %ca = icmp sgt i32 %a2, %n
  br i1 %ca, label %out, label %right
right:
  %b = phi i32 [ 1, %entry ], [ %a2, %left ]
  %b2 = mul i32 %b, 5
  store volatile i32 %b2, ptr %p
  %cb = icmp sgt i32 %b2, %n
  br i1 %cb, label %out, label %left
dead:
  store i32 77, ptr %p
  br label %dead
out:
  ret void
}
