// Two streams that copy and compute in turns, pinned memory, events, a callback.
#include "check.h"

__global__ void scale(float *v, int n, float by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    v[i] *= by;
}

static void CUDART_CB tell(void *data) { ++*(int *)data; }

int main() {
  const int n = 4096, chunks = 8, part = n / chunks;
  float *host, *device;
  CHECK(cudaMallocHost(&host, n * sizeof(float)));
  CHECK(cudaMalloc(&device, n * sizeof(float)));
  for (int i = 0; i < n; ++i)
    host[i] = i;
  cudaStream_t s[2];
  cudaEvent_t begin, end, done;
  CHECK(cudaStreamCreate(&s[0]));
  CHECK(cudaStreamCreate(&s[1]));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  CHECK(cudaEventRecord(begin));
  for (int c = 0; c < chunks; ++c) {
    cudaStream_t on = s[c % 2];
    CHECK(cudaMemcpyAsync(device + c * part, host + c * part,
                          part * sizeof(float), cudaMemcpyHostToDevice, on));
    scale<<<(part + 127) / 128, 128, 0, on>>>(device + c * part, part, 2.0f);
    CHECK(cudaMemcpyAsync(host + c * part, device + c * part,
                          part * sizeof(float), cudaMemcpyDeviceToHost, on));
  }
  CHECK(cudaEventRecord(done, s[1]));
  CHECK(cudaStreamWaitEvent(s[0], done, 0));
  int called = 0;
  CHECK(cudaLaunchHostFunc(s[0], tell, &called));
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  CHECK(cudaStreamSynchronize(s[0]));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  printf("kernels and copies took %.3f ms\n", ms);
  bool ok = called == 1 && ms >= 0;
  for (int i = 0; i < n; ++i)
    ok &= host[i] == 2.0f * i;
  for (cudaStream_t x : s)
    CHECK(cudaStreamDestroy(x));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaEventDestroy(done));
  CHECK(cudaFree(device));
  CHECK(cudaFreeHost(host));
  return verdict(ok);
}
