// RUN: heddle-opt %s --convert-math-to-llvm | FileCheck %s
// CHECK: llvm.intr.exp
func.func @f(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}
