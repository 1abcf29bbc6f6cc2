// The body of a loop that is run through at most once is left behind without a way to it when the loop was unrolled. Its
// addresses are made of themselves there, and the JIT followed them for ever.
// RUN: %heddle run %s --grid 1 --block 128 --arg in:i32[256]=iota --arg differ:i32[1] --engine jit --dump differ -q | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 128 --arg in:i32[256]=iota --arg differ:i32[1] --engine interpreter --dump differ -q | FileCheck %s
// RUN: %heddle kernels %s --emit-llvm -q -o - | FileCheck %s --check-prefix=IR --implicit-check-not=atomicrmw
// CHECK: differ (i32[1]): 40
// IR: atomicrmw add
__global__ void compare(const int *in, int *differ) {
  __shared__ int s[512];
  const int t = threadIdx.x;
  s[t] = in[t] & ~1;
  __syncthreads();
  for (int i = t; i < 80; i += 128)
    if (s[1 + i] != in[1 + i])
      atomicAdd(differ, 1);
}
