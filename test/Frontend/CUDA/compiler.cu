// Loops are unrolled as by nvcc: the array is in registers, and the loop around
// the barrier has groups of four. --compiler clang takes Clang's rules.
// RUN: %heddle kernels %s --ptx -o - | FileCheck %s --check-prefix=NVCC
// RUN: %heddle kernels %s --compiler clang --ptx -o - | FileCheck %s --check-prefix=CLANG
// RUN: %heddle kernels %s --compiler nvcc --ptx -o - | FileCheck %s --check-prefix=NVCC
// RUN: %heddle kernels %s -O 1 --ptx -o - | FileCheck %s --check-prefix=CLANG
// CLANG: .entry tile(
// CLANG: .local
// CLANG-COUNT-1: bar.sync
// CLANG-NOT: bar.sync
// NVCC: .entry tile(
// NVCC-NOT: .local
// NVCC-COUNT-5: bar.sync
// NVCC-NOT: bar.sync

// Both compute the same, and results say which it was.
// RUN: %heddle run %s --compiler clang --grid 1 --block 64 --arg f32[4096]=uniform:0:1:1 --arg o:f32[4096]=zero --arg i32=19 --arg i32=64 --dump o -q > %t.clang
// RUN: %heddle run %s --compiler nvcc --grid 1 --block 64 --arg f32[4096]=uniform:0:1:1 --arg o:f32[4096]=zero --arg i32=19 --arg i32=64 --dump o -q > %t.nvcc
// RUN: cmp %t.clang %t.nvcc
// RUN: %heddle simulate %s --grid 1 --block 64 --arg f32[4096] --arg f32[4096] --arg i32=19 --arg i32=64 -q --json - | FileCheck %s --check-prefix=JSON
// JSON: "loops": "nvcc"
// RUN: %heddle simulate %s --compiler clang --grid 1 --block 64 --arg f32[4096] --arg f32[4096] --arg i32=19 --arg i32=64 -q --json - | FileCheck %s --check-prefix=JSON-CLANG
// JSON-CLANG: "flags": [
// JSON-CLANG-NEXT: "--compiler=clang"
// JSON-CLANG: "loops": "clang"
// RUN: %status 2 %heddle kernels %s --compiler gcc 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: --compiler: gcc not in {nvcc,clang}

extern "C" __global__ void tile(const float *in, float *out, int n, int width) {
  float sum[32];
#pragma unroll
  for (int i = 0; i < 32; ++i)
    sum[i] = in[i * 64 + threadIdx.x];
  __shared__ float kept[64];
  for (int k = 0; k < n; k += 4) {
    kept[threadIdx.x] = in[k];
    __syncthreads();
    sum[0] += kept[threadIdx.x ^ 1];
  }
  for (int i = 0; i < 32; ++i)
    out[i * width + threadIdx.x] = sum[i] * sum[(i + 1) % 32] + sum[(i + 2) % 32];
}
