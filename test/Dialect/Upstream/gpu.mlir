// RUN: heddle-opt %s --gpu-kernel-outlining | FileCheck %s
// RUN: heddle-opt %s --gpu-kernel-outlining | heddle-opt --pass-pipeline='builtin.module(gpu.module(convert-gpu-to-nvvm))' | FileCheck %s --check-prefix=NVVM
// CHECK: gpu.launch_func @scale_kernel::@scale_kernel
// CHECK: gpu.module @scale_kernel
// CHECK: gpu.func @scale_kernel
// CHECK: gpu.thread_id x
// NVVM: llvm.func @scale_kernel({{.*}}nvvm.kernel
// NVVM: nvvm.read.ptx.sreg.tid.x
func.func @scale(%p: memref<1024xf32>) {
  %one = arith.constant 1 : index
  %n = arith.constant 1024 : index
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %one, %gy = %one, %gz = %one) threads(%tx, %ty, %tz) in (%sx = %n, %sy = %one, %sz = %one) {
    %v = memref.load %p[%tx] : memref<1024xf32>
    %w = arith.addf %v, %v : f32
    memref.store %w, %p[%tx] : memref<1024xf32>
    gpu.terminator
  }
  return
}
