// What leaves a kernel by inline PTX does nothing more there, and the others'
// barrier opens without it. It was executed as if nothing stood there.
// DEFINE: %{run} = %heddle run %s -q --grid 1 --block 64 --arg p:i32[64]=iota --dump p
// RUN: %{run} --kernel barrier --arg i32=3 | FileCheck %s
// RUN: %{run} --kernel barrier --arg i32=3 --engine interpreter | FileCheck %s
// CHECK: p (i32[64]): 100 101 102 7 104 105
// RUN: %{run} --kernel guarded --arg i32=2 | FileCheck %s --check-prefix=GUARDED
// GUARDED: p (i32[64]): 0 1 102 103
// All leave: six instructions for each of three warps.
// RUN: %heddle simulate %s --kernel barrier --isa ir --grid 1 --block 96 --arg i32[96]=zero --arg i32=0 --gpu v100 -q --json - | FileCheck %s --check-prefix=ALL
// ALL: "issued_instructions": 18,

__device__ void leave() { asm volatile("exit;"); }

__global__ void barrier(int *p, int n) {
  if (p[threadIdx.x] == n) {
    p[threadIdx.x] = 7;
    leave();
  }
  __syncthreads();
  p[threadIdx.x] += 100;
}

__global__ void guarded(int *p, int n) {
  asm volatile("{ .reg .pred low; setp.lt.s32 low, %0, %1; @low exit; }" ::"r"((int)threadIdx.x), "r"(n));
  p[threadIdx.x] += 100;
}
