; RUN: %opt -passes=heddle-split-member-masks %s | FileCheck %s
; RUN: %opt -passes='heddle-split-member-masks<keep-blocks>' %s | FileCheck --check-prefix=KEEP %s
; CHECK-LABEL: @vote(
; CHECK: %[[ALL:.*]] = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %c)
; CHECK-NEXT: and i32 %[[ALL]], %mask
; CHECK-LABEL: @same(
; CHECK-NEXT: call i32 @llvm.nvvm.vote.ballot.sync(i32 %m, i1 %c)
; CHECK-LABEL: @reduce(
; CHECK: br i1
; KEEP-LABEL: @reduce(
; KEEP-COUNT-32: call i32 @llvm.nvvm.shfl.sync.idx.i32(
; KEEP-NOT: br i1
define i32 @vote(ptr %p, i1 %c) {
  %mask = load i32, ptr %p
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 %mask, i1 %c)
  ret i32 %v
}
define i32 @same(i32 %m, i1 %c) {
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 %m, i1 %c)
  ret i32 %v
}
define i32 @reduce(ptr %p, i32 %x) {
  %mask = load i32, ptr %p
  %v = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 %mask)
  ret i32 %v
}
