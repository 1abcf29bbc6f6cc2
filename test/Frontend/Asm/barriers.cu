// Barriers with a number and a count of threads: one warp fills two buffers,
// the other reads them.
// RUN: %heddle run %s --grid 1 --block 64 --arg f32[320]=iota --arg o:f32[32] --arg i32=10 --dump o | FileCheck %s
// RUN: %heddle run %s --grid 1 --block 64 --arg f32[320]=iota --arg o:f32[32] --arg i32=10 --dump o --engine interpreter | FileCheck %s
// CHECK: o (f32[32]): 12265 12210 12155 12100
__device__ void sync(int id) { asm volatile("bar.sync %0, %1;" ::"r"(id), "r"(64) : "memory"); }
__device__ void arrive(int id) { asm volatile("bar.arrive %0, %1;" ::"r"(id), "r"(64) : "memory"); }
__global__ void k(const float *in, float *out, int n) {
  __shared__ float buf[2][32];
  int lane = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    for (int t = 0; t < n; ++t) {
      if (t >= 2)
        sync(3 + t % 2);
      buf[t % 2][lane] = in[t * 32 + lane];
      __threadfence_block();
      arrive(1 + t % 2);
    }
    return;
  }
  float sum = 0;
  for (int t = 0; t < n; ++t) {
    sync(1 + t % 2);
    sum += buf[t % 2][31 - lane] * (t + 1);
    if (t + 2 < n)
      arrive(3 + t % 2);
  }
  out[lane] = sum;
}
