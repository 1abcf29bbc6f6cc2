; RUN: %opt -passes=heddle-number-functions %s | FileCheck %s
; CHECK: @table = global [2 x ptr] [ptr inttoptr (i64 16 to ptr), ptr inttoptr (i64 32 to ptr)]
; CHECK: store ptr inttoptr (i64 16 to ptr), ptr %p
; CHECK: call void @one()
@table = global [2 x ptr] [ptr @one, ptr @two]
define void @one() {
  ret void
}
declare void @two()
define void @k(ptr %p) {
  store ptr @one, ptr %p
  call void @one()
  ret void
}
