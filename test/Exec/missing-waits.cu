// --check finds a missing wait for a bulk copy and for wgmma. Each kernel is right
// with -DRIGHT.
// DEFINE: %{run} = %heddle run %s --arch sm_90a --block 128 --arg f32[512]=iota --arg f32[1024]=zero --check -q
// DEFINE: %{wrong} = %status 1 %{run} --grid 2 --kernel
// DEFINE: %{right} = %{run} --grid 2 --kernel
// DEFINE: %{check} = FileCheck %s --implicit-check-not=error: --check-prefix
// RUN: %{wrong} load 2>&1 | %{check}=LOAD
// RUN: %{right} load -- -DRIGHT
// RUN: %{wrong} one_waits 2>&1 | %{check}=ONE
// RUN: %{right} one_waits -- -DRIGHT
// RUN: %{wrong} second_phase 2>&1 | %{check}=SECOND
// RUN: %{right} second_phase -- -DRIGHT
// RUN: %{wrong} overwritten 2>&1 | %{check}=OVER
// RUN: %{right} overwritten -- -DRIGHT
// RUN: %{wrong} source 2>&1 | %{check}=SOURCE
// RUN: %{right} source -- -DRIGHT
// RUN: %{wrong} source -- -DUNCOMMITTED 2>&1 | %{check}=SOURCE
// RUN: %{wrong} one_left 2>&1 | FileCheck %s --check-prefix=LEFT
// RUN: %{right} one_left -- -DRIGHT
// RUN: %{wrong} sums 2>&1 | %{check}=SUMS
// RUN: %{right} sums -- -DRIGHT
// RUN: %{wrong} sums -- -DUNCOMMITTED 2>&1 | %{check}=SUMS
// RUN: %{wrong} in_turn 2>&1 | %{check}=TURN
// RUN: %{right} in_turn -- -DRIGHT
// RUN: %{wrong} operands 2>&1 | %{check}=OPERANDS
// RUN: %{right} operands -- -DRIGHT
// RUN: %{wrong} loaded_operand 2>&1 | %{check}=LOADED
// RUN: %{right} loaded_operand -- -DRIGHT
// RUN: %{wrong} sent 2>&1 | %{check}=SENT
// RUN: %{right} sent -- -DRIGHT
#include <cstdint>

#ifdef RIGHT
constexpr bool Right = true;
#else
constexpr bool Right = false;
#endif
#ifdef UNCOMMITTED
constexpr bool Commits = false;
#else
constexpr bool Commits = true;
#endif

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}
__device__ void init(uint64_t *barrier) {
  if (threadIdx.x == 0)
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(
                     placeOf(barrier))
                 : "memory");
  __syncthreads();
}
__device__ void expect(uint64_t *barrier, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(
                   placeOf(barrier)),
               "r"(bytes)
               : "memory");
}
__device__ void copy(float *to, const float *from, int bytes,
                     uint64_t *barrier) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::"
               "bytes [%0], [%1], %2, [%3];" ::"r"(placeOf(to)),
               "l"(from), "r"(bytes), "r"(placeOf(barrier))
               : "memory");
}
__device__ void load(float *to, const float *from, int bytes,
                     uint64_t *barrier) {
  expect(barrier, bytes);
  copy(to, from, bytes, barrier);
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
__device__ void store(float *to, const float *from, int bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::
                   "l"(to),
               "r"(placeOf(from)), "r"(bytes)
               : "memory");
  if (Commits)
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
// Eight lines of 16 bytes lie together, and so do the two halves of a row.
__device__ uint64_t descriptor(const float *p) {
  return placeOf(p) >> 4 | 8ull << 16 | 16ull << 32;
}
__device__ void multiply(float (&d)[4], const float *a, const float *b) {
  asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
  asm volatile("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 "
               "{%0, %1, %2, %3}, %4, %5, 1, 1, 1, 0, 0;"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "l"(descriptor(a)), "l"(descriptor(b)));
  if (Commits)
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
}
template <int Left> __device__ void waitForProducts() {
  asm volatile("wgmma.wait_group.sync.aligned %0;" ::"n"(Left) : "memory");
}
// What the products multiply: 64 x 16 and 16 x 8 halves.
__device__ void fill(float *a, float *b, const float *in) {
  for (int i = threadIdx.x; i < 512; i += 128)
    a[i] = in[i];
  if (threadIdx.x < 64)
    b[threadIdx.x] = in[threadIdx.x];
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
}

extern "C" __global__ void load(const float *in, float *out) {
  __shared__ alignas(128) float data[256];
  __shared__ uint64_t barrier;
  init(&barrier);
  if (threadIdx.x == 0)
    load(data, in, 1024, &barrier);
  if (Right)
    wait(&barrier, 0);
  __syncthreads();
  // LOAD: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: read of 4 bytes at offset 0 of shared memory, to which the bulk copy at {{.*}}missing-waits.cu:[[#]] may still write: the warp, or one that it meets at a barrier, waits for its mbarrier at byte 1024 (mbarrier.try_wait) first (block (0, 0, 0), thread (0, 0, 0)), and 255 more
  out[threadIdx.x] = data[threadIdx.x];
}
// The other warps have neither waited nor met the one that has.
extern "C" __global__ void one_waits(const float *in, float *out) {
  __shared__ alignas(128) float data[256];
  __shared__ uint64_t barrier;
  init(&barrier);
  if (threadIdx.x == 0)
    load(data, in, 1024, &barrier);
  if (threadIdx.x < 32)
    wait(&barrier, 0);
  if (Right)
    __syncthreads();
  // ONE: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: read of 4 bytes at offset 128 of shared memory, to which the bulk copy at {{.*}}
  out[threadIdx.x] = data[threadIdx.x];
}
// A wait that finds the phase before ended is none.
extern "C" __global__ void second_phase(const float *in, float *out) {
  __shared__ alignas(128) float data[256];
  __shared__ uint64_t barrier;
  init(&barrier);
  if (threadIdx.x == 0)
    load(data, in, 1024, &barrier);
  wait(&barrier, 0);
  __syncthreads();
  if (threadIdx.x == 0) {
    expect(&barrier, 1024);
    copy(data, in, 512, &barrier);
    if (Right)
      copy(data + 128, in, 512, &barrier);
  }
  wait(&barrier, Right ? 1 : 0);
  __syncthreads();
  // SECOND: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: read of 4 bytes at offset 0 of shared memory, to which the bulk copy at
  out[threadIdx.x] = data[threadIdx.x];
  if (!Right && threadIdx.x == 0)
    copy(data + 128, in, 512, &barrier);
  wait(&barrier, 1);
}
extern "C" __global__ void overwritten(const float *in, float *out) {
  __shared__ alignas(128) float data[256];
  __shared__ uint64_t barrier;
  init(&barrier);
  if (threadIdx.x == 0)
    load(data, in, 1024, &barrier);
  if (Right)
    wait(&barrier, 0);
  __syncthreads();
  // OVER: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: write of 4 bytes at offset 0 of shared memory, to which the bulk copy at
  data[threadIdx.x] = 0;
}
extern "C" __global__ void source(const float *in, float *out) {
  __shared__ alignas(128) float data[128];
  for (int i = 0; i < 2; ++i) {
    // SOURCE: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: write of 4 bytes at offset 0 of shared memory, from which the bulk copy at {{.*}}missing-waits.cu:[[#]] of thread 0 may still read: that thread waits for its group (cp.async.bulk.commit_group, then cp.async.bulk.wait_group.read) first (block (0, 0, 0), thread (0, 0, 0)), and
    data[threadIdx.x] = in[threadIdx.x] + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      store(out + 256 * blockIdx.x + 128 * i, data, 512);
      if (Right || !Commits)
        asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory");
    }
    __syncthreads();
  }
}
// Two halves in turn; the copy from one of them may be under way.
extern "C" __global__ void one_left(const float *in, float *out) {
  __shared__ alignas(128) float data[2][128];
  for (int i = 0; i < 4; ++i) {
    if (threadIdx.x == 0) {
      if (Right)
        asm volatile("cp.async.bulk.wait_group.read 1;" ::: "memory");
      else
        asm volatile("cp.async.bulk.wait_group.read 2;" ::: "memory");
    }
    __syncthreads();
    // LEFT: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: write of 4 bytes at offset 0 of shared memory, from which the bulk copy at
    data[i & 1][threadIdx.x] = in[threadIdx.x] + i;
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0)
      store(out + 512 * blockIdx.x + 128 * i, data[i & 1], 512);
  }
}
extern "C" __global__ void sums(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in);
  float d[4] = {};
  multiply(d, a, b);
  multiply(d, a, b); // adds to sums in flight, which is allowed
  if (Right || !Commits)
    waitForProducts<0>();
  // SUMS: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: use of sums that the wgmma at {{.*}}missing-waits.cu:[[#]] may still make: its warp waits for its group (wgmma.commit_group, then wgmma.wait_group) first (block (0, 0, 0), thread (0, 0, 0)), and
  out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
}
// The sums of one product are used while the next is in flight.
extern "C" __global__ void in_turn(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in);
  float before[4] = {}, total = 0;
  for (int i = 0; i < 4; ++i) {
    float d[4] = {};
    multiply(d, a, b);
    if (Right)
      waitForProducts<1>();
    else
      waitForProducts<2>();
    // TURN: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: use of sums that the wgmma at
    total += before[0] + before[1] + before[2] + before[3];
    for (int j = 0; j < 4; ++j)
      before[j] = d[j];
  }
  waitForProducts<0>();
  out[threadIdx.x] = total + before[0];
}
extern "C" __global__ void operands(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  fill(a, b, in);
  float d[4] = {};
  multiply(d, a, b);
  if (Right)
    waitForProducts<0>();
  __syncthreads();
  // OPERANDS: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: write of 4 bytes at offset {{[0-9]+}} of shared memory, from which the wgmma at {{.*}}missing-waits.cu:[[#]] of warp {{[0-3]}} may still read: that warp waits for its group (wgmma.commit_group, then wgmma.wait_group) first (block (0, 0, 0), thread (0, 0, 0)), and
  a[threadIdx.x] = 0;
  waitForProducts<0>();
  out[threadIdx.x] = d[0];
}
extern "C" __global__ void loaded_operand(const float *in, float *out) {
  __shared__ alignas(128) float a[512], b[64];
  __shared__ uint64_t barrier;
  fill(a, b, in);
  init(&barrier);
  if (threadIdx.x == 0)
    load(a, in, 2048, &barrier);
  if (Right)
    wait(&barrier, 0);
  __syncthreads();
  float d[4] = {};
  // LOADED: error: {{.*}}missing-waits.cu:[[#]]: read of 16 bytes at offset {{[0-9]+}} of shared memory, to which the bulk copy at {{.*}} may still write
  multiply(d, a, b);
  waitForProducts<0>();
  out[threadIdx.x] = d[0];
}
// Each block sends to the other, which waits.
extern "C" __global__ void __cluster_dims__(2) sent(const float *in,
                                                    float *out) {
  __shared__ alignas(128) float data[128], got[128];
  __shared__ uint64_t barrier;
  data[threadIdx.x] = in[threadIdx.x];
  init(&barrier);
  if (threadIdx.x == 0)
    expect(&barrier, 512);
  asm volatile("fence.proxy.async.shared::cta;\n"
               "barrier.cluster.arrive.release;\n"
               "barrier.cluster.wait.acquire;" ::
                   : "memory");
  if (threadIdx.x == 0)
    asm volatile("{\n.reg .b32 to, at;\n"
                 "mapa.shared::cluster.u32 to, %0, %2;\n"
                 "mapa.shared::cluster.u32 at, %1, %2;\n"
                 "cp.async.bulk.shared::cluster.shared::cta.mbarrier::"
                 "complete_tx::bytes [to], [%3], 512, [at];\n}" ::"r"(
                     placeOf(got)),
                 "r"(placeOf(&barrier)), "r"(blockIdx.x ^ 1),
                 "r"(placeOf(data))
                 : "memory");
  if (Right)
    wait(&barrier, 0);
  asm volatile("barrier.cluster.arrive.release;\n"
               "barrier.cluster.wait.acquire;" ::
                   : "memory");
  // SENT: error: {{.*}}missing-waits.cu:[[#@LINE+1]]: read of 4 bytes at offset {{[0-9]+}} of shared memory, to which the bulk copy at {{.*}} may still write: {{.*}}, and 255 more
  out[128 * blockIdx.x + threadIdx.x] = got[threadIdx.x];
}
