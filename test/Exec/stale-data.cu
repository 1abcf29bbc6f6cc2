// Under --check what does not wait for a copy reads what was there before, and
// what waits later reads what was copied. Each kernel is right with -DRIGHT.
// DEFINE: %{run} = %heddle run %s --arch sm_90a --grid 1 --block 128 --arg f32[128]=value:7 --arg o:f32[128]=value:-1 --check -q --dump o
// RUN: %status 1 %{run} --kernel copies 2> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel copies -- -DRIGHT | FileCheck %s --check-prefix=NEW
// RUN: %status 1 %{run} --kernel bulk 2>> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel bulk -- -DRIGHT | FileCheck %s --check-prefix=NEW
// RUN: %status 1 %{run} --kernel stored 2>> %t.err | FileCheck %s --check-prefix=OLD
// RUN: %{run} --kernel stored -- -DRIGHT | FileCheck %s --check-prefix=NEW
// OLD: o (f32[128]): -1 -1 -1 -1 -1 -1 -1 -1 7 7 7
// NEW: o (f32[128]): 7 7 7 7 7 7 7 7 7 7 7
// RUN: FileCheck %s --implicit-check-not=error: --input-file=%t.err
#include <cstdint>

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
