// RUN: heddle-opt %s --convert-index-to-llvm | FileCheck %s
// CHECK: llvm.mul
func.func @f(%a: index) -> index {
  %b = index.mul %a, %a
  return %b : index
}
