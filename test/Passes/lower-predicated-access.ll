; RUN: %opt -passes=heddle-lower-predicated-access %s | FileCheck %s
; CHECK-LABEL: @guarded(
; CHECK: br i1 %c, label %[[THEN:.*]], label
; CHECK: [[THEN]]:
; CHECK: load i32, ptr addrspace(1) %p
; CHECK: phi i32 [ %{{.*}}, %[[THEN]] ], [ 7, %0 ]
; Two accesses, or an unknown statement before: for lower-inline-asm to say.
; CHECK-LABEL: @others(
; CHECK-COUNT-2: asm
define i32 @guarded(ptr addrspace(1) %p, i1 %c) {
  %v = call i32 asm sideeffect "mov.u32 $0, 0x7; @$2 ld.global.b32 { $0 }, [ $1 + 0 ];", "=r,l,b"(ptr addrspace(1) %p, i1 %c)
  ret i32 %v
}
define void @others(ptr addrspace(1) %p, i1 %c) {
  call void asm sideeffect "@$1 st.global.b32 [ $0 ], { 1 }; @$1 st.global.b32 [ $0 ], { 2 };", "l,b"(ptr addrspace(1) %p, i1 %c)
  call void asm sideeffect "bar.sync 0; @$1 st.global.b32 [ $0 ], { 1 };", "l,b"(ptr addrspace(1) %p, i1 %c)
  ret void
}
