// RUN: heddle-opt %s --convert-scf-to-cf | FileCheck %s
// CHECK-LABEL: func @sum(
// CHECK: cf.cond_br
// CHECK-NOT: scf.
func.func @sum(%n: index, %start: f32) -> f32 {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %sum = scf.for %i = %zero to %n step %one iter_args(%s = %start) -> f32 {
    %t = arith.addf %s, %s : f32
    scf.yield %t : f32
  }
  return %sum : f32
}
