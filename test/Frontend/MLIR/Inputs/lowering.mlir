// A layout that no strides describe has no lowering.
#map = affine_map<(d0) -> (d0 floordiv 2)>
module attributes {gpu.container_module} {
  gpu.module @kernels {
    gpu.func @k(%x: memref<4xf32, #map>, %y: memref<4xf32>) kernel {
      %t = gpu.thread_id x
      %v = memref.load %x[%t] : memref<4xf32, #map>
      memref.store %v, %y[%t] : memref<4xf32>
      gpu.return
    }
  }
}
