// Copies and barriers as people write them with the headers of CUDA: right
// results on each architecture, and no finding of --check.
// DEFINE: %{run} = %heddle run %s --grid 2 --block 128 --arg f32[4096]=iota --arg o:f32[4096]=zero --dump o --check -q
// DEFINE: %{check} = FileCheck %s --implicit-check-not=error: --check-prefix
// DEFINE: %{kernel} = barrier_copy
// DEFINE: %{arch} = sm_70
// DEFINE: %{good} = %{run} --kernel %{kernel} --arch %{arch} | %{check}=TWICE
// RUN: %{good}
// REDEFINE: %{arch} = sm_80
// RUN: %{good}
// REDEFINE: %{kernel} = roles
// RUN: %{good}
// REDEFINE: %{kernel} = block_pipeline
// RUN: %{good}
// REDEFINE: %{kernel} = role_pipeline
// RUN: %{good}
// REDEFINE: %{kernel} = thread_pipeline
// RUN: %{good}
// REDEFINE: %{kernel} = primitives
// RUN: %{good}
// REDEFINE: %{arch} = sm_90
// REDEFINE: %{kernel} = barrier_copy
// RUN: %{good}
// REDEFINE: %{kernel} = ring
// RUN: %{good}
// REDEFINE: %{kernel} = stores
// RUN: %{good}
// REDEFINE: %{arch} = sm_70
// REDEFINE: %{kernel} = roles
// RUN: %{good}
// REDEFINE: %{kernel} = role_pipeline
// RUN: %{good}
// TWICE: o (f32[4096]): 0 2 4 6 8 10 12 14 16 18 20 22 24 26 28 30
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/utility>
#include <cuda_awbarrier_primitives.h>
#if __CUDA_ARCH__ >= 900
#include <cuda/ptx>
#endif

namespace cg = cooperative_groups;
using block_barrier = cuda::barrier<cuda::thread_scope_block>;
constexpr int Tile = 256, Tiles = 8; // of a block

// Two buffers; each has a barrier for the copy to it.
extern "C" __global__ void barrier_copy(const float *in, float *out) {
  __shared__ alignas(16) float data[2][Tile];
  __shared__ block_barrier ready[2];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) {
    init(&ready[0], block.size());
    init(&ready[1], block.size());
  }
  block.sync();
  in += blockIdx.x * Tile * Tiles;
  out += blockIdx.x * Tile * Tiles;
  cuda::memcpy_async(block, data[0], in, cuda::aligned_size_t<16>(Tile * 4),
                     ready[0]);
  for (int t = 0; t < Tiles; ++t) {
    if (t + 1 < Tiles)
      cuda::memcpy_async(block, data[(t + 1) & 1], in + (t + 1) * Tile,
                         cuda::aligned_size_t<16>(Tile * 4),
                         ready[(t + 1) & 1]);
    ready[t & 1].arrive_and_wait();
    for (int i = threadIdx.x; i < Tile; i += blockDim.x)
      out[t * Tile + i] = 2 * data[t & 1][(i + Tile) % Tile];
    block.sync();
  }
}

// Two warps fill buffers, the others use them.
__device__ void produce(block_barrier *ready, block_barrier *filled,
                        float (*data)[Tile], const float *in) {
  for (int t = 0; t < Tiles; ++t) {
    ready[t & 1].arrive_and_wait();
    for (int i = threadIdx.x; i < Tile; i += 64)
      data[t & 1][i] = in[t * Tile + i];
    block_barrier::arrival_token token = filled[t & 1].arrive();
    (void)token;
  }
}
__device__ void consume(block_barrier *ready, block_barrier *filled,
                        float (*data)[Tile], float *out) {
  (void)ready[0].arrive();
  (void)ready[1].arrive();
  for (int t = 0; t < Tiles; ++t) {
    filled[t & 1].arrive_and_wait();
    for (int i = threadIdx.x - 64; i < Tile; i += 64)
      out[t * Tile + i] = 2 * data[t & 1][i];
    (void)ready[t & 1].arrive();
  }
}
extern "C" __global__ void roles(const float *in, float *out) {
  __shared__ block_barrier bar[4];
  __shared__ float data[2][Tile];
  auto block = cg::this_thread_block();
  if (block.thread_rank() < 4)
    init(bar + block.thread_rank(), block.size());
  block.sync();
  const int first = blockIdx.x * Tile * Tiles;
  if (block.thread_rank() < 64)
    produce(bar, bar + 2, data, in + first);
  else
    consume(bar, bar + 2, data, out + first);
}

extern "C" __global__ void block_pipeline(const float *in, float *out) {
  constexpr int Stages = 3;
  __shared__ alignas(16) float data[Stages][Tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  in += blockIdx.x * Tile * Tiles;
  out += blockIdx.x * Tile * Tiles;
  for (int t = 0, next = 0; t < Tiles; ++t) {
    for (; next < Tiles && next < t + Stages; ++next) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, data[next % Stages], in + next * Tile,
                         sizeof(float) * Tile, pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    for (int i = threadIdx.x; i < Tile; i += blockDim.x)
      out[t * Tile + i] = data[t % Stages][Tile - 1 - (Tile - 1 - i)] * 2;
    pipe.consumer_release();
  }
}

extern "C" __global__ void role_pipeline(const float *in, float *out) {
  constexpr int Stages = 2;
  __shared__ alignas(16) float data[Stages][Tile];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages>
      state;
  auto block = cg::this_thread_block();
  const bool produces = block.thread_rank() < 32;
  auto pipe = cuda::make_pipeline(block, &state,
                                  produces ? cuda::pipeline_role::producer
                                           : cuda::pipeline_role::consumer);
  in += blockIdx.x * Tile * Tiles;
  out += blockIdx.x * Tile * Tiles;
  if (produces) {
    auto warp = cg::tiled_partition<32>(block);
    for (int t = 0; t < Tiles; ++t) {
      pipe.producer_acquire();
      cuda::memcpy_async(warp, data[t % Stages], in + t * Tile,
                         cuda::aligned_size_t<16>(sizeof(float) * Tile), pipe);
      pipe.producer_commit();
    }
    return;
  }
  for (int t = 0; t < Tiles; ++t) {
    pipe.consumer_wait();
    for (int i = threadIdx.x - 32; i < Tile; i += blockDim.x - 32)
      out[t * Tile + i] = 2 * data[t % Stages][i];
    pipe.consumer_release();
  }
}

extern "C" __global__ void thread_pipeline(const float *in, float *out) {
  __shared__ float data[2][128];
  auto pipe = cuda::make_pipeline();
  in += blockIdx.x * Tile * Tiles + threadIdx.x;
  out += blockIdx.x * Tile * Tiles + threadIdx.x;
  constexpr int Steps = Tile * Tiles / 128;
  for (int t = 0; t <= Steps; ++t) {
    if (t < Steps) {
      pipe.producer_acquire();
      cuda::memcpy_async(&data[t & 1][threadIdx.x], in + t * 128,
                         sizeof(float), pipe);
      pipe.producer_commit();
    }
    if (t == 0)
      continue;
    if (t < Steps)
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    else
      cuda::pipeline_consumer_wait_prior<0>(pipe);
    out[(t - 1) * 128] = 2 * data[(t - 1) & 1][threadIdx.x];
    pipe.consumer_release();
  }
}

extern "C" __global__ void primitives(const float *in, float *out) {
  __shared__ float data[Tile * Tiles];
  __shared__ __mbarrier_t bar;
  if (threadIdx.x == 0)
    __mbarrier_init(&bar, blockDim.x);
  __syncthreads();
  in += blockIdx.x * Tile * Tiles;
  out += blockIdx.x * Tile * Tiles;
  for (int i = threadIdx.x; i < Tile * Tiles; i += blockDim.x)
    __pipeline_memcpy_async(data + i, in + i, sizeof(float));
  __pipeline_arrive_on(&bar);
  __mbarrier_token_t token = __mbarrier_arrive(&bar);
  while (!__mbarrier_test_wait(&bar, token))
    ;
  for (int i = threadIdx.x; i < Tile * Tiles; i += blockDim.x)
    out[i] = data[i ^ 1 ^ 1] * 2;
}

#if __CUDA_ARCH__ >= 900
namespace ptx = cuda::ptx;
namespace cde = cuda::device::experimental;
// A warp fills a ring of buffers, whose barriers say when they are full and
// when they are empty.
extern "C" __global__ void ring(const float *in, float *out) {
  constexpr int Stages = 3;
  __shared__ alignas(128) float data[Stages][Tile];
  __shared__ uint64_t full[Stages], empty[Stages];
  if (threadIdx.x == 0) {
    for (int s = 0; s < Stages; ++s) {
      ptx::mbarrier_init(&full[s], 1);
      ptx::mbarrier_init(&empty[s], 3);
    }
    ptx::fence_proxy_async(ptx::space_shared);
  }
  __syncthreads();
  in += blockIdx.x * Tile * Tiles;
  out += blockIdx.x * Tile * Tiles;
  if (threadIdx.x >= 96) {
    if (threadIdx.x == 96)
      for (int t = 0; t < Tiles; ++t) {
        const int s = t % Stages, round = t / Stages;
        while (!ptx::mbarrier_try_wait_parity(&empty[s], ~round & 1))
          ;
        ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta,
                                       ptx::space_shared, &full[s], Tile * 4);
        ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, data[s],
                           in + t * Tile, Tile * 4, &full[s]);
      }
    return;
  }
  for (int t = 0; t < Tiles; ++t) {
    const int s = t % Stages, round = t / Stages;
    while (!ptx::mbarrier_try_wait_parity(&full[s], round & 1))
      ;
    for (int i = threadIdx.x; i < Tile; i += 96)
      out[t * Tile + i] = 2 * data[s][i];
    __syncwarp();
    if (threadIdx.x % 32 == 0)
      ptx::mbarrier_arrive(&empty[s]);
  }
}
// Tiles leave by bulk copies, two of which may be under way.
extern "C" __global__ void stores(const float *in, float *out) {
  __shared__ alignas(128) float data[2][Tile];
  in += blockIdx.x * Tile * Tiles;
  out += blockIdx.x * Tile * Tiles;
  for (int t = 0; t < Tiles; ++t) {
    if (threadIdx.x == 0)
      cde::cp_async_bulk_wait_group_read<1>();
    __syncthreads();
    for (int i = threadIdx.x; i < Tile; i += blockDim.x)
      data[t & 1][i] = 2 * in[t * Tile + i];
    cde::fence_proxy_async_shared_cta();
    __syncthreads();
    if (threadIdx.x == 0) {
      cde::cp_async_bulk_shared_to_global(out + t * Tile, data[t & 1],
                                          Tile * 4);
      cde::cp_async_bulk_commit_group();
    }
  }
  if (threadIdx.x == 0)
    cde::cp_async_bulk_wait_group_read<0>();
}
#endif
