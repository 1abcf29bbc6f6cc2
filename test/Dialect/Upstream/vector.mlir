// RUN: heddle-opt %s --convert-vector-to-llvm | FileCheck %s
// CHECK: llvm.intr.vector.reduce.fadd
func.func @sum(%v: vector<4xf32>) -> f32 {
  %s = vector.reduction <add>, %v : vector<4xf32> into f32
  return %s : f32
}
