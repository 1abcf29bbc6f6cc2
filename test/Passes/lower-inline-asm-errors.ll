; What is not known stays, whole, and is named; matrix products are said to take another time.
; RUN: %opt -passes=heddle-lower-inline-asm %s 2>%t.err | FileCheck %s
; RUN: FileCheck --check-prefix=SAID %s < %t.err
; CHECK: asm "frobnicate.s32 $0, $1;"
; CHECK: asm "add.s32 $0, $1, $1; frobnicate.s32 $0, $0;"
; CHECK-NEXT: ret i32
; CHECK-NOT: asm
; CHECK: ret
; SAID: remark: inline assembly stays as it is: 'frobnicate.s32 $0, $1;'
; SAID: remark: inline assembly stays as it is: 'add.s32
; SAID: warning: mma.sync is executed with shuffles; the time is not that of tensor cores
define i32 @k(i32 %a) {
  %s = call i32 asm "frobnicate.s32 $0, $1;", "=r,r"(i32 %a)
  %t = call i32 asm "add.s32 $0, $1, $1; frobnicate.s32 $0, $0;", "=r,r"(i32 %s)
  ret i32 %t
}
define { i32, i32 } @mma(i32 %a, i32 %b) #0 {
  %d = call { i32, i32 } asm "mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {$0,$1}, {$2,$3}, {$4}, {$5,$6};", "=r,=r,r,r,r,r,r"(i32 %a, i32 %a, i32 %b, i32 %a, i32 %b)
  ret { i32, i32 } %d
}
attributes #0 = { "target-cpu"="sm_80" }
