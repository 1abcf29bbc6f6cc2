// RUN: heddle-opt %s --inline --symbol-dce | FileCheck %s
// RUN: heddle-opt %s --convert-func-to-llvm | FileCheck %s --check-prefix=LLVM
// CHECK-LABEL: func @outer
// CHECK-NEXT: return %arg0
// CHECK-NOT: @inner
// LLVM: llvm.call @inner
func.func private @inner(%a: i32) -> i32 {
  return %a : i32
}
func.func @outer(%a: i32) -> i32 {
  %r = call @inner(%a) : (i32) -> i32
  return %r : i32
}
