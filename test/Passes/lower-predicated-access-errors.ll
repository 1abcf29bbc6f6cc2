; Inline assembly of other forms is left to what reads inline assembly: no predicate, a predicate that is no operand, or no access.
; RUN: %opt -passes=heddle-lower-predicated-access %s | FileCheck %s
; CHECK-LABEL: @k(
; CHECK-NEXT: call i32 asm sideeffect "ld.global.b32 { $0 }, [ $1 + 0 ];"
; CHECK-NEXT: call i32 asm sideeffect "@%p1 ld.global.b32 { $0 }, [ $1 + 0 ];"
; CHECK-NEXT: call i32 asm sideeffect "@$2 add.s32 $0, $1, 1;"
; CHECK-NEXT: call i32 asm "nonsense", "=r"()
; CHECK-NEXT: ret void
define void @k(ptr addrspace(1) %p, i32 %n, i1 %c) {
  %a = call i32 asm sideeffect "ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %p)
  %b = call i32 asm sideeffect "@%p1 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l"(ptr addrspace(1) %p)
  %e = call i32 asm sideeffect "@$2 add.s32 $0, $1, 1;", "=r,r,b"(i32 %n, i1 %c)
  %f = call i32 asm "nonsense", "=r"()
  ret void
}
; An access to a space that is not known runs under its predicate and is still for what reads inline assembly to refuse.
; CHECK-LABEL: @elsewhere(
; CHECK: br i1 %c
; CHECK: call i32 asm sideeffect "ld.elsewhere.b32 { $0 }, [ $1 + 0 ];"
define i32 @elsewhere(ptr addrspace(1) %p, i1 %c) {
  %d = call i32 asm sideeffect "@$2 ld.elsewhere.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %p, i1 %c)
  ret i32 %d
}
