// Times by events of work in two streams, in microseconds: one kernel of few
// blocks, two in one stream, two in two streams, two that an event orders, a
// copy from pinned memory, a kernel beside that copy, two branches of a graph,
// and a kernel whose time is asked for when more has been issued.
#include "check.h"
#include <cstring>
#include <initializer_list>

static constexpr int Blocks = 16, Threads = 256, Rounds = 400;
static constexpr size_t Copied = 1 << 18;

__global__ void spin(float *data, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = data[i];
  for (int r = 0; r < rounds; ++r)
    x = x * 0.5f + 1.0f;
  data[i] = x;
}

static float *data[2], *target, *pinned;
static cudaStream_t streams[2];
static cudaEvent_t forked, joined, start, stop;

static void launch(int which, cudaStream_t in) {
  spin<<<Blocks, Threads, 0, in>>>(data[which], Rounds);
  CHECK(cudaGetLastError());
}
static void copy(cudaStream_t in) {
  CHECK(cudaMemcpyAsync(target, pinned, Copied, cudaMemcpyHostToDevice, in));
}

/// Both streams begin at one event and end at another.
template <typename Work, typename More>
static void tell(const char *what, Work work, More more) {
  CHECK(cudaEventRecord(start, streams[0]));
  CHECK(cudaStreamWaitEvent(streams[1], start, 0));
  work();
  CHECK(cudaEventRecord(joined, streams[1]));
  CHECK(cudaStreamWaitEvent(streams[0], joined, 0));
  CHECK(cudaEventRecord(stop, streams[0]));
  CHECK(cudaEventSynchronize(stop));
  more();
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  printf("%s %.4f\n", what, 1000 * ms);
}

template <typename Work> static void tell(const char *what, Work work) {
  tell(what, work, [] {});
}

static void branches() {
  cudaGraph_t graph;
  cudaGraphExec_t run;
  CHECK(cudaGraphCreate(&graph, 0));
  int rounds = Rounds;
  for (int i = 0; i < 2; ++i) {
    void *args[] = {&data[i], &rounds};
    cudaKernelNodeParams node = {};
    node.func = reinterpret_cast<void *>(spin);
    node.gridDim = dim3(Blocks);
    node.blockDim = dim3(Threads);
    node.kernelParams = args;
    cudaGraphNode_t added;
    CHECK(cudaGraphAddKernelNode(&added, graph, nullptr, 0, &node));
  }
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, streams[0]));
}

int main() {
  for (int i = 0; i < 2; ++i) {
    CHECK(cudaMalloc(&data[i], Blocks * Threads * sizeof(float)));
    CHECK(cudaMemset(data[i], 0, Blocks * Threads * sizeof(float)));
    CHECK(cudaStreamCreate(&streams[i]));
  }
  CHECK(cudaMalloc(&target, Copied));
  CHECK(cudaMallocHost(&pinned, Copied));
  memset(pinned, 0, Copied);
  for (cudaEvent_t *e : {&forked, &joined, &start, &stop})
    CHECK(cudaEventCreate(e));
  tell("nothing", [] {});
  tell("first", [] { launch(0, streams[0]); }); // caches are cold
  tell("one", [] { launch(0, streams[0]); });
  tell("serial", [] { launch(0, streams[0]), launch(0, streams[0]); });
  tell("parallel", [] { launch(0, streams[0]), launch(1, streams[1]); });
  tell("ordered", [] {
    launch(0, streams[0]);
    CHECK(cudaEventRecord(forked, streams[0]));
    CHECK(cudaStreamWaitEvent(streams[1], forked, 0));
    launch(1, streams[1]);
  });
  tell("copy", [] { copy(streams[1]); });
  tell("beside", [] { launch(0, streams[0]), copy(streams[1]); });
  tell("graph", branches);
  const auto one = [] { launch(0, streams[0]); };
  tell("late", one, one);
  return verdict(true);
}
