; RUN: %opt -passes=heddle-lower-inline-asm %s | FileCheck %s
; RUN: %opt -passes='heddle-lower-inline-asm<textures>' %s | FileCheck --check-prefix=TEXTURES %s
; RUN: %opt -passes='heddle-lower-inline-asm<exits>' %s | FileCheck --check-prefix=EXITS %s
; RUN: %opt -passes='heddle-lower-inline-asm<mark>' %s | FileCheck --check-prefix=MARK %s
; CHECK-LABEL: @k(
; CHECK: add i32 %a, %b
; CHECK-NOT: asm
; CHECK: ret i32
; A jump takes blocks of its own.
; CHECK-LABEL: @jump(
; CHECK: br i1
; CHECK-NOT: asm
; CHECK: ret void
; To leave a kernel is to return, there and where a function is inlined.
; CHECK-LABEL: @leave(
; CHECK: br i1
; CHECK: store i32 1
; CHECK-NEXT: ret void
; CHECK-LABEL: @helper(
; CHECK: call void @llvm.nvvm.exit()
; CHECK-NEXT: unreachable
; An empty assembly stays behind each, which is not convergent, and accesses no memory of the program if the other did not. Without the option empty ones go.
; MARK-LABEL: @k(
; MARK: add i32
; MARK-NEXT: call void asm sideeffect "", ""() #[[#PURE:]]
; MARK-LABEL: @volatile(
; MARK: load float
; MARK-NEXT: call void asm sideeffect "", ""() #[[#MARK:]]
; MARK-NEXT: call void asm sideeffect "", ""() #[[#MARK]]
; MARK-NEXT: ret float
; MARK: attributes #[[#PURE]] = { nounwind memory(inaccessiblemem: readwrite) }
; MARK: attributes #[[#MARK]] = { nounwind }
; CHECK-LABEL: @volatile(
; CHECK-NOT: asm
; CHECK: ret float
; TEXTURES-COUNT-7: asm
; EXITS-COUNT-4: {{i32|void|float}} asm
; EXITS-NOT: asm
define i32 @k(i32 %a, i32 %b) {
  %s = call i32 asm "add.s32 $0, $1, $2;", "=r,r,r"(i32 %a, i32 %b) memory(none)
  %t = call i32 asm "{ .reg .pred p; setp.lt.s32 p, $1, $2; mov.u32 $0, $1; @p mov.u32 $0, $2; }", "=r,r,r"(i32 %s, i32 %b)
  ret i32 %t
}
define void @jump(ptr addrspace(1) %p, i32 %b) {
  call void asm sideeffect "{ .reg .pred p; setp.lt.s32 p, $1, 4; @p bra DONE; st.global.u32 [$0], $1; DONE: }", "l,r"(ptr addrspace(1) %p, i32 %b)
  ret void
}
define ptx_kernel void @leave(ptr addrspace(1) %p, i32 %b) {
  call void asm sideeffect "{ .reg .pred p; setp.lt.s32 p, $0, 4; @p exit; }", "r"(i32 %b)
  store i32 1, ptr addrspace(1) %p
  call void asm sideeffect "exit;", ""()
  store i32 2, ptr addrspace(1) %p
  ret void
}
define void @helper() {
  call void asm sideeffect "exit;", ""()
  ret void
}
define float @volatile(ptr %p) {
  %v = call float asm sideeffect "ld.global.nc.f32 $0, [$1];", "=f,l"(ptr %p) #0
  call void asm sideeffect "", ""() #0
  ret float %v
}
attributes #0 = { convergent }
