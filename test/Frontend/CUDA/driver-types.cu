// The types of cudaTypedefs.h, by which programs take the driver's functions from the runtime.
// RUN: %heddle kernels %s --arch sm_90 -o - | FileCheck %s --check-prefix=KERNEL
// RUN: rm -rf %t && mkdir %t
// RUN: %heddle cc %s -o %t/types -arch=sm_90 && env HEDDLE_GPU=h100 %t/types | FileCheck %s
// KERNEL: {{^}}k(
// CHECK: encoded 0 and 0
#include <cuda.h>
#include <cudaTypedefs.h>

#include <cstdio>

__global__ void k(const __grid_constant__ CUtensorMap map, int *p) { *p = 1; }

int main() {
  void *entry = nullptr, *data = nullptr;
  cudaDriverEntryPointQueryResult found;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &entry, cudaEnableDefault, &found);
  cudaMalloc(&data, 4096);
  CUtensorMap map;
  const cuuint64_t size[] = {32, 32}, stride[] = {128};
  const cuuint32_t box[] = {16, 8}, step[] = {1, 1};
  auto encode = [&](auto function) {
    return int(function(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, size, stride, box, step,
                        CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                        CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE));
  };
  const int plain = encode(PFN_cuTensorMapEncodeTiled(entry)),
            versioned = encode(PFN_cuTensorMapEncodeTiled_v12000(entry));
  std::printf("encoded %d and %d\n", plain, versioned);
}
