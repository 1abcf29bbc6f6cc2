// Nodes of graphs: what they can be asked, changed, switched off and updated.
// usage: graph_nodes DOT-FILE
#include "expect.h"
#include <fstream>
#include <sstream>

#if CUDART_VERSION >= 13000 // data of edges in front of their number
#define NO_EDGES nullptr,
#else
#define NO_EDGES
#endif

const int n = 64;
__device__ int table[n];

__global__ void add(int *values, int by) { values[threadIdx.x] += by; }
__global__ void multiply(int *values, int by) { values[threadIdx.x] *= by; }
__global__ void look(int *values) { values[threadIdx.x] += table[threadIdx.x]; }

static cudaKernelNodeParams launchOf(void *function, void **args) {
  cudaKernelNodeParams p = {};
  p.func = function;
  p.gridDim = 1;
  p.blockDim = n;
  p.kernelParams = args;
  return p;
}

static void kernels(int *values) {
  cudaGraph_t graph, copy;
  cudaGraphNode_t first, second, twin;
  cudaGraphExec_t run;
  int by = 3, other = 10;
  void *args[] = {&values, &by}, *others[] = {&values, &other};
  CHECK(cudaGraphCreate(&graph, 0));
  cudaKernelNodeParams p = launchOf((void *)add, args);
  CHECK(cudaGraphAddKernelNode(&first, graph, nullptr, 0, &p));
  p = launchOf((void *)multiply, args);
  CHECK(cudaGraphAddKernelNode(&second, graph, &first, 1, &p));
  cudaGraphNode_t twice[] = {first, first}, none;
  expect(cudaGraphAddEmptyNode(&none, graph, twice, 2) == cudaErrorInvalidValue,
         "a dependence twice");
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaMemset(values, 0, n * sizeof(int)));
  CHECK(cudaGraphLaunch(run, 0));
  expect(read<int>(values, n)[7] == 9, "two kernels");

  CHECK(cudaGraphNodeSetEnabled(run, first, 0));
  unsigned enabled = 1;
  CHECK(cudaGraphNodeGetEnabled(run, first, &enabled));
  CHECK(cudaGraphLaunch(run, 0));
  expect(!enabled && read<int>(values, n)[7] == 27, "one is disabled");
  CHECK(cudaGraphNodeSetEnabled(run, first, 1));
  p = launchOf((void *)add, others);
  CHECK(cudaGraphExecKernelNodeSetParams(run, first, &p));
  CHECK(cudaGraphLaunch(run, 0));
  expect(read<int>(values, n)[7] == 111, "other parameters");

  cudaKernelNodeAttrValue value = {};
  value.priority = -1;
  CHECK(cudaGraphKernelNodeSetAttribute(first, cudaLaunchAttributePriority,
                                        &value));
  value.cooperative = 1;
  CHECK(cudaGraphKernelNodeSetAttribute(first, cudaLaunchAttributeCooperative,
                                        &value));
  CHECK(cudaGraphKernelNodeCopyAttributes(second, first));
  value = {};
  CHECK(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributePriority,
                                        &value));
  expect(value.priority == -1, "priority");
  CHECK(cudaGraphKernelNodeGetAttribute(second, cudaLaunchAttributeCooperative,
                                        &value));
  expect(value.cooperative == 1, "cooperative");
  cudaGraphExecUpdateResultInfo info;
  expect(cudaGraphExecUpdate(run, graph, &info) ==
                 cudaErrorGraphExecUpdateFailure &&
             info.result == cudaGraphExecUpdateErrorAttributesChanged &&
             info.errorNode == first,
         "other attributes");

  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphNodeFindInClone(&twin, second, copy));
  CHECK(cudaGraphKernelNodeGetParams(twin, &p));
  expect(twin != second && p.func == (void *)multiply &&
             *(int *)p.kernelParams[1] == 3,
         "clone");
  expect(cudaGraphNodeFindInClone(&twin, second, graph) ==
             cudaErrorInvalidValue,
         "no clone");
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(copy));
  CHECK(cudaGraphDestroy(graph));
}

static void copies(int *values) {
  cudaGraph_t graph;
  cudaGraphNode_t to, kernel, from;
  cudaGraphExec_t run;
  std::vector<int> host(n), second(n, 5), back(n);
  for (int i = 0; i < n; ++i)
    host[i] = i;
  const size_t bytes = n * sizeof(int);
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&to, graph, nullptr, 0, table,
                                       host.data(), bytes, 0,
                                       cudaMemcpyHostToDevice));
  void *args[] = {&values};
  cudaKernelNodeParams p = launchOf((void *)look, args);
  CHECK(cudaGraphAddKernelNode(&kernel, graph, &to, 1, &p));
  CHECK(cudaGraphAddMemcpyNodeFromSymbol(&from, graph, &kernel, 1, back.data(),
                                         table, 4 * sizeof(int), 8,
                                         cudaMemcpyDeviceToHost));
  expect(cudaGraphMemcpyNodeSetParamsToSymbol(to, table, host.data(), bytes, 8,
                                              cudaMemcpyHostToDevice) ==
             cudaErrorInvalidValue,
         "beyond the variable");
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaMemset(values, 0, bytes));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaDeviceSynchronize());
  expect(read<int>(values, n)[9] == 9 && back[0] == 2 && back[4] == 0,
         "copies of a variable");
  CHECK(cudaGraphExecMemcpyNodeSetParamsToSymbol(
      run, to, table, second.data(), bytes, 0, cudaMemcpyHostToDevice));
  CHECK(cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      run, from, back.data(), table, bytes, 0, cudaMemcpyDeviceToHost));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaDeviceSynchronize());
  expect(read<int>(values, n)[9] == 14 && back[63] == 5, "other copies");
  CHECK(cudaGraphMemcpyNodeSetParams1D(from, back.data(), values, bytes,
                                       cudaMemcpyDeviceToHost));
  cudaMemcpy3DParms box = {};
  CHECK(cudaGraphMemcpyNodeGetParams(from, &box));
  expect(box.srcPtr.ptr == values && box.extent.width == bytes, "box");
  cudaGraphExecUpdateResultInfo info;
  CHECK(cudaGraphExecUpdate(run, graph, &info));
  CHECK(cudaGraphLaunch(run, 0));
  CHECK(cudaDeviceSynchronize());
  expect(info.result == cudaGraphExecUpdateSuccess && back[9] == 23, "update");
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
}

static void anyNode(int *values, const char *dot) {
  cudaGraph_t graph, inner, embedded;
  cudaGraphNode_t fill, child, leaf, count, record;
  cudaGraphExec_t run;
  cudaEvent_t event, same;
  CHECK(cudaEventCreate(&event));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphCreate(&inner, 0));
  cudaGraphNodeParams p = {cudaGraphNodeTypeMemset};
  p.memset.dst = values;
  p.memset.elementSize = 4;
  p.memset.value = 2;
  p.memset.width = n;
  p.memset.height = 1;
  CHECK(cudaGraphAddNode(&fill, graph, nullptr, NO_EDGES 0, &p));
  int by = 7;
  void *args[] = {&values, &by};
  p = {cudaGraphNodeTypeKernel};
  p.kernel.func = (void *)multiply;
  p.kernel.gridDim = 1;
  p.kernel.blockDim = n;
  p.kernel.kernelParams = args;
  CHECK(cudaGraphAddNode(&leaf, inner, nullptr, NO_EDGES 0, &p));
  p = {cudaGraphNodeTypeGraph};
  p.graph.graph = inner;
  CHECK(cudaGraphAddNode(&child, graph, &fill, NO_EDGES 1, &p));
  static int calls = 0;
  p = {cudaGraphNodeTypeHost};
  p.host.fn = [](void *data) { ++*(int *)data; };
  p.host.userData = &calls;
  CHECK(cudaGraphAddNode(&count, graph, &child, NO_EDGES 1, &p));
  p = {cudaGraphNodeTypeEventRecord};
  p.eventRecord.event = event;
  CHECK(cudaGraphAddNode(&record, graph, &child, NO_EDGES 1, &p));
  CHECK(cudaGraphEventRecordNodeGetEvent(record, &same));
  expect(same == event && cudaGraphEventWaitNodeGetEvent(record, &same) ==
                              cudaErrorInvalidValue,
         "event of a node");
  p = {cudaGraphNodeTypeConditional};
  expect(cudaGraphAddNode(&count, graph, nullptr, NO_EDGES 0, &p) ==
             cudaErrorNotSupported,
         "conditional nodes");

  // The graph in the node is a copy, which has a handle of its own.
  CHECK(cudaGraphChildGraphNodeGetGraph(child, &embedded));
  size_t nodes = 1;
  CHECK(cudaGraphGetNodes(embedded, &leaf, &nodes));
  expect(embedded != inner && nodes == 1, "graph in a node");
  expect(cudaGraphDestroy(embedded) == cudaErrorInvalidValue, "not its own");
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, 0));
  expect(calls == 1 && read<int>(values, n)[1] == 14, "all nodes");
  p = {cudaGraphNodeTypeKernel};
  by = 9;
  p.kernel.func = (void *)multiply;
  p.kernel.gridDim = 1;
  p.kernel.blockDim = n;
  p.kernel.kernelParams = args;
  CHECK(cudaGraphExecNodeSetParams(run, leaf, &p));
  CHECK(cudaGraphLaunch(run, 0));
  expect(read<int>(values, n)[1] == 18, "node of the graph in a node");
  by = 11;
  cudaGraphNode_t inInner;
  CHECK(cudaGraphGetNodes(inner, &inInner, &nodes));
  CHECK(cudaGraphNodeSetParams(inInner, &p));
  CHECK(cudaGraphExecChildGraphNodeSetParams(run, child, inner));
  CHECK(cudaGraphLaunch(run, 0));
  expect(calls == 3 && read<int>(values, n)[1] == 22, "another graph");
  CHECK(cudaGraphDebugDotPrint(graph, dot, cudaGraphDebugDotFlagsVerbose));
  expect(cudaGraphDebugDotPrint(graph, "/nonexistent/graph.dot", 0) ==
             cudaErrorOperatingSystem,
         "no file");
  std::ifstream file(dot);
  std::stringstream text;
  text << file.rdbuf();
  expect(text.str().find("digraph") == 0 &&
             text.str().find("->") != std::string::npos,
         "dot file");

  cudaGraphExec_t second;
  cudaGraphInstantiateParams how = {};
  how.flags = cudaGraphInstantiateFlagUseNodePriority;
  CHECK(cudaGraphInstantiateWithParams(&second, graph, &how));
  unsigned long long flags = 0;
  CHECK(cudaGraphExecGetFlags(second, &flags));
  expect(how.result_out == cudaGraphInstantiateSuccess && flags == how.flags,
         "flags");
  CHECK(cudaGraphExecDestroy(second));
  CHECK(cudaGraphAddDependencies(graph, &count, &fill, NO_EDGES 1));
  expect(cudaGraphInstantiateWithParams(&second, graph, &how) ==
                 cudaErrorInvalidValue &&
             how.result_out == cudaGraphInstantiateInvalidStructure,
         "circle");
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphDestroy(inner));
  CHECK(cudaEventDestroy(event));
}

static void userObjects() {
  static int gone = 0;
  cudaGraph_t graph, copy;
  cudaGraphExec_t run;
  cudaUserObject_t object;
  CHECK(cudaUserObjectCreate(
      &object, &gone, [](void *data) { ++*(int *)data; }, 1,
      cudaUserObjectNoDestructorSync));
  CHECK(cudaGraphCreate(&graph, 0));
  CHECK(cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
  CHECK(cudaUserObjectRetain(object, 2));
  CHECK(cudaUserObjectRelease(object, 2));
  CHECK(cudaGraphClone(&copy, graph));
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaGraphReleaseUserObject(copy, object, 1));
  CHECK(cudaGraphDestroy(copy));
  expect(gone == 0, "the graph that can be launched keeps it");
  CHECK(cudaGraphExecDestroy(run));
  expect(gone == 1, "object gone");
  expect(cudaUserObjectRelease(object, 1) == cudaErrorInvalidValue,
         "no object");
}

static void captures(int *values) {
  cudaStream_t stream;
  cudaGraph_t graph, same, known;
  cudaGraphNode_t fill;
  cudaGraphExec_t run;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaGraphCreate(&graph, 0));
  cudaMemsetParams set = {values, 0, 1, 4, n, 1};
  CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &set));
  CHECK(cudaStreamBeginCaptureToGraph(stream, graph, &fill, nullptr, 1,
                                      cudaStreamCaptureModeGlobal));
  add<<<1, n, 0, stream>>>(values, 4);
  cudaStreamCaptureStatus capturing;
  unsigned long long id = 0;
  const cudaGraphNode_t *last = nullptr;
  size_t count = 0;
#if CUDART_VERSION >= 13000
  const cudaGraphEdgeData *edges = nullptr;
  CHECK(cudaStreamGetCaptureInfo(stream, &capturing, &id, &known, &last, &edges,
                                 &count));
#else
  CHECK(
      cudaStreamGetCaptureInfo(stream, &capturing, &id, &known, &last, &count));
#endif
  expect(capturing == cudaStreamCaptureStatusActive && known == graph &&
             count == 1 && id,
         "what is captured");
  // A node that the program adds by hand comes between two captured ones.
  int by = 3;
  void *args[] = {&values, &by};
  cudaKernelNodeParams p = launchOf((void *)multiply, args);
  cudaGraphNode_t byHand;
  CHECK(cudaGraphAddKernelNode(&byHand, graph, last, count, &p));
  CHECK(cudaStreamUpdateCaptureDependencies(stream, &byHand, NO_EDGES 1,
                                            cudaStreamSetCaptureDependencies));
  add<<<1, n, 0, stream>>>(values, 1);
  CHECK(cudaStreamEndCapture(stream, &same));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  expect(same == graph && nodes == 4, "captured to a graph");
  cudaGraphNode_t from[4], to[4];
  size_t pairs = 4;
  CHECK(cudaGraphGetEdges(graph, from, to, NO_EDGES & pairs));
  expect(pairs == 3 && from[0] == fill, "edges");
  CHECK(cudaGraphInstantiate(&run, graph, 0));
  CHECK(cudaGraphLaunch(run, stream));
  CHECK(cudaStreamSynchronize(stream));
  expect(read<int>(values, n)[30] == 16, "captured work");
  expect(cudaStreamUpdateCaptureDependencies(stream, &fill, NO_EDGES 1, 0) ==
             cudaErrorIllegalState,
         "no capture");
  CHECK(cudaGraphExecDestroy(run));
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaStreamDestroy(stream));
}

int main(int, char **argv) {
  int *values;
  CHECK(cudaMalloc(&values, n * sizeof(int)));
  kernels(values);
  copies(values);
  anyNode(values, argv[1]);
  userObjects();
  captures(values);
  CHECK(cudaFree(values));
  return verdict(allRight);
}
