// The optimiser leads the first lane, where n is 2, around the barrier. Branches are added so that the warp
// meets in front of it, and results say so.
// RUN: %heddle simulate %s --grid 1 --block 64 --arg=p:i32[80]=zero --arg i32=1 --gpu v100 --json %t.json 2>%t.err | FileCheck %s --check-prefix=TIME
// TIME: cycles
// RUN: FileCheck %s < %t.err
// RUN: FileCheck %s < %t.json
// CHECK: kernel 'around', line [[#@LINE+10]]: the optimiser leads lanes around a barrier; branches were added so that they meet in front of it, which nvcc's code may not have
// RUN: %heddle run %s --grid 1 --block 64 --arg=p:i32[80]=zero --arg i32=1 -q --dump p | FileCheck %s --check-prefix=VALUES
// VALUES: p (i32[80]): 1 7 0 1 1 1
extern "C" __global__ void around(int *p, int n) {
  if (threadIdx.x == 0) {
    p[0] = 1;
    if (n != 2)
      p[1] = 7;
  }
  if (n == 1)
    __syncthreads();
  else
    p[2] = 5;
  p[threadIdx.x + 3] = n;
}

// Nothing is said where lanes meet in front of it anyway.
// RUN: %heddle run %kernels/reduction/reduction.cu -q --launch %kernels/reduction/reduction-large.yaml 2>&1 | FileCheck %s --check-prefix=NOTHING --allow-empty
// NOTHING-NOT: around a barrier
