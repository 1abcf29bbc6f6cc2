// Under --check what does not wait for a copy or a wgmma reads what was there
// before, and what waits later reads what was made. Each kernel is right with
// -DRIGHT.
// DEFINE: %{run} = %heddle run %s --arch sm_90a --grid 1 --block 128 --arg f32[128]=value:7 --arg o:f32[128]=value:-1 --check -q --dump o
// RUN: %status 1 %{run} --kernel copies 2> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel copies -- -DRIGHT | FileCheck %s --check-prefix=NEW
// RUN: %status 1 %{run} --kernel bulk 2>> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel bulk -- -DRIGHT | FileCheck %s --check-prefix=NEW
// RUN: %status 1 %{run} --kernel stored 2>> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel stored -- -DRIGHT | FileCheck %s --check-prefix=NEW
// RUN: %status 1 %{run} --kernel sums 2>> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel sums -- -DRIGHT | FileCheck %s --check-prefix=NEW
// RUN: %status 1 %{run} --kernel turns 2>> %t.err | FileCheck %s --check-prefix=BEHIND
// RUN: %{run} --kernel turns -- -DRIGHT | FileCheck %s --check-prefix=TURNS
// RUN: %status 1 %{run} --kernel pipelined 2>> %t.err | FileCheck %s --check-prefix=LATE
// RUN: %{run} --kernel pipelined -- -DRIGHT | FileCheck %s --check-prefix=LATER
// RUN: %status 1 %{run} --kernel factor 2>> %t.err | FileCheck %s --check-prefix=ZERO
// RUN: %{run} --kernel factor -- -DRIGHT | FileCheck %s --check-prefix=FACTOR
// RUN: %status 1 %{run} --kernel halves 2>> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel halves -- -DRIGHT | FileCheck %s --check-prefix=NEW
// OLD: o (f32[128]): -1 -1 -1 -1 -1 -1 -1 -1 7 7 7
// NEW: o (f32[128]): 7 7 7 7 7 7 7 7 7 7 7
// BEHIND: o (f32[128]): -1 3 7 11 15 15 15 15
// TURNS: o (f32[128]): 3 7 11 15 15 15 15 15
// LATE: o (f32[128]): -1 1 3 7 7 7 7 7
// LATER: o (f32[128]): 1 3 5 7 7 7 7 7
// ZERO: o (f32[128]): -1 -1 -1 -1 -1 -1 -1 -1
// FACTOR: o (f32[128]): 31 31 31 31 31 31 31 31
// RUN: FileCheck %s --implicit-check-not=error: --input-file=%t.err
#include <cstdint>
#include <cuda_fp16.h>

#ifdef RIGHT
constexpr bool Right = true;
#else
constexpr bool Right = false;
#endif

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
// The first eight threads look too early.
__device__ void show(float *out, float early, float late) {
  out[threadIdx.x] = threadIdx.x < 8 ? early : late;
}

extern "C" __global__ void copies(const float *in, float *out) {
  __shared__ float data[128];
  data[threadIdx.x] = -1;
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n"
               "cp.async.commit_group;" ::"r"(placeOf(data + threadIdx.x)),
               "l"(in + threadIdx.x)
               : "memory");
  if (Right)
    asm volatile("cp.async.wait_group 0;" ::: "memory");
  // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+1]]: read of 4 bytes at offset 0 of shared memory, to which the asynchronous copy
  const float early = *(volatile float *)&data[threadIdx.x];
  asm volatile("cp.async.wait_group 0;" ::: "memory");
  show(out, early, data[threadIdx.x]);
}

extern "C" __global__ void bulk(const float *in, float *out) {
  __shared__ alignas(128) float data[128];
  __shared__ uint64_t barrier;
  data[threadIdx.x] = -1;
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                     placeOf(&barrier))
                 : "memory");
  __syncthreads();
  if (threadIdx.x == 0)
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%2], 512;\n"
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
        "[%0], [%1], 512, [%2];" ::"r"(placeOf(data)),
        "l"(in), "r"(placeOf(&barrier))
        : "memory");
  auto wait = [&] {
    unsigned done;
    do
      asm volatile("{\n.reg .pred p;\n"
                   "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                   "selp.u32 %0, 1, 0, p;\n}"
                   : "=r"(done)
                   : "r"(placeOf(&barrier))
                   : "memory");
    while (!done);
  };
  if (Right)
    wait();
  // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+1]]: read of 4 bytes at offset 0 of shared memory, to which the bulk copy
  const float early = *(volatile float *)&data[threadIdx.x];
  __syncthreads();
  wait();
  show(out, early, data[threadIdx.x]);
}

// The copy has read, but not written.
extern "C" __global__ void stored(const float *in, float *out) {
  __shared__ alignas(128) float data[128];
  data[threadIdx.x] = in[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x != 0)
    return;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], 512;\n"
               "cp.async.bulk.commit_group;\n"
               "cp.async.bulk.wait_group.read 0;" ::"l"(out),
               "r"(placeOf(data))
               : "memory");
  if (Right)
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+1]]: read of 4 bytes at address {{.*}}, byte 0 of 'o' (512 bytes), to which the bulk copy
  const float early = *(volatile float *)&out[0];
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  for (int i = 0; i < 8; ++i)
    out[i] = early;
}

__device__ uint64_t descriptor(const void *p) {
  return placeOf(p) >> 4 | 8ull << 16 | 16ull << 32;
}
// Two elements of each row of A are one, and all of B: a product adds two.
__device__ void fill(uint16_t *a, uint16_t *b) {
  for (int i = threadIdx.x; i < 64 * 16; i += 128)
    a[i] = i % 8 == 0 ? 0x3c00 : 0;
  for (int i = threadIdx.x; i < 16 * 16; i += 128)
    b[i] = 0x3c00;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}
__device__ void add(float (&d)[4], const uint16_t *a, const uint16_t *b) {
  asm volatile("wgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(descriptor(a)), "l"(descriptor(b))
               : "memory");
}
__device__ void multiply(float (&d)[4], const uint16_t *a, const uint16_t *b) {
  add(d, a, b);
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
// The same in halves, for twice as many columns.
__device__ void multiply(unsigned (&d)[4], const uint16_t *a,
                         const uint16_t *b) {
  asm volatile("wgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sync.aligned.m64n16k16.f16.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;\n"
               "wgmma.commit_group.sync.aligned;"
               : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])
               : "l"(descriptor(a)), "l"(descriptor(b))
               : "memory");
}
template <int Left> __device__ void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}

// What is in flight adds up all the same.
extern "C" __global__ void sums(const float *in, float *out) {
  __shared__ alignas(128) uint16_t a[64 * 16], b[16 * 16];
  fill(a, b);
  float d[4] = {-1, -1, -1, -1};
  for (int i = 0; i < 4; ++i)
    multiply(d, a, b);
  if (Right)
    waitForProducts<0>();
  // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+1]]: use of sums that the wgmma at
  out[threadIdx.x] = d[0];
  waitForProducts<0>();
  if (threadIdx.x >= 8)
    out[threadIdx.x] = d[0];
}

// Groups of two products: the last one may be in flight.
extern "C" __global__ void turns(const float *in, float *out) {
  __shared__ alignas(128) uint16_t a[64 * 16], b[16 * 16];
  fill(a, b);
  float d[4] = {-1, -1, -1, -1};
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    add(d, a, b);
    multiply(d, a, b);
    waitForProducts<Right ? 0 : 1>();
    // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+1]]: use of sums that the wgmma at
    out[i] = d[0];
  }
  waitForProducts<0>();
  if (threadIdx.x >= 4)
    out[threadIdx.x] = d[0];
}

// The sums of a round are used in the next one.
extern "C" __global__ void pipelined(const float *in, float *out) {
  __shared__ alignas(128) uint16_t a[64 * 16], b[16 * 16];
  fill(a, b);
  float before[4] = {};
#pragma unroll 1
  for (int i = 0; i < 4; ++i) {
    const float first = 2 * i - 1;
    float d[4] = {first, first, first, first};
    multiply(d, a, b);
    waitForProducts<Right ? 1 : 2>();
    // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+2]]: use of sums that the wgmma at
    if (i > 0)
      out[i - 1] = before[0];
    for (int j = 0; j < 4; ++j)
      before[j] = d[j];
  }
  waitForProducts<0>();
  if (threadIdx.x >= 3)
    out[threadIdx.x] = before[0];
}

// The second product takes sums of the first as its A.
extern "C" __global__ void factor(const float *in, float *out) {
  __shared__ alignas(128) uint16_t a[64 * 16], b[16 * 16];
  fill(a, b);
  unsigned first[4] = {};
  multiply(first, a, b);
  if (Right)
    waitForProducts<0>();
  float d[4] = {-1, -1, -1, -1};
  // CHECK: error: {{.*}}stale-data.cu:[[#@LINE+1]]: use of sums that the wgmma at
  asm volatile("wgmma.fence.sync.aligned;\n"
               "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;\n"
               "wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(first[0]), "r"(first[1]), "r"(first[2]), "r"(first[3]),
                 "l"(descriptor(b))
               : "memory");
  out[threadIdx.x] = d[0];
}

// Two sums of a register.
extern "C" __global__ void halves(const float *in, float *out) {
  __shared__ alignas(128) uint16_t a[64 * 16], b[16 * 16];
  fill(a, b);
  unsigned d[4] = {0xbc00bc00, 0xbc00bc00, 0xbc00bc00, 0xbc00bc00};
  for (int i = 0; i < 4; ++i)
    multiply(d, a, b);
  if (Right)
    waitForProducts<0>();
  auto sum = [](unsigned &of) {
    const __half2 pair = *reinterpret_cast<__half2 *>(&of);
    return threadIdx.x % 2 ? __high2float(pair) : __low2float(pair);
  };
  // CHECK: error: {{.*}}stale-data.cu:[[#]]: use of sums that the wgmma at
  out[threadIdx.x] = sum(d[0]);
  waitForProducts<0>();
  if (threadIdx.x >= 8)
    out[threadIdx.x] = sum(d[2]);
}
