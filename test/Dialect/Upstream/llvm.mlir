// RUN: heddle-opt %s --canonicalize | FileCheck %s
// CHECK: llvm.getelementptr %{{.*}}[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
// CHECK-NEXT: llvm.load
llvm.func @third(%p: !llvm.ptr<1>) -> f32 {
  %i = llvm.mlir.constant(3 : i32) : i32
  %q = llvm.getelementptr %p[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
  %v = llvm.load %q : !llvm.ptr<1> -> f32
  llvm.return %v : f32
}
