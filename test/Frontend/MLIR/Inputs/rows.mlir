// Sums rows of a 64 x 128 matrix, by way of shared memory, affine and math.
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @rows(%in: memref<64x128xf32>, %out: memref<64xf32>)
        workgroup(%tile: memref<64xf32, #gpu.address_space<workgroup>>) kernel {
      %t = gpu.thread_id x
      %zero = arith.constant 0.0 : f32
      %sum = affine.for %k = 0 to 128 iter_args(%acc = %zero) -> f32 {
        %v = memref.load %in[%t, %k] : memref<64x128xf32>
        %r = math.sqrt %v : f32
        %next = arith.addf %acc, %r : f32
        affine.yield %next : f32
      }
      memref.store %sum, %tile[%t] : memref<64xf32, #gpu.address_space<workgroup>>
      gpu.barrier
      %c63 = arith.constant 63 : index
      %other = arith.subi %c63, %t : index
      %v = memref.load %tile[%other] : memref<64xf32, #gpu.address_space<workgroup>>
      memref.store %v, %out[%t] : memref<64xf32>
      gpu.return
    }
  }
}
