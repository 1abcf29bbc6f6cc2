// --check reports rows of ldmatrix and stmatrix that do not begin at a multiple of
// 16 bytes, which is an error on hardware: each once, with the thread that gives it.
// DEFINE: %{check} = %heddle run %s --arch sm_90 --grid 1 --block 32 --arg i32[32]=zero --check -q --kernel
// RUN: %status 1 %{check} one --arg i32=8 2>&1 | FileCheck %s --check-prefix=ONE
// RUN: %{check} one --arg i32=16
// RUN: %status 1 %{check} two --arg i32=4 2>&1 | FileCheck %s --check-prefix=TWO
// RUN: %{check} two --arg i32=32
// RUN: %status 1 %{check} four --arg i32=2 2>&1 | FileCheck %s --check-prefix=FOUR
// RUN: %{check} four --arg i32=48
// RUN: %status 1 %{check} store --arg i32=12 2>&1 | FileCheck %s --check-prefix=STORE
// RUN: %{check} store --arg i32=64
__shared__ alignas(16) char data[1024];
__device__ void fill() {
  for (int i = threadIdx.x; i < 1024; i += 32)
    data[i] = 0;
  __syncthreads();
}
// All rows but the first four are where they should be.
__device__ unsigned row(int step, int count = 4) {
  const int wrong = threadIdx.x < count ? step : 0;
  return (unsigned)__cvta_generic_to_shared(data + 16 * threadIdx.x + wrong);
}

extern "C" __global__ void one(int *out, int step) {
  fill();
  int a;
  // ONE: error: {{.*}}misaligned-rows.cu:[[#@LINE+1]]: misaligned row of ldmatrix at an address that is 8 more than a multiple: it needs a multiple of 16 (block (0, 0, 0), thread (0, 0, 0)), and 3 more
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(a) : "r"(row(step)));
  out[threadIdx.x] = a;
}
extern "C" __global__ void two(int *out, int step) {
  fill();
  int a, b;
  // TWO: error: {{.*}}misaligned-rows.cu:[[#@LINE+1]]: misaligned row of ldmatrix at an address that is 4 more than a multiple: it needs a multiple of 16 (block (0, 0, 0), thread (0, 0, 0)), and 11 more
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(row(step, 12)));
  out[threadIdx.x] = a + b;
}
extern "C" __global__ void four(int *out, int step) {
  fill();
  int a, b, c, d;
  // FOUR: error: {{.*}}misaligned-rows.cu:[[#@LINE+1]]: misaligned row of ldmatrix at an address that is 2 more than a multiple: it needs a multiple of 16 (block (0, 0, 0), thread (0, 0, 0)), and 3 more
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(row(step)));
  out[threadIdx.x] = a + b + c + d;
}
extern "C" __global__ void store(int *out, int step) {
  fill();
  // STORE: error: {{.*}}misaligned-rows.cu:[[#@LINE+1]]: misaligned row of stmatrix at an address that is 12 more than a multiple: it needs a multiple of 16 (block (0, 0, 0), thread (0, 0, 0)), and 3 more
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(row(step)), "r"(threadIdx.x) : "memory");
  __syncthreads();
  out[threadIdx.x] = data[threadIdx.x];
}
