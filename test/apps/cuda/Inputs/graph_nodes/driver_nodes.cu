// Nodes of graphs by the driver API.
// usage: driver_nodes DOT-FILE
#include "expect.h"
#include <cuda.h>

#if CUDA_VERSION >= 13000 // data of edges in front of their number
#define NO_EDGES nullptr,
#else
#define NO_EDGES
#endif
#define DRIVER(call) expect((call) == CUDA_SUCCESS, #call)

const int n = 96;

__global__ void add(int *values, int by) { values[threadIdx.x] += by; }

static CUfunction kernel() {
  cudaFunction_t function;
  CHECK(cudaGetFuncBySymbol(&function, (const void *)add));
  return (CUfunction)function;
}
static CUDA_KERNEL_NODE_PARAMS launchOf(void **args) {
  CUDA_KERNEL_NODE_PARAMS p = {};
  p.func = kernel();
  p.gridDimX = p.gridDimY = p.gridDimZ = p.blockDimY = p.blockDimZ = 1;
  p.blockDimX = n;
  p.kernelParams = args;
  return p;
}

static void parameters(CUdeviceptr values, const char *dot) {
  CUgraph graph, copy;
  CUgraphNode fill, launch, packed, back, none;
  CUgraphExec run;
  CUcontext context;
  std::vector<int> host(n);
  DRIVER(cuCtxGetCurrent(&context));
  DRIVER(cuGraphCreate(&graph, 0));
  CUDA_MEMSET_NODE_PARAMS set = {}, knownSet;
  set.dst = values;
  set.value = 1;
  set.elementSize = 4;
  set.width = n;
  set.height = 1;
  DRIVER(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, context));
  DRIVER(cuGraphMemsetNodeGetParams(fill, &knownSet));
  expect(knownSet.dst == values && knownSet.width == n, "fill");
  set.value = 2;
  DRIVER(cuGraphMemsetNodeSetParams(fill, &set));

  int by = 10;
  void *args[] = {&values, &by};
  CUDA_KERNEL_NODE_PARAMS p = launchOf(args), known;
  DRIVER(cuGraphAddKernelNode(&launch, graph, nullptr, 0, &p));
  DRIVER(cuGraphKernelNodeGetParams(launch, &known));
  expect(known.func == p.func && known.blockDimX == n &&
             *(int *)known.kernelParams[1] == 10,
         "kernel");
  by = 20;
  DRIVER(cuGraphKernelNodeSetParams(launch, &p));
  struct {
    CUdeviceptr values;
    int by;
  } block = {values, 100};
  size_t size = 12;
  void *extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &block,
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END};
  p.kernelParams = nullptr;
  expect(cuGraphAddKernelNode(&none, graph, nullptr, 0, &p) ==
             CUDA_ERROR_INVALID_VALUE,
         "no parameters");
  p.extra = extra;
  DRIVER(cuGraphAddKernelNode(&packed, graph, nullptr, 0, &p));
  CUgraphNode from[] = {fill, launch}, to[] = {launch, packed};
  DRIVER(cuGraphAddDependencies(graph, from, to, NO_EDGES 2));

  CUDA_MEMCPY3D box = {}, knownBox;
  box.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  box.srcDevice = values;
  box.dstMemoryType = CU_MEMORYTYPE_HOST;
  box.dstHost = host.data();
  box.WidthInBytes = 16;
  box.Height = box.Depth = 1;
  DRIVER(cuGraphAddMemcpyNode(&back, graph, &packed, 1, &box, context));
  box.WidthInBytes = n * sizeof(int);
  DRIVER(cuGraphMemcpyNodeSetParams(back, &box));
  DRIVER(cuGraphMemcpyNodeGetParams(back, &knownBox));
  expect(knownBox.srcMemoryType == CU_MEMORYTYPE_DEVICE &&
             knownBox.srcDevice == values &&
             knownBox.dstMemoryType == CU_MEMORYTYPE_HOST &&
             knownBox.dstHost == host.data() &&
             knownBox.WidthInBytes == n * sizeof(int),
         "copy");
  size_t count = 0;
  DRIVER(cuGraphGetEdges(graph, nullptr, nullptr, NO_EDGES & count));
  expect(count == 3, "edges");
  CUgraphNode before[2];
  count = 2;
  DRIVER(cuGraphNodeGetDependencies(packed, before, NO_EDGES & count));
  expect(count == 1 && before[0] == launch, "what comes before");
  count = 2;
  DRIVER(cuGraphNodeGetDependentNodes(packed, before, NO_EDGES & count));
  expect(count == 1 && before[0] == back, "what comes after");

  CUDA_GRAPH_INSTANTIATE_PARAMS how = {};
  DRIVER(cuGraphInstantiateWithParams(&run, graph, &how));
  expect(how.result_out == CUDA_GRAPH_INSTANTIATE_SUCCESS, "result");
  DRIVER(cuGraphLaunch(run, nullptr));
  DRIVER(cuCtxSynchronize());
  expect(host[40] == 122, "launch");
  DRIVER(cuGraphNodeSetEnabled(run, packed, 0));
  DRIVER(cuGraphLaunch(run, nullptr));
  DRIVER(cuCtxSynchronize());
  expect(host[95] == 22, "disabled");
  DRIVER(cuGraphClone(&copy, graph));
  DRIVER(cuGraphNodeFindInClone(&none, fill, copy));
  set.value = 3;
  DRIVER(cuGraphMemsetNodeSetParams(none, &set));
  CUgraphExecUpdateResultInfo info;
  DRIVER(cuGraphExecUpdate(run, copy, &info));
  DRIVER(cuGraphLaunch(run, nullptr));
  DRIVER(cuCtxSynchronize());
  expect(info.result == CU_GRAPH_EXEC_UPDATE_SUCCESS && host[0] == 23,
         "update");
  CUkernelNodeAttrValue value = {};
  value.priority = -2;
  DRIVER(cuGraphKernelNodeSetAttribute(launch, CU_LAUNCH_ATTRIBUTE_PRIORITY,
                                       &value));
  DRIVER(cuGraphKernelNodeCopyAttributes(packed, launch));
  value = {};
  DRIVER(cuGraphKernelNodeGetAttribute(packed, CU_LAUNCH_ATTRIBUTE_PRIORITY,
                                       &value));
  expect(value.priority == -2, "attribute");
  DRIVER(cuGraphDebugDotPrint(graph, dot, 0));
  cuuint64_t flags = 1;
  DRIVER(cuGraphExecGetFlags(run, &flags));
  expect(flags == 0, "flags");
  DRIVER(cuGraphRemoveDependencies(graph, from, to, NO_EDGES 2));
  expect(cuGraphExecUpdate(run, graph, &info) ==
                 CUDA_ERROR_GRAPH_EXEC_UPDATE_FAILURE &&
             info.result == CU_GRAPH_EXEC_UPDATE_ERROR_TOPOLOGY_CHANGED,
         "other edges");
  DRIVER(cuGraphExecDestroy(run));
  DRIVER(cuGraphDestroy(copy));
  DRIVER(cuGraphDestroy(graph));
}

static void anyNode(CUdeviceptr values) {
  CUgraph graph, inner, embedded;
  CUgraphNode alloc, child, copy, leaf, free;
  CUgraphExec run;
  DRIVER(cuGraphCreate(&graph, 0));
  DRIVER(cuGraphCreate(&inner, 0));
  CUgraphNodeParams p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEM_ALLOC;
  p.alloc.poolProps.allocType = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.alloc.poolProps.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  p.alloc.bytesize = n * sizeof(int);
  DRIVER(cuGraphAddNode(&alloc, graph, nullptr, NO_EDGES 0, &p));
  CUdeviceptr temporary = p.alloc.dptr;
  DRIVER(cuMemsetD32(values, 6, n));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  p.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  p.memcpy.copyParams.srcDevice = values;
  p.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  p.memcpy.copyParams.dstDevice = temporary;
  p.memcpy.copyParams.WidthInBytes = n * sizeof(int);
  p.memcpy.copyParams.Height = p.memcpy.copyParams.Depth = 1;
  DRIVER(cuGraphAddNode(&copy, graph, &alloc, NO_EDGES 1, &p));
  int by = 5;
  void *args[] = {&temporary, &by};
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_KERNEL;
  const CUDA_KERNEL_NODE_PARAMS launch = launchOf(args);
  memcpy(&p.kernel, &launch, sizeof(launch));
  DRIVER(cuGraphAddNode(&leaf, inner, nullptr, NO_EDGES 0, &p));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_GRAPH;
  p.graph.graph = inner;
  DRIVER(cuGraphAddNode(&child, graph, &copy, NO_EDGES 1, &p));
  DRIVER(cuGraphChildGraphNodeGetGraph(child, &embedded));
  expect(p.graph.graph == embedded, "graph in a node");
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEMCPY;
  p.memcpy.copyParams.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  p.memcpy.copyParams.srcDevice = temporary;
  p.memcpy.copyParams.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  p.memcpy.copyParams.dstDevice = values;
  p.memcpy.copyParams.WidthInBytes = n * sizeof(int);
  p.memcpy.copyParams.Height = p.memcpy.copyParams.Depth = 1;
  DRIVER(cuGraphAddNode(&copy, graph, &child, NO_EDGES 1, &p));
  p = {};
  p.type = CU_GRAPH_NODE_TYPE_MEM_FREE;
  p.free.dptr = temporary;
  DRIVER(cuGraphAddNode(&free, graph, &copy, NO_EDGES 1, &p));
  DRIVER(cuGraphInstantiate(&run, graph, 0));
  DRIVER(cuGraphLaunch(run, nullptr));
  DRIVER(cuGraphLaunch(run, nullptr));
  expect(read<int>((void *)values, n)[3] == 16, "nodes with memory");
  DRIVER(cuGraphExecDestroy(run));
  DRIVER(cuGraphDestroy(graph));
  DRIVER(cuGraphDestroy(inner));
}

static void captures(CUdeviceptr values) {
  CUstream stream;
  CUgraph graph, known;
  CUgraphExec run;
  int by = 1;
  void *args[] = {&values, &by};
  DRIVER(cuStreamCreate(&stream, 0));
  DRIVER(cuStreamBeginCapture(stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  DRIVER(cuMemsetD32Async(values, 4, n, stream));
  DRIVER(cuLaunchKernel(kernel(), 1, 1, 1, n, 1, 1, 0, stream, args, nullptr));
  CUstreamCaptureStatus status;
  cuuint64_t id = 0;
  const CUgraphNode *last;
  size_t count = 0;
#if CUDA_VERSION >= 13000
  const CUgraphEdgeData *edges;
  DRIVER(cuStreamGetCaptureInfo(stream, &status, &id, &known, &last, &edges,
                                &count));
#else
  DRIVER(cuStreamGetCaptureInfo(stream, &status, &id, &known, &last, &count));
#endif
  expect(status == CU_STREAM_CAPTURE_STATUS_ACTIVE && count == 1, "capture");
  CUgraphNode node;
  CUDA_KERNEL_NODE_PARAMS p = launchOf(args);
  DRIVER(cuGraphAddKernelNode(&node, known, last, count, &p));
  DRIVER(cuStreamUpdateCaptureDependencies(stream, &node, NO_EDGES 1,
                                           CU_STREAM_SET_CAPTURE_DEPENDENCIES));
  DRIVER(cuStreamEndCapture(stream, &graph));
  expect(graph == known, "captured graph");
  DRIVER(cuGraphInstantiate(&run, graph, 0));
  DRIVER(cuGraphLaunch(run, stream));
  DRIVER(cuStreamSynchronize(stream));
  expect(read<int>((void *)values, n)[3] == 6, "captured work");
  DRIVER(cuGraphExecDestroy(run));
  DRIVER(cuGraphDestroy(graph));
  DRIVER(cuStreamDestroy(stream));
}

int main(int, char **argv) {
  CUdeviceptr values;
  CHECK(cudaSetDevice(0));
  DRIVER(cuMemAlloc(&values, n * sizeof(int)));
  parameters(values, argv[1]);
  anyNode(values);
  captures(values);
  DRIVER(cuMemFree(values));
  return verdict(allRight);
}
