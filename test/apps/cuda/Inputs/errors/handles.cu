// Uses what no longer exists, or never did, without touching memory.
#include "check.h"

__global__ void touch(int *p) { p[0] = 1; }
__device__ int variable[4];

static void tell(const char *what, cudaError_t got) {
  printf("%s: %s\n", what, cudaGetErrorName(got));
}

int main() {
  int *p, *pinned, host = 0;
  CHECK(cudaMalloc(&p, 4096));
  void *args[] = {&p}, *found;
  size_t bytes;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamDestroy(stream));
  touch<<<1, 1, 0, stream>>>(p);
  tell("launch", cudaGetLastError());
  tell("copy", cudaMemcpyAsync(p, &host, 4, cudaMemcpyHostToDevice, stream));
  tell("fill", cudaMemsetAsync(p, 0, 4, stream));
  tell("callback", cudaLaunchHostFunc(stream, [](void *) {}, nullptr));
  tell("flags", cudaStreamGetFlags(stream, (unsigned *)&host));
  tell("wait", cudaStreamSynchronize(stream));
  tell("destroy", cudaStreamDestroy(stream));
  cudaEvent_t event;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaEventDestroy(event));
  tell("record", cudaEventRecord(event));
  tell("function", cudaLaunchKernel((void *)main, dim3(1), dim3(1), args, 0, 0));
  tell("symbol", cudaGetSymbolAddress(&found, host));
  tell("size", cudaGetSymbolSize(&bytes, host));
  tell("too long", cudaMemcpyToSymbol(variable, args, 32));
  tell("pageable", cudaHostGetDevicePointer(&found, &host, 0));
  CHECK(cudaMallocHost(&pinned, 64));
  tell("kind", cudaFree(pinned));
  tell("middle", cudaFree(p + 1));
  tell("null", cudaGetDevice(nullptr));
  CHECK(cudaDeviceSynchronize());
  return verdict(true);
}
