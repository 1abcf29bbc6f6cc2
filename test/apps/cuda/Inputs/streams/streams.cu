// Work in two streams that may overlap or not, as the argument says:
// small: kernels of few blocks; full: kernels that fill the GPU; copies: a
// kernel in one stream and a copy in the other; event: the second stream waits
// for the first one; legacy: between them stands a kernel of the default
// stream; free: the same with streams that do not wait for it; host: the host
// waits for the first stream before it uses the second; graph: two branches;
// deep: several kernels in each stream.
#include "check.h"
#include <cstring>
#include <nvtx3/nvToolsExt.h>
#include <string>
#include <vector>

__global__ void spin(float *data, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int r = 0; r < rounds; ++r)
    x = x * 0.5f + 1.0f;
  data[i] = x;
}

static constexpr int Threads = 256, Rounds = 400;

struct Work {
  std::vector<float *> data;
  int blocks;

  explicit Work(int blocks) : data(3), blocks(blocks) {
    for (float *&d : data) {
      CHECK(cudaMalloc(&d, bytes()));
      CHECK(cudaMemset(d, 0, bytes()));
    }
    CHECK(cudaDeviceSynchronize());
  }
  size_t bytes() const { return sizeof(float) * Threads * blocks; }
  void run(int i, cudaStream_t stream) {
    spin<<<blocks, Threads, 0, stream>>>(data[i], Rounds);
    CHECK(cudaGetLastError());
  }
  bool right(int i) const {
    std::vector<float> host(size_t(Threads) * blocks);
    CHECK(cudaMemcpy(host.data(), data[i], bytes(), cudaMemcpyDeviceToHost));
    for (float x : host)
      if (x < 1.99f || x > 2.01f)
        return false;
    return true;
  }
};

static void graph(Work &work, cudaStream_t stream) {
  cudaGraph_t graph;
  CHECK(cudaGraphCreate(&graph, 0));
  int rounds = Rounds;
  for (int i = 0; i < 2; ++i) {
    void *args[] = {&work.data[i], &rounds};
    cudaKernelNodeParams node = {};
    node.func = reinterpret_cast<void *>(spin);
    node.gridDim = dim3(work.blocks);
    node.blockDim = dim3(Threads);
    node.kernelParams = args;
    cudaGraphNode_t added;
    CHECK(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &node));
  }
  cudaGraphExec_t run;
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
}

int main(int argc, char **argv) {
  const std::string what = argc > 1 ? argv[1] : "small";
  // 80 SMs of 8 such blocks each are a V100.
  Work work(what == "full" ? 640 : 16);
  const unsigned flags = what == "free" ? cudaStreamNonBlocking : 0;
  cudaStream_t a, b;
  CHECK(cudaStreamCreateWithFlags(&a, flags));
  CHECK(cudaStreamCreateWithFlags(&b, flags));
  cudaEvent_t done;
  CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
  float *pinned = nullptr;
  const size_t copied = 1 << 18;
  CHECK(cudaMallocHost(&pinned, copied));
  memset(pinned, 0, copied);
  float *target;
  CHECK(cudaMalloc(&target, copied));

  nvtxRangePushA("work");
  if (what == "graph") {
    graph(work, a);
  } else {
    for (int n = what == "deep" ? 3 : 1; n; --n)
      work.run(0, a);
    if (what == "event") {
      CHECK(cudaEventRecord(done, a));
      CHECK(cudaStreamWaitEvent(b, done, 0));
    } else if (what == "host") {
      CHECK(cudaStreamSynchronize(a));
    } else if (what == "legacy" || what == "free") {
      work.run(2, nullptr);
    }
    if (what == "copies") {
      CHECK(cudaMemcpyAsync(target, pinned, copied, cudaMemcpyHostToDevice, b));
      work.run(1, a);
    } else {
      for (int n = what == "deep" ? 3 : 1; n; --n)
        work.run(1, b);
    }
  }
  CHECK(cudaDeviceSynchronize());
  nvtxRangePop();
  const bool ok = work.right(0) && work.right(1);
  CHECK(cudaFreeHost(pinned));
  return verdict(ok);
}
