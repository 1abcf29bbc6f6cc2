//===- DriverGraphNodes.cpp - Nodes of graphs of the driver API ---------===//

#include "DriverCalls.h"

#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

// Parameters of fills and memory lie in memory as the runtime has them.
static_assert(sizeof(CUDA_MEMSET_NODE_PARAMS) == sizeof(cudaMemsetParams));
static_assert(sizeof(CUDA_MEM_ALLOC_NODE_PARAMS) ==
              sizeof(cudaMemAllocNodeParams));
static_assert(sizeof(CUgraphNodeParams) == sizeof(cudaGraphNodeParams));
static_assert(sizeof(CUDA_GRAPH_INSTANTIATE_PARAMS) ==
              sizeof(cudaGraphInstantiateParams));

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode N,
                                                CUDA_KERNEL_NODE_PARAMS *To) {
  ENTER;
  cudaKernelNodeParams P;
  const cudaError_t E =
      To ? cudaGraphKernelNodeGetParams(N, &P) : Enter.refuseNull();
  if (E)
    return result(E);
  *To = {};
  To->func = reinterpret_cast<CUfunction>(Enter.device().kernel(P.func));
  To->gridDimX = P.gridDim.x;
  To->gridDimY = P.gridDim.y;
  To->gridDimZ = P.gridDim.z;
  To->blockDimX = P.blockDim.x;
  To->blockDimY = P.blockDim.y;
  To->blockDimZ = P.blockDim.z;
  To->sharedMemBytes = P.sharedMemBytes;
  To->kernelParams = P.kernelParams;
  To->ctx = context();
  return result(Enter.done());
}
EXPORTED CUresult
cuGraphKernelNodeSetParams_v2(CUgraphNode N, const CUDA_KERNEL_NODE_PARAMS *P) {
  ENTER;
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return result(Enter(S));
  return result(replaceNode(Enter, N, std::move(K)));
}
EXPORTED CUresult cuGraphMemcpyNodeGetParams(CUgraphNode N, CUDA_MEMCPY3D *To) {
  ENTER;
  cudaMemcpy3DParms P;
  const cudaError_t E =
      To ? cudaGraphMemcpyNodeGetParams(N, &P) : Enter.refuseNull();
  if (!E)
    *To = copyOf(P);
  return result(E);
}
EXPORTED CUresult cuGraphMemcpyNodeSetParams(CUgraphNode N,
                                             const CUDA_MEMCPY3D *P) {
  ENTER;
  return result(P ? replaceNode(Enter, N, boxOf(*P)) : Enter.refuseNull());
}
EXPORTED CUresult cuGraphMemsetNodeGetParams(CUgraphNode N,
                                             CUDA_MEMSET_NODE_PARAMS *To) {
  ENTER;
  return result(cudaGraphMemsetNodeGetParams(
      N, reinterpret_cast<cudaMemsetParams *>(To)));
}
EXPORTED CUresult cuGraphMemsetNodeSetParams(CUgraphNode N,
                                             const CUDA_MEMSET_NODE_PARAMS *P) {
  ENTER;
  return result(cudaGraphMemsetNodeSetParams(
      N, reinterpret_cast<const cudaMemsetParams *>(P)));
}
EXPORTED CUresult cuGraphHostNodeGetParams(CUgraphNode N,
                                           CUDA_HOST_NODE_PARAMS *To) {
  ENTER;
  return result(cudaGraphHostNodeGetParams(
      N, reinterpret_cast<cudaHostNodeParams *>(To)));
}
EXPORTED CUresult cuGraphHostNodeSetParams(CUgraphNode N,
                                           const CUDA_HOST_NODE_PARAMS *P) {
  ENTER;
  return result(cudaGraphHostNodeSetParams(
      N, reinterpret_cast<const cudaHostNodeParams *>(P)));
}

/// \p P as the runtime has it.
static cudaError_t runtimeParams(const Call &Enter, const CUgraphNodeParams &P,
                                 cudaGraphNodeParams &To) {
  std::memcpy(static_cast<void *>(&To), &P, sizeof(To));
  if (P.type == CU_GRAPH_NODE_TYPE_MEMCPY) {
    To.memcpy = {};
    To.memcpy.copyParams = boxOf(P.memcpy.copyParams);
  }
  if (P.type != CU_GRAPH_NODE_TYPE_KERNEL)
    return cudaSuccess;
  const CUDA_KERNEL_NODE_PARAMS &K = P.kernel;
  void *Function = K.func ? static_cast<void *>(K.func) : K.kern;
  if (!Function)
    return Enter.refuse(Status::InvalidHandle, "a null function");
  To.kernel = {Function,
               {K.gridDimX, K.gridDimY, K.gridDimZ},
               {K.blockDimX, K.blockDimY, K.blockDimZ},
               K.sharedMemBytes,
               K.kernelParams,
               K.extra};
  return cudaSuccess;
}
static CUresult addNode(const Call &Enter, CUgraphNode *To, CUgraph G,
                        const CUgraphNode *Before, size_t Count,
                        CUgraphNodeParams *P) {
  cudaGraphNodeParams R = {};
  cudaError_t E = P ? runtimeParams(Enter, *P, R) : Enter.refuseNull();
  if (!E)
    E = addAny(Enter, To, G, Before, Count, R);
  if (!E && P->type == CU_GRAPH_NODE_TYPE_MEM_ALLOC)
    P->alloc.dptr = reinterpret_cast<CUdeviceptr>(R.alloc.dptr);
  if (!E && P->type == CU_GRAPH_NODE_TYPE_GRAPH)
    P->graph.graph = R.graph.graph;
  return result(E);
}
EXPORTED CUresult cuGraphAddNode(CUgraphNode *To, CUgraph G,
                                 const CUgraphNode *Before, size_t Count,
                                 CUgraphNodeParams *P) {
  ENTER;
  return addNode(Enter, To, G, Before, Count, P);
}
EXPORTED CUresult cuGraphAddNode_v2(CUgraphNode *To, CUgraph G,
                                    const CUgraphNode *Before,
                                    const CUgraphEdgeData *Edges, size_t Count,
                                    CUgraphNodeParams *P) {
  ENTER;
  if (cudaError_t E = checkEdges(Enter, Edges, Count))
    return result(E);
  return addNode(Enter, To, G, Before, Count, P);
}
EXPORTED CUresult cuGraphNodeSetParams(CUgraphNode N, CUgraphNodeParams *P) {
  ENTER;
  cudaGraphNodeParams R = {};
  const cudaError_t E = P ? runtimeParams(Enter, *P, R) : Enter.refuseNull();
  return result(E ? E : cudaGraphNodeSetParams(N, &R));
}
EXPORTED CUresult cuGraphExecNodeSetParams(CUgraphExec G, CUgraphNode N,
                                           CUgraphNodeParams *P) {
  ENTER;
  cudaGraphNodeParams R = {};
  const cudaError_t E = P ? runtimeParams(Enter, *P, R) : Enter.refuseNull();
  return result(E ? E : cudaGraphExecNodeSetParams(G, N, &R));
}

EXPORTED CUresult cuGraphKernelNodeGetAttribute(CUgraphNode N,
                                                CUkernelNodeAttrID Which,
                                                CUkernelNodeAttrValue *To) {
  ENTER;
  return result(cudaGraphKernelNodeGetAttribute(
      N, cudaKernelNodeAttrID(Which),
      reinterpret_cast<cudaKernelNodeAttrValue *>(To)));
}
EXPORTED CUresult
cuGraphKernelNodeSetAttribute(CUgraphNode N, CUkernelNodeAttrID Which,
                              const CUkernelNodeAttrValue *From) {
  ENTER;
  return result(cudaGraphKernelNodeSetAttribute(
      N, cudaKernelNodeAttrID(Which),
      reinterpret_cast<const cudaKernelNodeAttrValue *>(From)));
}

//===----------------------------------------------------------------------===//
// What is the runtime's by another name
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuGraphNodeFindInClone(CUgraphNode *To, CUgraphNode N,
                                         CUgraph G) {
  ENTER;
  return result(cudaGraphNodeFindInClone(To, N, G));
}
EXPORTED CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode N, CUevent *To) {
  ENTER;
  return result(cudaGraphEventRecordNodeGetEvent(N, To));
}
EXPORTED CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode N, CUevent *To) {
  ENTER;
  return result(cudaGraphEventWaitNodeGetEvent(N, To));
}
EXPORTED CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode N, CUevent E) {
  ENTER;
  return result(cudaGraphEventRecordNodeSetEvent(N, E));
}
EXPORTED CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode N, CUevent E) {
  ENTER;
  return result(cudaGraphEventWaitNodeSetEvent(N, E));
}
EXPORTED CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec G,
                                                     CUgraphNode N, CUevent E) {
  ENTER;
  return result(cudaGraphExecEventRecordNodeSetEvent(G, N, E));
}
EXPORTED CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec G, CUgraphNode N,
                                                   CUevent E) {
  ENTER;
  return result(cudaGraphExecEventWaitNodeSetEvent(G, N, E));
}
EXPORTED CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode N, CUgraph *To) {
  ENTER;
  return result(cudaGraphChildGraphNodeGetGraph(N, To));
}
EXPORTED CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec G,
                                                     CUgraphNode N,
                                                     CUgraph Child) {
  ENTER;
  return result(cudaGraphExecChildGraphNodeSetParams(G, N, Child));
}
EXPORTED CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode To,
                                                  CUgraphNode From) {
  ENTER;
  return result(cudaGraphKernelNodeCopyAttributes(To, From));
}
EXPORTED CUresult cuGraphNodeSetEnabled(CUgraphExec G, CUgraphNode N,
                                        unsigned Enabled) {
  ENTER;
  return result(cudaGraphNodeSetEnabled(G, N, Enabled));
}
EXPORTED CUresult cuGraphNodeGetEnabled(CUgraphExec G, CUgraphNode N,
                                        unsigned *To) {
  ENTER;
  return result(cudaGraphNodeGetEnabled(G, N, To));
}
EXPORTED CUresult cuGraphDebugDotPrint(CUgraph G, const char *Path,
                                       unsigned Flags) {
  ENTER;
  return result(cudaGraphDebugDotPrint(G, Path, Flags));
}
EXPORTED CUresult cuDeviceGraphMemTrim(CUdevice D) {
  ENTER;
  return result(cudaDeviceGraphMemTrim(D));
}
EXPORTED CUresult cuDeviceGetGraphMemAttribute(CUdevice D,
                                               CUgraphMem_attribute Which,
                                               void *To) {
  ENTER;
  return result(
      cudaDeviceGetGraphMemAttribute(D, cudaGraphMemAttributeType(Which), To));
}
EXPORTED CUresult cuDeviceSetGraphMemAttribute(CUdevice D,
                                               CUgraphMem_attribute Which,
                                               void *From) {
  ENTER;
  return result(cudaDeviceSetGraphMemAttribute(
      D, cudaGraphMemAttributeType(Which), From));
}
EXPORTED CUresult cuUserObjectCreate(CUuserObject *To, void *Data,
                                     CUhostFn Destroy, unsigned Count,
                                     unsigned Flags) {
  ENTER;
  return result(cudaUserObjectCreate(To, Data, Destroy, Count, Flags));
}
EXPORTED CUresult cuUserObjectRetain(CUuserObject O, unsigned Count) {
  ENTER;
  return result(cudaUserObjectRetain(O, Count));
}
EXPORTED CUresult cuUserObjectRelease(CUuserObject O, unsigned Count) {
  ENTER;
  return result(cudaUserObjectRelease(O, Count));
}
EXPORTED CUresult cuGraphRetainUserObject(CUgraph G, CUuserObject O,
                                          unsigned Count, unsigned Flags) {
  ENTER;
  return result(cudaGraphRetainUserObject(G, O, Count, Flags));
}
EXPORTED CUresult cuGraphReleaseUserObject(CUgraph G, CUuserObject O,
                                           unsigned Count) {
  ENTER;
  return result(cudaGraphReleaseUserObject(G, O, Count));
}
EXPORTED CUresult cuGraphAddMemAllocNode(CUgraphNode *To, CUgraph G,
                                         const CUgraphNode *Before,
                                         size_t Count,
                                         CUDA_MEM_ALLOC_NODE_PARAMS *P) {
  ENTER;
  return result(cudaGraphAddMemAllocNode(
      To, G, Before, Count, reinterpret_cast<cudaMemAllocNodeParams *>(P)));
}
EXPORTED CUresult cuGraphMemAllocNodeGetParams(CUgraphNode N,
                                               CUDA_MEM_ALLOC_NODE_PARAMS *To) {
  ENTER;
  return result(cudaGraphMemAllocNodeGetParams(
      N, reinterpret_cast<cudaMemAllocNodeParams *>(To)));
}
EXPORTED CUresult cuGraphAddMemFreeNode(CUgraphNode *To, CUgraph G,
                                        const CUgraphNode *Before, size_t Count,
                                        CUdeviceptr At) {
  ENTER;
  return result(cudaGraphAddMemFreeNode(To, G, Before, Count, pointer(At)));
}
EXPORTED CUresult cuGraphMemFreeNodeGetParams(CUgraphNode N, CUdeviceptr *To) {
  ENTER;
  return result(cudaGraphMemFreeNodeGetParams(N, To));
}

//===----------------------------------------------------------------------===//
// Edges
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuGraphAddDependencies(CUgraph G, const CUgraphNode *From,
                                         const CUgraphNode *To, size_t Count) {
  ENTER;
  return result(cudaGraphAddDependencies_v2(G, From, To, nullptr, Count));
}
EXPORTED CUresult cuGraphAddDependencies_v2(CUgraph G, const CUgraphNode *From,
                                            const CUgraphNode *To,
                                            const CUgraphEdgeData *Edges,
                                            size_t Count) {
  ENTER;
  return result(cudaGraphAddDependencies_v2(G, From, To, Edges, Count));
}
EXPORTED CUresult cuGraphRemoveDependencies(CUgraph G, const CUgraphNode *From,
                                            const CUgraphNode *To,
                                            size_t Count) {
  ENTER;
  return result(cudaGraphRemoveDependencies_v2(G, From, To, nullptr, Count));
}
EXPORTED CUresult cuGraphRemoveDependencies_v2(CUgraph G,
                                               const CUgraphNode *From,
                                               const CUgraphNode *To,
                                               const CUgraphEdgeData *Edges,
                                               size_t Count) {
  ENTER;
  return result(cudaGraphRemoveDependencies_v2(G, From, To, Edges, Count));
}
EXPORTED CUresult cuGraphGetEdges(CUgraph G, CUgraphNode *From, CUgraphNode *To,
                                  size_t *Count) {
  ENTER;
  return result(cudaGraphGetEdges_v2(G, From, To, nullptr, Count));
}
EXPORTED CUresult cuGraphGetEdges_v2(CUgraph G, CUgraphNode *From,
                                     CUgraphNode *To, CUgraphEdgeData *Edges,
                                     size_t *Count) {
  ENTER;
  return result(cudaGraphGetEdges_v2(G, From, To, Edges, Count));
}
EXPORTED CUresult cuGraphNodeGetDependencies(CUgraphNode N, CUgraphNode *To,
                                             size_t *Count) {
  ENTER;
  return result(cudaGraphNodeGetDependencies_v2(N, To, nullptr, Count));
}
EXPORTED CUresult cuGraphNodeGetDependencies_v2(CUgraphNode N, CUgraphNode *To,
                                                CUgraphEdgeData *Edges,
                                                size_t *Count) {
  ENTER;
  return result(cudaGraphNodeGetDependencies_v2(N, To, Edges, Count));
}
EXPORTED CUresult cuGraphNodeGetDependentNodes(CUgraphNode N, CUgraphNode *To,
                                               size_t *Count) {
  ENTER;
  return result(cudaGraphNodeGetDependentNodes_v2(N, To, nullptr, Count));
}
EXPORTED CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode N,
                                                  CUgraphNode *To,
                                                  CUgraphEdgeData *Edges,
                                                  size_t *Count) {
  ENTER;
  return result(cudaGraphNodeGetDependentNodes_v2(N, To, Edges, Count));
}

//===----------------------------------------------------------------------===//
// Graphs that can be launched, and captures
//===----------------------------------------------------------------------===//

/// As programs of CUDA 11 link it.
EXPORTED CUresult cuGraphInstantiate_v2(CUgraphExec *To, CUgraph G,
                                        CUgraphNode *Failed, char *Text,
                                        size_t Bytes) {
  ENTER;
  if (Failed)
    *Failed = nullptr;
  if (Text && Bytes)
    *Text = 0;
  return result(cudaGraphInstantiateWithFlags(To, G, 0));
}
EXPORTED CUresult cuGraphInstantiateWithParams(
    CUgraphExec *To, CUgraph G, CUDA_GRAPH_INSTANTIATE_PARAMS *P) {
  ENTER;
  return result(cudaGraphInstantiateWithParams(
      To, G, reinterpret_cast<cudaGraphInstantiateParams *>(P)));
}
EXPORTED CUresult cuGraphExecGetFlags(CUgraphExec G, cuuint64_t *To) {
  ENTER;
  return result(
      cudaGraphExecGetFlags(G, reinterpret_cast<unsigned long long *>(To)));
}
EXPORTED CUresult cuGraphExecUpdate_v2(CUgraphExec G, CUgraph By,
                                       CUgraphExecUpdateResultInfo *To) {
  ENTER;
  return result(cudaGraphExecUpdate(
      G, By, reinterpret_cast<cudaGraphExecUpdateResultInfo *>(To)));
}
EXPORTED CUresult cuStreamBeginCaptureToGraph(CUstream S, CUgraph G,
                                              const CUgraphNode *Before,
                                              const CUgraphEdgeData *Edges,
                                              size_t Count,
                                              CUstreamCaptureMode Mode) {
  ENTER;
  return result(cudaStreamBeginCaptureToGraph(S, G, Before, Edges, Count,
                                              cudaStreamCaptureMode(Mode)));
}
EXPORTED CUresult cuStreamGetCaptureInfo_v2(CUstream S,
                                            CUstreamCaptureStatus *To,
                                            cuuint64_t *Id, CUgraph *G,
                                            const CUgraphNode **Before,
                                            size_t *Count) {
  ENTER;
  return result(cudaStreamGetCaptureInfo_v2(
      S, reinterpret_cast<cudaStreamCaptureStatus *>(To),
      reinterpret_cast<unsigned long long *>(Id), G, Before, Count));
}
EXPORTED CUresult cuStreamGetCaptureInfo_v3(
    CUstream S, CUstreamCaptureStatus *To, cuuint64_t *Id, CUgraph *G,
    const CUgraphNode **Before, const CUgraphEdgeData **Edges, size_t *Count) {
  ENTER;
  return result(cudaStreamGetCaptureInfo_v3(
      S, reinterpret_cast<cudaStreamCaptureStatus *>(To),
      reinterpret_cast<unsigned long long *>(Id), G, Before, Edges, Count));
}
EXPORTED CUresult cuStreamUpdateCaptureDependencies(CUstream S,
                                                    CUgraphNode *Nodes,
                                                    size_t Count,
                                                    unsigned Flags) {
  ENTER;
  return result(
      cudaStreamUpdateCaptureDependencies_v2(S, Nodes, nullptr, Count, Flags));
}
EXPORTED CUresult cuStreamUpdateCaptureDependencies_v2(
    CUstream S, CUgraphNode *Nodes, const CUgraphEdgeData *Edges, size_t Count,
    unsigned Flags) {
  ENTER;
  return result(
      cudaStreamUpdateCaptureDependencies_v2(S, Nodes, Edges, Count, Flags));
}
