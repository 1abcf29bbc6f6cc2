// What wgmma needs, one message each with the line: sm_90a, whole warp groups, all
// lanes, descriptors that are equal, known and inside of shared memory.
// RUN: %status 1 %heddle run %s --kernel good --arch sm_90 --grid 1 --block 128 2>&1 | FileCheck %s --check-prefix=ARCH
// ARCH: error: {{.*}}warp-group-errors.cu:[[#@LINE+18]]: the kernel uses wgmma, an instruction of sm_90a alone; compile it with --arch sm_90a
// RUN: %heddle run %s --kernel good --arch sm_90a --grid 1 --block 128 2>&1 | FileCheck %s --check-prefix=GOOD
// GOOD: wgmma reads its operands at once, so that a missing fence or wait is found by run --check alone
// DEFINE: %{wrong} = %status 1 %heddle run %s --arch sm_90a --grid 1
// RUN: %{wrong} --kernel good --block 96 2>&1 | FileCheck %s --check-prefix=GROUP
// RUN: %{wrong} --kernel good --block 192 --engine interpreter 2>&1 | FileCheck %s --check-prefix=GROUP
// GROUP: error: {{.*}}warp-group-errors.cu:[[#@LINE+12]]: wgmma and setmaxnreg are executed by the four warps of a warp group
// RUN: %{wrong} --kernel divergent --block 128 2>&1 | FileCheck %s --check-prefix=LANES
// LANES: error: {{.*}}: matrix instruction {{.*}}that not all 32 lanes of the warp execute
// RUN: %{wrong} --kernel outside --block 128 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: %{wrong} --kernel outside --block 128 --engine interpreter 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: %{wrong} --kernel differs --block 128 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// RUN: %{wrong} --kernel reserved --block 128 2>&1 | FileCheck %s --check-prefix=DESCRIPTOR
// DESCRIPTOR: error: {{.*}}warp-group-errors.cu:[[#@LINE+5]]: a matrix descriptor of wgmma that differs between the lanes
__shared__ __align__(1024) char memory[4096];
__device__ void multiply(unsigned long long more) {
  unsigned long long a = ((unsigned)__cvta_generic_to_shared(memory) & 0x3ffff) >> 4;
  unsigned d0 = 0, d1 = 0;
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, %2, %3, 1, 1, 1, 0, 0;"
               : "+r"(d0), "+r"(d1) : "l"(a + (128ull >> 4 << 32)), "l"(a + more));
}
extern "C" __global__ void good() { multiply(0); }
extern "C" __global__ void divergent() { if (threadIdx.x % 32 < 7) multiply(0); }
extern "C" __global__ void outside() { multiply(4096 / 16 - 1); }
extern "C" __global__ void differs() { multiply(threadIdx.x); }
extern "C" __global__ void reserved() { multiply(1ull << 53); }
