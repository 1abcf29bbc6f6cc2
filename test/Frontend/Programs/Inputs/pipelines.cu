#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/cstdint>
#include <cuda/std/type_traits>
#include <cuda_fp16.h>
#include <iostream>
#pragma nv_diag_suppress static_var_with_dynamic_init
namespace cg = cooperative_groups;

template <typename T, int Stages, int Tile>
__global__ void __launch_bounds__(Tile) staged_sum(T *__restrict__ out, const T *__restrict__ in, std::size_t tiles) {
  auto block = cg::this_thread_block();
  extern __shared__ __align__(16) unsigned char storage[];
  T *buffers = reinterpret_cast<T *>(storage);
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, Stages> state;
  auto pipe = cuda::make_pipeline(block, &state);
  const std::size_t stride = gridDim.x;
  T acc = T(0);
  std::size_t fetch = blockIdx.x, compute = blockIdx.x;
  for (; compute < tiles; compute += stride) {
    for (; fetch < tiles && fetch < compute + Stages * stride; fetch += stride) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, buffers + ((fetch / stride) % Stages) * Tile, in + fetch * Tile,
                         cuda::aligned_size_t<16>(sizeof(T) * Tile), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    acc += buffers[((compute / stride) % Stages) * Tile + block.thread_rank()];
    pipe.consumer_release();
  }
  auto warp = cg::tiled_partition<32>(block);
  float total = cg::reduce(warp, float(acc), cg::plus<float>());
  if (warp.thread_rank() == 0)
    out[blockIdx.x * (Tile / 32) + warp.meta_group_rank()] = T(total);
}

__global__ void with_barrier(const int4 *in, int *out) {
  using barrier = cuda::barrier<cuda::thread_scope_block>;
  __shared__ barrier bar;
  __shared__ alignas(16) int4 chunk[128];
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0)
    init(&bar, block.size());
  block.sync();
  cuda::memcpy_async(block, chunk, in + blockIdx.x * 128, sizeof(chunk), bar);
  barrier::arrival_token token = bar.arrive();
  bar.wait(std::move(token));
  cuda::std::array<int, 4> v{chunk[threadIdx.x].x, chunk[threadIdx.x].y, chunk[threadIdx.x].z, chunk[threadIdx.x].w};
  int s = 0;
  for (int x : v)
    s += x;
  static_assert(cuda::std::is_same<decltype(s), int>::value, "");
  out[blockIdx.x * 128 + threadIdx.x] = s;
  bar.arrive_and_wait();
}

template __global__ void staged_sum<float, 3, 128>(float *, const float *, std::size_t);
int main() {
  staged_sum<__half, 2, 256><<<8, 256, 2 * 256 * sizeof(__half)>>>(nullptr, nullptr, 0);
  with_barrier<<<4, 128>>>(nullptr, nullptr);
  std::cout << cudaGetErrorString(cudaDeviceSynchronize()) << std::endl;
}
