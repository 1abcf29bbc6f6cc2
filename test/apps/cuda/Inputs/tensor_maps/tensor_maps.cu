// Tiles of a matrix are transposed by two tensor maps that the host makes.

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

constexpr int Side = 32;

__device__ unsigned placeOf(const void *p) {
  return (unsigned)__cvta_generic_to_shared(p);
}

__global__ void transpose(const __grid_constant__ CUtensorMap from,
                          const __grid_constant__ CUtensorMap to) {
  __shared__ __align__(1024) float in[Side * Side], out[Side * Side];
  __shared__ uint64_t barrier;
  const unsigned at = placeOf(&barrier);
  const int x = blockIdx.x * Side, y = blockIdx.y * Side;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(at));
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(at),
                 "r"(Side * Side * 4)
                 : "memory");
    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::"
                 "complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(placeOf(in)),
                 "l"(&from), "r"(x), "r"(y), "r"(at)
                 : "memory");
  }
  __syncthreads();
  unsigned done;
  do
    asm volatile("{\n.reg .pred p;\n"
                 "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0;\n"
                 "selp.u32 %0, 1, 0, p;\n}"
                 : "=r"(done)
                 : "r"(at)
                 : "memory");
  while (!done);
  for (int i = threadIdx.x; i < Side * Side; i += blockDim.x) {
    const int row = i / Side, column = i % Side;
    // Both tiles are swizzled by spans of 128 bytes.
    out[column * Side + ((row / 4 ^ column % 8) * 4 + row % 4)] =
        in[row * Side + ((column / 4 ^ row % 8) * 4 + column % 4)];
  }
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group "
                 "[%0, {%1, %2}], [%3];" ::"l"(&to),
                 "r"(y), "r"(x), "r"(placeOf(out))
                 : "memory");
    asm volatile("cp.async.bulk.commit_group;");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
  }
}

typedef CUresult (*Encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t,
                           void *, const cuuint64_t *, const cuuint64_t *,
                           const cuuint32_t *, const cuuint32_t *,
                           CUtensorMapInterleave, CUtensorMapSwizzle,
                           CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

static CUresult encode(Encode make, CUtensorMap *map, float *data, int width,
                       int height, unsigned side, CUtensorMapSwizzle swizzle) {
  const cuuint64_t dims[] = {(cuuint64_t)width, (cuuint64_t)height};
  const cuuint64_t strides[] = {(cuuint64_t)width * 4};
  const cuuint32_t box[] = {side, Side}, steps[] = {1, 1};
  return make(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, dims, strides, box,
              steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
              CU_TENSOR_MAP_L2_PROMOTION_NONE,
              CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
}

int main() {
  const int width = 100, height = 72;
  std::vector<float> host(width * height), back(width * height);
  for (int i = 0; i < width * height; ++i)
    host[i] = (float)i;
  float *from, *to;
  cudaMalloc(&from, host.size() * 4);
  cudaMalloc(&to, host.size() * 4);
  cudaMemcpy(from, host.data(), host.size() * 4, cudaMemcpyHostToDevice);

  void *found = nullptr;
  cudaDriverEntryPointQueryResult how;
  cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &found, cudaEnableDefault,
                          &how);
  if (how != cudaDriverEntryPointSuccess)
    return 1;
  CUtensorMap in, out;
  if (encode((Encode)found, &in, from, width, height, Side,
             CU_TENSOR_MAP_SWIZZLE_128B) ||
      encode(cuTensorMapEncodeTiled, &out, to, height, width, Side,
             CU_TENSOR_MAP_SWIZZLE_128B))
    return 2;
  transpose<<<dim3((width + Side - 1) / Side, (height + Side - 1) / Side), 128>>>(
      in, out);
  cudaMemcpy(back.data(), to, back.size() * 4, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wrong += back[x * height + y] != host[y * width + x];
  printf("wrong: %d\n", wrong);

  // A box wider than the swizzle, and a base that is no multiple of 16.
  CUtensorMap bad;
  printf("wide: %d\n", (int)encode(cuTensorMapEncodeTiled, &bad, from, width,
                                   height, 64, CU_TENSOR_MAP_SWIZZLE_128B));
  printf("base: %d\n", (int)encode(cuTensorMapEncodeTiled, &bad, from + 1, width,
                                   height, Side, CU_TENSOR_MAP_SWIZZLE_128B));
  return wrong != 0;
}
