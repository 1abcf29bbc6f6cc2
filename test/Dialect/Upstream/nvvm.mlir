// RUN: heddle-opt %s | heddle-opt | FileCheck %s
// RUN: heddle-opt %s --convert-nvvm-to-llvm | FileCheck %s --check-prefix=LLVM
// CHECK: nvvm.read.ptx.sreg.tid.x : i32
// CHECK: nvvm.mbarrier.try_wait.parity
// LLVM: llvm.inline_asm has_side_effects {{.*}}mbarrier.try_wait.parity
llvm.func @k(%b: !llvm.ptr<3>, %phase: i32, %ticks: i32) -> i32 {
  %t = nvvm.read.ptx.sreg.tid.x : i32
  nvvm.mbarrier.try_wait.parity %b, %phase, %ticks : !llvm.ptr<3>, i32, i32
  llvm.return %t : i32
}
