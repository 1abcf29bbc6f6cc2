// warpSize is no constant to nvcc: its loops stay, and a division by it is one. Clang knows 32. Analyses take 32 as well.
// RUN: %heddle kernels --ptx --arch sm_80 --kernel k %s | FileCheck %s
// RUN: %heddle kernels --ptx --arch sm_80 --compiler clang --kernel k %s | FileCheck %s --check-prefix=CLANG
// RUN: %heddle run %s --kernel chosen --grid 1 --block 1 --arg o:i32[3]=zero --arg i32=7 --dump o | FileCheck %s --check-prefix=CHOSEN
// RUN: %heddle run %s --kernel k --grid 1 --block 64 --arg sums:f32[2]=zero --arg f32[64]=value:1 --dump sums | FileCheck %s --check-prefix=RESULT
// CHECK: mov.u32 [[SIZE:%r[0-9]+]], WARP_SZ;
// CHECK: shfl.sync
// CHECK-NOT: shfl.sync
// CHECK: div.u32 {{.*}}, [[SIZE]];
// CLANG-NOT: {{WARP_SZ|div}}
// CLANG-COUNT-5: shfl.sync
// CHOSEN: o (i32[3]): 7 32 7
// RESULT: sums (f32[2]): 32 32
__global__ void k(float *sums, const float *in) {
  float sum = in[threadIdx.x];
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(~0u, sum, mask);
  if (threadIdx.x % warpSize == 0)
    sums[threadIdx.x / warpSize] = sum;
}

// Its address may be taken: what is loaded may then be something else.
__device__ const int &smaller(const int &x, const int &y) { return x < y ? x : y; }
__global__ void chosen(int *o, int n) {
  const int other = n;
  o[0] = smaller(warpSize, other);
  o[1] = n > 3 ? warpSize : other;
  o[2] = n < 3 ? warpSize : other;
}
