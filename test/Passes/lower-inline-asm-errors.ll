; What is not known stays, whole, and is named. A matrix product is one call; movmatrix, which has no intrinsic, stays without a word.
; RUN: %opt -passes=heddle-lower-inline-asm %s 2>%t.err | FileCheck %s
; RUN: FileCheck --check-prefix=SAID %s < %t.err
; CHECK: asm "frobnicate.s32 $0, $1;"
; CHECK: asm "add.s32 $0, $1, $1; frobnicate.s32 $0, $0;"
; CHECK-NEXT: ret i32
; CHECK: call { <2 x half>, <2 x half> } @llvm.nvvm.mma.m16n8k8.row.col.f16.f16(
; CHECK: asm sideeffect "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;"
; SAID: remark: inline assembly stays as it is: 'frobnicate.s32 $0, $1;'
; SAID: remark: inline assembly stays as it is: 'add.s32 {{.*}}
; SAID-NOT: {{.}}
define i32 @k(i32 %a) {
  %s = call i32 asm "frobnicate.s32 $0, $1;", "=r,r"(i32 %a)
  %t = call i32 asm "add.s32 $0, $1, $1; frobnicate.s32 $0, $0;", "=r,r"(i32 %s)
  ret i32 %t
}
define { i32, i32 } @mma(i32 %a, i32 %b) #0 {
  %d = call { i32, i32 } asm "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$0,$1}, {$2,$3}, {$4}, {$5,$6};", "=r,=r,r,r,r,r,r"(i32 %a, i32 %a, i32 %b, i32 %a, i32 %b)
  ret { i32, i32 } %d
}
define i32 @move(i32 %a) {
  %d = call i32 asm sideeffect "movmatrix.sync.aligned.m8n8.trans.b16 $0, $1;", "=r,r"(i32 %a)
  ret i32 %d
}
attributes #0 = { "target-cpu"="sm_80" }
