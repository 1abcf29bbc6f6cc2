module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4xf32>) kernel {
      %t = gpu.thread_id y
      memref.store %missing, %x[%t] : memref<4xf32>
      gpu.return
    }
  }
}
