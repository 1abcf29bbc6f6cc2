// RUN: heddle-opt %s --convert-arith-to-llvm | FileCheck %s
// CHECK: llvm.mul
// CHECK: llvm.fadd
func.func @f(%a: i32, %x: f32) -> (i32, f32) {
  %m = arith.muli %a, %a : i32
  %s = arith.addf %x, %x : f32
  return %m, %s : i32, f32
}
