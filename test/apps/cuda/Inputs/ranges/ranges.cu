// Kernels and copies in ranges of NVTX: nested, of a domain, in C++, and of two
// threads, where a started range is for both. -lnvToolsExt as with NVTX 2.
#include "check.h"
#include <cstring>
#include <nvToolsExt.h>
#include <nvtx3/nvtx3.hpp>
#include <thread>

__global__ void add(float *data, float what) {
  data[blockIdx.x * blockDim.x + threadIdx.x] += what;
}

static constexpr int Blocks = 4, Threads = 128;

static void launch(float *data, float what) {
  add<<<Blocks, Threads>>>(data, what);
  CHECK(cudaGetLastError());
}

struct solver {
  static constexpr const char *name = "solver";
};

static void step(float *data) {
  NVTX3_FUNC_RANGE();
  launch(data, 2);
  nvtx3::scoped_range_in<solver> inner{"sweep"};
  launch(data, 4);
}

static void thread(float *data) {
  nvtxRangePushW(L"w\u00e4rme");
  launch(data, 8);
  nvtxRangePop();
}

int main() {
  float *data;
  CHECK(cudaMalloc(&data, Blocks * Threads * sizeof(float)));
  const int depth = nvtxRangePushA("setup");
  CHECK(cudaMemset(data, 0, Blocks * Threads * sizeof(float)));
  launch(data, 1);
  const int left = nvtxRangePop();
  step(data);
  const nvtxRangeId_t whole = nvtxRangeStartA("whole");
  std::thread(thread, data).join();
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("mine");
  nvtxEventAttributes_t of;
  memset(&of, 0, sizeof of);
  of.version = NVTX_VERSION;
  of.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  of.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  of.message.registered = nvtxDomainRegisterStringA(domain, "known");
  nvtxDomainRangePushEx(domain, &of);
  launch(data, 16);
  nvtxDomainRangePop(domain);
  nvtxRangeEnd(whole);
  const int none = nvtxRangePop();
  launch(data, 32);
  float host;
  CHECK(cudaMemcpy(&host, data, sizeof host, cudaMemcpyDeviceToHost));
  printf("depth %d %d %d\n", depth, left, none);
  return verdict(host == 63);
}
