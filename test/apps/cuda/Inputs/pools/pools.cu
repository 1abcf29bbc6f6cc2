// A solver whose temporaries come from a pool, in the order of its stream.
#include "../check.h"
#include <cassert>
#include <vector>

__global__ void relax(const float *from, float *to, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    to[i] = i == 0 || i == n - 1 ? from[i]
                                 : 0.5f * (from[i - 1] + from[i + 1]);
}
__global__ void mustBePositive(const float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    assert(x[i] >= 0);
}

int main() {
  const int n = 500;
  const size_t bytes = n * sizeof(float);
  int supported = 0;
  CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
  bool ok = supported == 1;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  cudaMemPool_t pool, own;
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  unsigned long long keep = ~0ull, used = 1, high = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  cudaMemPoolProps props = {};
  props.allocType = cudaMemAllocationTypePinned;
  props.location.type = cudaMemLocationTypeDevice;
  CHECK(cudaMemPoolCreate(&own, &props));

  std::vector<float> host(n, 0.0f), want(n, 0.0f);
  host[0] = want[0] = 1;
  float *now;
  CHECK(cudaMallocAsync(&now, bytes, stream));
  CHECK(cudaMemcpyAsync(now, host.data(), bytes, cudaMemcpyHostToDevice,
                        stream));
  for (int step = 0; step < 20; ++step) {
    float *next;
    CHECK(step % 2 ? cudaMallocFromPoolAsync(&next, bytes, own, stream)
                   : cudaMallocAsync(&next, bytes, stream));
    relax<<<(n + 127) / 128, 128, 0, stream>>>(now, next, n);
    CHECK(cudaFreeAsync(now, stream));
    now = next;
    std::vector<float> was(want);
    for (int i = 1; i < n - 1; ++i)
      want[i] = 0.5f * (was[i - 1] + was[i + 1]);
  }
  mustBePositive<<<(n + 127) / 128, 128, 0, stream>>>(now, n);
  CHECK(cudaMemcpyAsync(host.data(), now, bytes, cudaMemcpyDeviceToHost,
                        stream));
  CHECK(cudaFreeAsync(now, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used));
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &high));
  ok &= host == want && used == 0 && high >= bytes;
  CHECK(cudaMemPoolTrimTo(pool, 0));
  CHECK(cudaMemPoolDestroy(own));
  ok &= cudaMemPoolDestroy(own) == cudaErrorInvalidValue;
  return verdict(ok);
}
