// The same pipeline as a graph that is built node by node and as one that
// streams capture; both are launched again and again and changed in between.
#include "../check.h"
#include <vector>

// Since release 13 edges have data.
#if CUDART_VERSION >= 13000
#define NO_DATA nullptr,
#else
#define NO_DATA
#endif

static const int N = 1000;

__global__ void scale(float *x, float by, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= by;
}
__global__ void add(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += y[i];
}
static void count(void *calls) { ++*(int *)calls; }

struct Buffers {
  std::vector<float> in, out;
  float *x, *y;
  Buffers() : in(N), out(N, -1.0f) {
    for (int i = 0; i < N; ++i)
      in[i] = (float)i;
    CHECK(cudaMalloc(&x, N * sizeof(float)));
    CHECK(cudaMalloc(&y, N * sizeof(float)));
  }
  ~Buffers() {
    CHECK(cudaFree(x));
    CHECK(cudaFree(y));
  }
  bool holds(float factor) const {
    for (int i = 0; i < N; ++i)
      if (out[i] != factor * in[i])
        return false;
    return true;
  }
};

/// Copy and clear, then y = 0 + by * x, then back; the host counts.
static bool explicitGraph(cudaStream_t stream) {
  Buffers b;
  int calls = 0, n = N;
  float by = 3;
  cudaGraph_t graph;
  cudaGraphNode_t load, clear, kernel[2], store, notify, last;
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNode1D(&load, graph, nullptr, 0, b.x, b.in.data(),
                                 N * sizeof(float), cudaMemcpyHostToDevice));
  cudaMemsetParams fill = {};
  fill.dst = b.y;
  fill.elementSize = 4;
  fill.width = N;
  fill.height = 1;
  CHECK(cudaGraphAddMemsetNode(&clear, graph, nullptr, 0, &fill));
  cudaKernelNodeParams params = {};
  void *scaleArgs[] = {&b.x, &by, &n};
  params.func = (void *)scale;
  params.gridDim = dim3((N + 127) / 128);
  params.blockDim = dim3(128);
  params.kernelParams = scaleArgs;
  CHECK(cudaGraphAddKernelNode(&kernel[0], graph, &load, 1, &params));
  void *addArgs[] = {&b.y, &b.x, &n};
  params.func = (void *)add;
  params.kernelParams = addArgs;
  cudaGraphNode_t both[] = {kernel[0], clear};
  CHECK(cudaGraphAddKernelNode(&kernel[1], graph, both, 2, &params));
  cudaMemcpy3DParms back = {0};
  back.srcPtr = make_cudaPitchedPtr(b.y, N * sizeof(float), N, 1);
  back.dstPtr = make_cudaPitchedPtr(b.out.data(), N * sizeof(float), N, 1);
  back.extent = make_cudaExtent(N * sizeof(float), 1, 1);
  back.kind = cudaMemcpyDeviceToHost;
  CHECK(cudaGraphAddMemcpyNode(&store, graph, &kernel[1], 1, &back));
  cudaHostNodeParams host = {count, &calls};
  CHECK(cudaGraphAddHostNode(&notify, graph, nullptr, 0, &host));
  CHECK(cudaGraphAddDependencies(graph, &store, &notify, NO_DATA 1));
  CHECK(cudaGraphAddEmptyNode(&last, graph, &notify, 1));

  size_t nodes = 0, roots = 0, edges = 0, before = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  CHECK(cudaGraphGetRootNodes(graph, nullptr, &roots));
  CHECK(cudaGraphGetEdges(graph, nullptr, nullptr, NO_DATA &edges));
  CHECK(cudaGraphNodeGetDependencies(kernel[1], nullptr, NO_DATA &before));
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(clear, &type));
  bool ok = nodes == 7 && roots == 2 && edges == 6 && before == 2 &&
            type == cudaGraphNodeTypeMemset;

  cudaGraphExec_t run;
  CHECK(cudaGraphInstantiate(&run, graph, nullptr, nullptr, 0));
  for (int i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaStreamSynchronize(stream));
  ok &= b.holds(3) && calls == 3;

  // Another factor, in this run only.
  by = 5;
  CHECK(cudaGraphKernelNodeGetParams(kernel[0], &params));
  ok &= *(float *)params.kernelParams[1] == 3;
  params.kernelParams = scaleArgs;
  CHECK(cudaGraphExecKernelNodeSetParams(run, kernel[0], &params));
  CHECK(cudaGraphLaunch(run, stream));
  ok &= b.holds(5) && calls == 4;

  // The graph itself as a node of another one.
  cudaGraph_t outer;
  cudaGraphNode_t first, second;
  cudaGraphExec_t twice;
  CHECK(cudaGraphCreate(&outer, 0));
  CHECK(cudaGraphAddChildGraphNode(&first, outer, nullptr, 0, graph));
  CHECK(cudaGraphAddChildGraphNode(&second, outer, &first, 1, graph));
  CHECK(cudaGraphInstantiate(&twice, outer));
  CHECK(cudaGraphLaunch(twice, stream));
  CHECK(cudaStreamSynchronize(stream));
  ok &= b.holds(3) && calls == 6;

  // Nodes in a circle cannot run.
  CHECK(cudaGraphAddDependencies(outer, &second, &first, NO_DATA 1));
  cudaGraphExec_t none;
  ok &= cudaGraphInstantiate(&none, outer) == cudaErrorInvalidValue;
  CHECK(cudaGraphExecDestroy(twice));
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(outer));
  CHECK(cudaGraphDestroy(graph));
  return ok;
}

static cudaGraph_t record(Buffers &b, float by, cudaStream_t main,
                          cudaStream_t side) {
  cudaEvent_t fork, join;
  CHECK(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
  CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
  CHECK(cudaMemcpyAsync(b.x, b.in.data(), N * sizeof(float),
                        cudaMemcpyHostToDevice, main));
  CHECK(cudaEventRecord(fork, main));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  CHECK(cudaMemsetAsync(b.y, 0, N * sizeof(float), side));
  CHECK(cudaEventRecord(join, side));
  scale<<<(N + 127) / 128, 128, 0, main>>>(b.x, by, N);
  CHECK(cudaStreamWaitEvent(main, join, 0));
  add<<<(N + 127) / 128, 128, 0, main>>>(b.y, b.x, N);
  CHECK(cudaMemcpyAsync(b.out.data(), b.y, N * sizeof(float),
                        cudaMemcpyDeviceToHost, main));
  cudaGraph_t graph;
  CHECK(cudaStreamEndCapture(main, &graph));
  CHECK(cudaEventDestroy(fork));
  CHECK(cudaEventDestroy(join));
  return graph;
}

static bool captured(cudaStream_t main, cudaStream_t side) {
  Buffers b;
  cudaGraph_t graph = record(b, 2, main, side);
  bool ok = b.out[1] == -1; // nothing has run
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  ok &= nodes == 5;
  cudaGraphExec_t run;
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  for (int i = 0; i < 4; ++i)
    CHECK(cudaGraphLaunch(run, main));
  CHECK(cudaStreamSynchronize(main));
  ok &= b.holds(2);
  cudaGraph_t other = record(b, 7, main, side);
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(run, other, &info));
  CHECK(cudaGraphLaunch(run, main));
  CHECK(cudaStreamSynchronize(main));
  ok &= b.holds(7) && info.result == cudaGraphExecUpdateSuccess;
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(other));
  return ok;
}

/// What cannot be captured ends the capture.
static bool wrong(cudaStream_t main, cudaStream_t side) {
  cudaGraph_t graph;
  bool ok = cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal) ==
            cudaErrorStreamCaptureUnsupported;
  ok &= cudaStreamEndCapture(main, &graph) == cudaErrorIllegalState;
  CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeRelaxed));
  cudaStreamCaptureStatus state;
  CHECK(cudaStreamIsCapturing(main, &state));
  ok &= state == cudaStreamCaptureStatusActive;
  ok &= cudaStreamSynchronize(main) == cudaErrorStreamCaptureUnsupported;
  ok &= cudaStreamEndCapture(main, &graph) ==
            cudaErrorStreamCaptureInvalidated &&
        graph == nullptr;
  // The side stream's work is not joined.
  cudaEvent_t fork;
  float *x;
  CHECK(cudaMalloc(&x, 4));
  CHECK(cudaEventCreate(&fork));
  CHECK(cudaStreamBeginCapture(main, cudaStreamCaptureModeGlobal));
  CHECK(cudaEventRecord(fork, main));
  CHECK(cudaStreamWaitEvent(side, fork, 0));
  CHECK(cudaMemsetAsync(x, 0, 4, side));
  ok &= cudaStreamEndCapture(main, &graph) == cudaErrorStreamCaptureUnjoined;
  CHECK(cudaMemsetAsync(x, 0, 4, side));
  cudaGetLastError();
  return ok;
}

int main() {
  cudaStream_t main, side;
  CHECK(cudaStreamCreate(&main));
  CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
  bool ok = explicitGraph(main);
  ok &= captured(main, side);
  ok &= wrong(main, side);
  return verdict(ok);
}
