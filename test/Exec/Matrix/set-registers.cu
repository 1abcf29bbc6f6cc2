// setmaxnreg changes no value. What it needs is named with the line: sm_90a, counts
// that exist, whole warps and warp groups, and the same in all warps of a group.
// RUN: %heddle run %s --kernel good --arch sm_90a --grid 2 --block 256 --arg out:i32[512]=zero --engine jit --dump out | FileCheck %s --check-prefix=GOOD
// RUN: %heddle run %s --kernel good --arch sm_90a --grid 2 --block 256 --arg out:i32[512]=zero --engine interpreter --dump out | FileCheck %s --check-prefix=GOOD
// GOOD: out (i32[512]): 40 40 40
// RUN: %status 1 %heddle run %s --kernel good --arch sm_80 --grid 2 --block 256 --arg out:i32[512]=zero 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: {{.*}}set-registers.cu:[[#@LINE+25]]: the kernel uses setmaxnreg, an instruction of sm_90a alone; compile it with --arch sm_90a
// DEFINE: %{wrong} = %status 1 %heddle run %s --arch sm_90a --grid 1
// RUN: %{wrong} --kernel odd --block 128 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: {{.*}}set-registers.cu:[[#@LINE+19]]: the kernel uses setmaxnreg with 100 registers; it takes multiples of 8 from 24 to 256
// RUN: %{wrong} --kernel less --block 128 2>&1 | FileCheck %s --check-prefix=LESS
// RUN: %{wrong} --kernel less --block 128 --engine interpreter 2>&1 | FileCheck %s --check-prefix=LESS
// LESS: error: {{.*}}set-registers.cu:[[#@LINE+17]]: setmaxnreg.inc to fewer registers than the warp has, or .dec to more
// RUN: %{wrong} --kernel less --block 96 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: %{wrong} --kernel less --block 96 --engine interpreter 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: {{.*}}: wgmma and setmaxnreg are executed by the four warps of a warp group
// RUN: %{wrong} --kernel lane --block 128 2>&1 | FileCheck %s --check-prefix=LANE
// LANE: error: {{.*}}setmaxnreg that not all 32 lanes of the warp execute
// RUN: %{wrong} --kernel alone --block 128 2>&1 | FileCheck %s --check-prefix=ALONE
// RUN: %{wrong} --kernel alone --block 128 --engine interpreter 2>&1 | FileCheck %s --check-prefix=ALONE
// ALONE: error: {{.*}}set-registers.cu:[[#@LINE+18]]: setmaxnreg that the four warps of a warp group do not execute alike

// Of LLVM's intrinsics too, whose counts LLVM checks.
// RUN: %status 1 %heddle run %S/Inputs/set-registers.ll --arch sm_90 --grid 1 --block 128 2>&1 | FileCheck %s --check-prefix=IRARCH
// IRARCH: uses setmaxnreg, an instruction of sm_90a alone
// RUN: %heddle run %S/Inputs/set-registers.ll --kernel right --arch sm_90a --grid 1 --block 128

#define SET(HOW, N) asm volatile("setmaxnreg." HOW ".sync.aligned.u32 %0;" ::"n"(N))
extern "C" __global__ void odd() { SET("dec", 100); }
extern "C" __global__ void less() { SET("dec", 40); SET("inc", 32); }
extern "C" __global__ void good(int *out) {
  SET("dec", 40);
  out[blockIdx.x * blockDim.x + threadIdx.x] = 40;
}
extern "C" __global__ void lane() {
  if (threadIdx.x % 32 == 0)
    SET("dec", 40);
}
extern "C" __global__ void alone() { if (threadIdx.x / 32 == 2) SET("dec", 40); }
