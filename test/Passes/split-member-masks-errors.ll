; A mask that is one for all lanes is not split: constants, arguments of kernels, and what follows from these. An option that is none is refused.
; RUN: %opt -passes=heddle-split-member-masks %s | FileCheck %s
; RUN: not %opt -passes='heddle-split-member-masks<keep>' %s 2>&1 | FileCheck %s --check-prefix=OPTION
; OPTION: error: heddle-split-member-masks: 'keep' is no option; options are: keep-blocks
; CHECK-LABEL: ptx_kernel void @k(
; CHECK-NEXT: %a = call i32 @llvm.nvvm.vote.ballot.sync(i32 255, i1 %c)
; CHECK-NEXT: %b = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 %m)
; CHECK-NEXT: %more = add i32 %m, 1
; CHECK-NEXT: %d = call i1 @llvm.nvvm.vote.any.sync(i32 %more, i1 %c)
; CHECK-NEXT: %e = call i32 @ballot.sync(i32 %x)
; CHECK-NEXT: ret void
target triple = "nvptx64-nvidia-cuda"
declare i32 @ballot.sync(i32)
define ptx_kernel void @k(i32 %m, i32 %x, i1 %c) {
  %a = call i32 @llvm.nvvm.vote.ballot.sync(i32 255, i1 %c)
  %b = call i32 @llvm.nvvm.redux.sync.add(i32 %x, i32 %m)
  %more = add i32 %m, 1
  %d = call i1 @llvm.nvvm.vote.any.sync(i32 %more, i1 %c)
  %e = call i32 @ballot.sync(i32 %x)
  ret void
}
