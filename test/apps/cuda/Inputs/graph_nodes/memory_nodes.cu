// Graphs that allocate and free: by nodes, and by captured calls.
#include "expect.h"

const int n = 1024;
const size_t bytes = n * sizeof(float);

__global__ void fill(float *to, float value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] = value + i;
}
__global__ void sum(float *to, const float *from, float factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  to[i] += factor * from[i];
}

static uint64_t used(cudaGraphMemAttributeType which) {
  uint64_t value = ~0ull;
  CHECK(cudaDeviceGetGraphMemAttribute(0, which, &value));
  return value;
}
static cudaMemAllocNodeParams allocation() {
  cudaMemAllocNodeParams p = {};
  p.poolProps.allocType = cudaMemAllocationTypePinned;
  p.poolProps.location.type = cudaMemLocationTypeDevice;
  p.bytesize = bytes;
  return p;
}
static cudaGraphNode_t launch(cudaGraph_t graph, cudaGraphNode_t after,
                              void *function, void **args) {
  cudaKernelNodeParams p = {};
  cudaGraphNode_t node;
  p.func = function;
  p.gridDim = n / 128;
  p.blockDim = 128;
  p.kernelParams = args;
  CHECK(cudaGraphAddKernelNode(&node, graph, &after, 1, &p));
  return node;
}

static void withinAGraph(float *result) {
  cudaGraph_t graph, other;
  cudaGraphNode_t alloc, free, again;
  cudaGraphExec_t run, second;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams p = allocation(), known;
  CHECK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p));
  CHECK(cudaGraphMemAllocNodeGetParams(alloc, &known));
  expect(p.dptr && known.dptr == p.dptr && known.bytesize == bytes, "address");
  float *temporary = (float *)p.dptr;
  float value = 2, factor = 3;
  void *fillArgs[] = {&temporary, &value},
       *sumArgs[] = {&result, &temporary, &factor};
  cudaGraphNode_t last = launch(graph, alloc, (void *)fill, fillArgs);
  last = launch(graph, last, (void *)sum, sumArgs);
  expect(cudaGraphAddMemFreeNode(&free, graph, &last, 1, result) ==
             cudaErrorInvalidValue,
         "no node's memory");
  CHECK(cudaGraphAddMemFreeNode(&free, graph, &last, 1, temporary));
  expect(cudaGraphAddMemFreeNode(&again, graph, &last, 1, temporary) ==
             cudaErrorInvalidValue,
         "freed twice");
  void *freed = nullptr;
  CHECK(cudaGraphMemFreeNodeGetParams(free, &freed));
  expect(freed == temporary, "what is freed");
  cudaGraphNodeType type;
  CHECK(cudaGraphNodeGetType(free, &type));
  expect(type == cudaGraphNodeTypeMemFree, "type");
  expect(cudaGraphClone(&other, graph) == cudaErrorInvalidValue, "clone");
  expect(cudaGraphDestroyNode(free) == cudaErrorInvalidValue, "node stays");
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  expect(cudaGraphInstantiate(&second, graph, 0) == cudaErrorInvalidValue,
         "one at a time");
  CHECK(cudaMemset(result, 0, bytes));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaGraphLaunch(run, 0));
  expect(read<float>(result, n)[10] == 72, "launched twice");
  expect(used(cudaGraphMemAttrUsedMemCurrent) == 0 &&
             used(cudaGraphMemAttrUsedMemHigh) >= bytes &&
             used(cudaGraphMemAttrReservedMemCurrent) >= bytes,
         "use");
  CHECK(cudaDeviceGraphMemTrim(0));
  expect(used(cudaGraphMemAttrReservedMemCurrent) == 0, "trimmed");
  uint64_t zero = 0;
  CHECK(cudaDeviceSetGraphMemAttribute(0, cudaGraphMemAttrUsedMemHigh, &zero));
  expect(used(cudaGraphMemAttrUsedMemHigh) == 0, "reset");
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
}

static void beyondAGraph(float *result) {
  cudaGraph_t graph;
  cudaGraphNode_t alloc;
  cudaGraphExec_t run;
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemAllocNodeParams p = allocation();
  CHECK(cudaGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &p));
  float *kept = (float *)p.dptr, value = 5;
  void *args[] = {&kept, &value};
  launch(graph, alloc, (void *)fill, args);
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, 0));
  sum<<<n / 128, 128>>>(result, kept, 1);
  expect(cudaGraphLaunch(run, 0) == cudaErrorInvalidValue, "not freed");
  CHECK(cudaFree(kept));
  expect(cudaFree(kept) == cudaErrorInvalidValue, "freed twice");
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaFreeAsync(kept, 0));
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphInstantiateWithFlags(
      &run, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
  sum<<<n / 128, 128>>>(result, kept, 1); // it outlives the graph
  CHECK(cudaFree(kept));
  expect(read<float>(result, n)[10] == 72 + 30, "memory of a graph");
}

static void captured(float *result) {
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t run;
  float *temporary;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  CHECK(cudaMallocAsync((void **)&temporary, bytes, stream));
  fill<<<n / 128, 128, 0, stream>>>(temporary, 1);
  sum<<<n / 128, 128, 0, stream>>>(result, temporary, 2);
  CHECK(cudaFreeAsync(temporary, stream));
  CHECK(cudaStreamEndCapture(stream, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  expect(nodes == 4, "captured nodes");
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  for (int i = 0; i < 3; ++i)
    CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(read<float>(result, n)[10] == 102 + 66, "captured memory");
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

int main() {
  float *result;
  CHECK(cudaMalloc(&result, bytes));
  withinAGraph(result);
  beyondAGraph(result);
  captured(result);
  CHECK(cudaFree(result));
  return verdict(allRight);
}
