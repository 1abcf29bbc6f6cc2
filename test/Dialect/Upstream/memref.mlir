// RUN: heddle-opt %s --expand-strided-metadata --lower-affine --finalize-memref-to-llvm | FileCheck %s
// CHECK: llvm.load
// CHECK: llvm.store
// CHECK-NOT: memref.load
func.func @copy(%p: memref<16x16xf32>, %i: index) {
  %tile = memref.subview %p[0, 4] [16, 4] [1, 1] : memref<16x16xf32> to memref<16x4xf32, strided<[16, 1], offset: 4>>
  %v = memref.load %tile[%i, %i] : memref<16x4xf32, strided<[16, 1], offset: 4>>
  memref.store %v, %p[%i, %i] : memref<16x16xf32>
  return
}
