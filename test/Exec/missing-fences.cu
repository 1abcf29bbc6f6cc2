// --check finds a missing fence, copies that go to an mbarrier, and reads of what
// bulk copies write in global memory. Each kernel is right with -DRIGHT.
// DEFINE: %{run} = %heddle run %s --arch sm_90a --block 128 --arg f32[512]=iota --arg f32[1024]=zero --check -q
// DEFINE: %{wrong} = %status 1 %{run} --grid 2 --kernel
// DEFINE: %{right} = %{run} --grid 2 --kernel
// DEFINE: %{check} = FileCheck %s --implicit-check-not=error: --check-prefix
// RUN: %{wrong} arrivals 2>&1 | %{check}=ARRIVE
// RUN: %{right} arrivals -- -DRIGHT
// RUN: %{wrong} arrivals -- -DNOINC 2>&1 | %{check}=ARRIVE
// RUN: %{right} arrivals -- -DNOINC -DRIGHT
// RUN: %{wrong} before_copies 2>&1 | %{check}=BEFORE
// RUN: %{right} before_copies -- -DRIGHT
// RUN: %{wrong} target 2>&1 | %{check}=TARGET
// RUN: %{right} target -- -DRIGHT
// RUN: %{wrong} reductions 2>&1 | %{check}=REDUCE
// RUN: %{right} reductions -- -DRIGHT
// RUN: %{wrong} stored 2>&1 | %{check}=STORED
// RUN: %{right} stored -- -DRIGHT
// RUN: %{right} stored -- -DREADER
// RUN: %{wrong} stored -- -DEARLY 2>&1 | %{check}=STORED
// RUN: %{wrong} operands 2>&1 | %{check}=OPERANDS
// RUN: %{right} operands -- -DRIGHT
// RUN: %{wrong} first 2>&1 | %{check}=FIRST
// RUN: %{right} first -- -DRIGHT
// RUN: %{wrong} scaled 2>&1 | %{check}=SCALED
// RUN: %{right} scaled -- -DRIGHT
// RUN: %{wrong} in_registers 2>&1 | %{check}=REGS
// RUN: %{right} in_registers -- -DRIGHT
#include <cstdint>

#ifdef RIGHT
constexpr bool Right = true;
#else
constexpr bool Right = false;
#endif

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void init(uint64_t *barrier, int count) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(
                     placeOf(barrier)),
                 "r"(count)
                 : "memory");
  __syncthreads();
}
__device__ void wait(uint64_t *barrier, int parity) {
  unsigned done;
  do
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(placeOf(barrier)), "r"(parity)
                 : "memory");
  while (!done);
}
__device__ void copy(float *to, const float *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(placeOf(to)),
               "l"(from)
               : "memory");
}
__device__ void arriveWithCopies(uint64_t *barrier) {
#ifdef NOINC
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(
                   placeOf(barrier))
               : "memory");
#else
  asm volatile("cp.async.mbarrier.arrive.shared::cta.b64 [%0];\n"
               "mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(
                   placeOf(barrier))
               : "memory");
#endif
}
__device__ void fence() {
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}
__device__ void store(float *to, const float *from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
               "cp.async.bulk.commit_group;" ::"l"(to),
               "r"(placeOf(from)), "r"(bytes)
               : "memory");
}
__device__ void add(float *to, const float *from, int bytes) {
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 "
               "[%0], [%1], %2;\n"
               "cp.async.bulk.commit_group;" ::"l"(to),
               "r"(placeOf(from)), "r"(bytes)
               : "memory");
}
template <int Left, bool Read> __device__ void waitForStores() {
  if (Read)
    asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(Left) : "memory");
  else
    asm volatile("cp.async.bulk.wait_group %0;" ::"n"(Left) : "memory");
}

// Warps 0 and 1 copy, the others read.
extern "C" __global__ void arrivals(const float *in, float *out) {
  __shared__ float data[64];
  __shared__ uint64_t full;
  init(&full, 64);
  if (threadIdx.x < 64) {
    copy(data + threadIdx.x, in + threadIdx.x);
    arriveWithCopies(&full);
    return;
  }
  if (Right || threadIdx.x < 96)
    wait(&full, 0);
  // ARRIVE: error: {{.*}}missing-fences.cu:[[#@LINE+1]]: read of 4 bytes at offset 32 of shared memory, to which the asynchronous copy at {{.*}}missing-fences.cu:[[#]] of thread 8 may still write: that thread waits for its group (cp.async.wait_group) first, or the warp for the mbarrier of its cp.async.mbarrier.arrive (block (0, 0, 0), thread (96, 0, 0)), and 63 more
  out[threadIdx.x] = data[threadIdx.x / 4 - 16];
}
// The copy behind the arrival is not a part of it.
extern "C" __global__ void before_copies(const float *in, float *out) {
  __shared__ float data[128];
  __shared__ uint64_t full;
  init(&full, 128);
  if (Right)
    copy(data + threadIdx.x, in + threadIdx.x);
  arriveWithCopies(&full);
  if (!Right)
    copy(data + threadIdx.x, in + threadIdx.x);
  wait(&full, 0);
  // BEFORE: error: {{.*}}missing-fences.cu:[[#@LINE+1]]: read of 4 bytes at offset {{[0-9]+}} of shared memory, to which the asynchronous copy at {{.*}}missing-fences.cu:[[#]] of thread {{[0-9]+}} may still write: that thread waits for its group (cp.async.wait_group) first (block
  out[threadIdx.x] = data[127 - threadIdx.x];
}
// wait_group.read leaves the writing in flight.
extern "C" __global__ void target(const float *in, float *out) {
  __shared__ alignas(128) float data[128];
  data[threadIdx.x] = in[threadIdx.x];
  fence();
  __syncthreads();
  float *mine = out + 256 * blockIdx.x;
  if (threadIdx.x == 0) {
    store(mine, data, 512);
    waitForStores<0, !Right>();
  }
  __syncthreads();
  // TARGET: error: {{.*}}missing-fences.cu:[[#@LINE+1]]: read of 4 bytes at {{.*}}, to which the bulk copy at {{.*}}missing-fences.cu:[[#]] of thread 0 may still write: that thread waits for its group (cp.async.bulk.commit_group, then cp.async.bulk.wait_group, not .read) first (block (0, 0, 0), thread (0, 0, 0)), and
  mine[128 + threadIdx.x] = mine[127 - threadIdx.x] + 1;
}
// Sums may come in any order, and a copy may not come between.
extern "C" __global__ void reductions(const float *in, float *out) {
  __shared__ alignas(128) float data[128];
  data[threadIdx.x] = in[threadIdx.x];
  fence();
  __syncthreads();
  float *mine = out + 256 * blockIdx.x;
  if (threadIdx.x == 0) {
    add(mine, data, 512);
    add(mine, data, 256);
    if (Right)
      waitForStores<0, false>();
    // REDUCE: error: {{.*}}missing-fences.cu:[[#]]: write of 16 bytes at {{.*}}, to which the bulk copy at {{.*}} may still write
    store(mine, data, 256);
    waitForStores<0, false>();
  }
}
// The fence may also stand behind the barrier.
extern "C" __global__ void stored(const float *in, float *out) {
  __shared__ alignas(128) float data[128];
  data[threadIdx.x] = in[threadIdx.x];
#ifdef EARLY
  if (threadIdx.x == 0)
    fence();
#endif
  if (Right)
    fence();
  __syncthreads();
  if (threadIdx.x == 0) {
#ifdef READER
    fence();
#endif
    // STORED: error: {{.*}}missing-fences.cu:[[#]]: read of 16 bytes at offset {{[0-9]+}} of shared memory by the bulk copy, which warp [[#]] wrote at {{.*}}missing-fences.cu:[[#@LINE-12]] without fence.proxy.async: it executes fence.proxy.async.shared::cta between its write and the barrier before the copy (block (0, 0, 0), thread (0, 0, 0)), and
    store(out + 128 * blockIdx.x, data, 512);
    waitForStores<0, true>();
  }
}

// Eight lines of 16 bytes lie together, and so do the two halves of a row.
__device__ uint64_t descriptor(const float *p) {
  return placeOf(p) >> 4 | 8ull << 16 | 16ull << 32;
}
__device__ void fenceProducts() {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
}
__device__ void multiply(float (&d)[4], const float *a, const float *b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(descriptor(a)), "l"(descriptor(b)));
}
__device__ void multiply(float (&d)[4], const unsigned (&a)[4],
                         const float *b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, 1, 1, 1, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]),
                 "l"(descriptor(b)));
}
__device__ void waitForProducts() {
  asm volatile("wgmma.commit_group.sync.aligned;\n"
               "wgmma.wait_group.sync.aligned 0;" ::
                   : "memory");
}
// What the products multiply: 64 x 16 and 16 x 8 halves.
__device__ void fill(float *a, float *b, const float *in, bool fences) {
  for (int i = threadIdx.x; i < 512; i += 128)
    a[i] = in[i];
  if (threadIdx.x < 64)
    b[threadIdx.x] = in[threadIdx.x];
  if (fences)
    fence();
  __syncthreads();
}
extern "C" __global__ void operands(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in, Right);
  float d[4] = {};
  fenceProducts();
  // OPERANDS: error: {{.*}}missing-fences.cu:[[#]]: read of 16 bytes at offset {{[0-9]+}} of shared memory by the wgmma, which warp [[#]] wrote at {{.*}}missing-fences.cu:[[#]] without fence.proxy.async: it executes fence.proxy.async.shared::cta between its write and the barrier before the wgmma (block
  multiply(d, a, b);
  waitForProducts();
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
extern "C" __global__ void first(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in, true);
  float d[4] = {};
  if (Right)
    fenceProducts();
  // FIRST: error: {{.*}}missing-fences.cu:[[#]]: wgmma without a wgmma.fence before: the warp executes wgmma.fence.sync.aligned between the last access to the registers and the wgmma (block (0, 0, 0), thread (0, 0, 0)), and
  multiply(d, a, b);
  multiply(d, a, b); // the same sums need none
  waitForProducts();
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// Sums are scaled between two products, as attention does.
extern "C" __global__ void scaled(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in, true);
  float d[4] = {};
  fenceProducts();
  for (int i = 0; i < 3; ++i) {
    if (Right)
      fenceProducts();
    // SCALED: error: {{.*}}missing-fences.cu:[[#]]: wgmma on registers that were written at {{.*}}missing-fences.cu:[[#@LINE+4]] without wgmma.fence in between: the warp executes wgmma.fence.sync.aligned between the write and the wgmma (block
    multiply(d, a, b);
    waitForProducts();
    for (int j = 0; j < 4; ++j)
      d[j] *= in[i];
  }
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
extern "C" __global__ void in_registers(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in, true);
  float d[4] = {};
  unsigned r[4] = {};
  if (!Right)
    fenceProducts();
  for (int j = 0; j < 4; ++j)
    r[j] = __float_as_uint(a[threadIdx.x + 128 * j]);
  if (Right)
    fenceProducts();
  // REGS: error: {{.*}}missing-fences.cu:[[#]]: wgmma on registers that were written at {{.*}}missing-fences.cu:[[#@LINE-3]] without wgmma.fence
  multiply(d, r, b);
  waitForProducts();
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
