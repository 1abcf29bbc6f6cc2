// warpSize is no constant to nvcc: its loops stay, and a division by it is one. Clang knows 32. Analyses take 32 as well.
// RUN: %heddle kernels --ptx --arch sm_80 %s | FileCheck %s
// RUN: %heddle kernels --ptx --arch sm_80 --compiler clang %s | FileCheck %s --check-prefix=CLANG
// RUN: %heddle run %s --grid 1 --block 64 --arg sums:f32[2]=zero --arg f32[64]=value:1 --dump sums | FileCheck %s --check-prefix=RESULT
// CHECK: mov.u32 [[SIZE:%r[0-9]+]], WARP_SZ;
// CHECK: shfl.sync
// CHECK-NOT: shfl.sync
// CHECK: div.u32 {{.*}}, [[SIZE]];
// CLANG-NOT: {{WARP_SZ|div}}
// CLANG-COUNT-5: shfl.sync
// RESULT: sums (f32[2]): 32 32
__global__ void k(float *sums, const float *in) {
  float sum = in[threadIdx.x];
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(~0u, sum, mask);
  if (threadIdx.x % warpSize == 0)
    sums[threadIdx.x / warpSize] = sum;
}
