// RUN: heddle-opt %s --convert-cf-to-llvm | FileCheck %s
// CHECK: llvm.cond_br
func.func @pick(%c: i1, %a: i32, %b: i32) -> i32 {
  cf.cond_br %c, ^out(%a : i32), ^out(%b : i32)
^out(%v: i32):
  return %v : i32
}
