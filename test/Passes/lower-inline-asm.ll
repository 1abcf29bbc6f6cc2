; RUN: %opt -passes=heddle-lower-inline-asm %s | FileCheck %s
; RUN: %opt -passes='heddle-lower-inline-asm<textures>' %s | FileCheck --check-prefix=TEXTURES %s
; CHECK-LABEL: @k(
; CHECK: add i32 %a, %b
; CHECK-NOT: asm
; CHECK: ret i32
; A jump takes blocks of its own.
; CHECK-LABEL: @jump(
; CHECK: br i1
; CHECK-NOT: asm
; CHECK: ret void
; TEXTURES-COUNT-3: asm
define i32 @k(i32 %a, i32 %b) {
  %s = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b)
  %t = call i32 asm "{ .reg .pred p; setp.lt.s32 p, $1, $2; mov.u32 $0, $1; @p mov.u32 $0, $2; }", "=r,r,r"(i32 %s, i32 %b)
  ret i32 %t
}
define void @jump(ptr addrspace(1) %p, i32 %b) {
  call void asm sideeffect "{ .reg .pred p; setp.lt.s32 p, $1, 4; @p bra DONE; st.global.u32 [$0], $1; DONE: }", "l,r"(ptr addrspace(1) %p, i32 %b)
  ret void
}
