//===- DriverGraphs.cpp - Graphs of the driver API ----------------------===//

#include "DriverCalls.h"

using namespace heddle;
using namespace heddle::cuda;

// Parameters of fills and of functions lie in memory as the runtime has them.
static const cudaMemsetParams *fillOf(const CUDA_MEMSET_NODE_PARAMS *P) {
  static_assert(sizeof(cudaMemsetParams) == sizeof(CUDA_MEMSET_NODE_PARAMS));
  return reinterpret_cast<const cudaMemsetParams *>(P);
}
static const cudaHostNodeParams *hostOf(const CUDA_HOST_NODE_PARAMS *P) {
  return reinterpret_cast<const cudaHostNodeParams *>(P);
}

/// The node of a launch that \p P describes.
Status heddle::cuda::kernelNode(const Call &Enter,
                                const CUDA_KERNEL_NODE_PARAMS *P,
                                KernelNode &To) {
  const void *Function = !P        ? nullptr
                         : P->func ? static_cast<const void *>(P->func)
                                   : P->kern;
  if (!Function)
    return Enter.device().report(Status::InvalidHandle, Enter.name(),
                                 "a null function");
  return makeKernelNode(Enter, Function,
                        {{P->gridDimX, P->gridDimY, P->gridDimZ},
                         {P->blockDimX, P->blockDimY, P->blockDimZ},
                         P->sharedMemBytes,
                         false},
                        P->kernelParams, To, P->extra);
}

//===----------------------------------------------------------------------===//
// Graphs and their nodes
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuGraphCreate(CUgraph *To, unsigned Flags) {
  ENTER;
  return result(cudaGraphCreate(To, Flags));
}
EXPORTED CUresult cuGraphClone(CUgraph *To, CUgraph From) {
  ENTER;
  return result(cudaGraphClone(To, From));
}
EXPORTED CUresult cuGraphAddKernelNode_v2(CUgraphNode *To, CUgraph G,
                                          const CUgraphNode *Before,
                                          size_t Count,
                                          const CUDA_KERNEL_NODE_PARAMS *P) {
  ENTER;
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return result(Enter(S));
  return result(addTo(Enter, To, G, Before, Count, std::move(K)));
}
EXPORTED CUresult cuGraphAddMemsetNode(CUgraphNode *To, CUgraph G,
                                       const CUgraphNode *Before, size_t Count,
                                       const CUDA_MEMSET_NODE_PARAMS *P,
                                       CUcontext) {
  ENTER;
  return result(cudaGraphAddMemsetNode(To, G, Before, Count, fillOf(P)));
}
EXPORTED CUresult cuGraphAddMemcpyNode(CUgraphNode *To, CUgraph G,
                                       const CUgraphNode *Before, size_t Count,
                                       const CUDA_MEMCPY3D *P, CUcontext) {
  ENTER;
  return result(P ? addTo(Enter, To, G, Before, Count, boxOf(*P))
                  : Enter.refuseNull());
}
EXPORTED CUresult cuGraphAddHostNode(CUgraphNode *To, CUgraph G,
                                     const CUgraphNode *Before, size_t Count,
                                     const CUDA_HOST_NODE_PARAMS *P) {
  ENTER;
  return result(cudaGraphAddHostNode(To, G, Before, Count, hostOf(P)));
}
EXPORTED CUresult cuGraphAddEmptyNode(CUgraphNode *To, CUgraph G,
                                      const CUgraphNode *Before, size_t Count) {
  ENTER;
  return result(cudaGraphAddEmptyNode(To, G, Before, Count));
}
EXPORTED CUresult cuGraphAddChildGraphNode(CUgraphNode *To, CUgraph G,
                                           const CUgraphNode *Before,
                                           size_t Count, CUgraph Child) {
  ENTER;
  return result(cudaGraphAddChildGraphNode(To, G, Before, Count, Child));
}
EXPORTED CUresult cuGraphAddEventRecordNode(CUgraphNode *To, CUgraph G,
                                            const CUgraphNode *Before,
                                            size_t Count, CUevent E) {
  ENTER;
  return result(cudaGraphAddEventRecordNode(To, G, Before, Count, E));
}
EXPORTED CUresult cuGraphAddEventWaitNode(CUgraphNode *To, CUgraph G,
                                          const CUgraphNode *Before,
                                          size_t Count, CUevent E) {
  ENTER;
  return result(cudaGraphAddEventWaitNode(To, G, Before, Count, E));
}
EXPORTED CUresult cuGraphDestroyNode(CUgraphNode N) {
  ENTER;
  return result(cudaGraphDestroyNode(N));
}
EXPORTED CUresult cuGraphGetNodes(CUgraph G, CUgraphNode *To, size_t *Count) {
  ENTER;
  return result(cudaGraphGetNodes(G, To, Count));
}
EXPORTED CUresult cuGraphGetRootNodes(CUgraph G, CUgraphNode *To,
                                      size_t *Count) {
  ENTER;
  return result(cudaGraphGetRootNodes(G, To, Count));
}
EXPORTED CUresult cuGraphNodeGetType(CUgraphNode N, CUgraphNodeType *To) {
  ENTER;
  return result(
      cudaGraphNodeGetType(N, reinterpret_cast<cudaGraphNodeType *>(To)));
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuGraphDestroy(CUgraph G) {
  ENTER;
  return result(cudaGraphDestroy(G));
}
EXPORTED CUresult cuGraphInstantiateWithFlags(CUgraphExec *To, CUgraph G,
                                              unsigned long long Flags) {
  ENTER;
  return result(cudaGraphInstantiateWithFlags(To, G, Flags));
}
EXPORTED CUresult cuGraphLaunch(CUgraphExec G, CUstream S) {
  ENTER;
  return result(cudaGraphLaunch(G, S));
}
EXPORTED CUresult cuGraphExecDestroy(CUgraphExec G) {
  ENTER;
  return result(cudaGraphExecDestroy(G));
}
EXPORTED CUresult cuGraphUpload(CUgraphExec G, CUstream S) {
  ENTER;
  return result(cudaGraphUpload(G, S));
}
EXPORTED CUresult cuGraphExecKernelNodeSetParams_v2(
    CUgraphExec G, CUgraphNode N, const CUDA_KERNEL_NODE_PARAMS *P) {
  ENTER;
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return result(Enter(S));
  return result(replaceStep(Enter, G, N, std::move(K)));
}
EXPORTED CUresult cuGraphExecMemsetNodeSetParams(
    CUgraphExec G, CUgraphNode N, const CUDA_MEMSET_NODE_PARAMS *P, CUcontext) {
  ENTER;
  return result(cudaGraphExecMemsetNodeSetParams(G, N, fillOf(P)));
}
EXPORTED CUresult cuGraphExecMemcpyNodeSetParams(CUgraphExec G, CUgraphNode N,
                                                 const CUDA_MEMCPY3D *P,
                                                 CUcontext) {
  ENTER;
  return result(P ? replaceStep(Enter, G, N, boxOf(*P)) : Enter.refuseNull());
}
EXPORTED CUresult cuGraphExecHostNodeSetParams(CUgraphExec G, CUgraphNode N,
                                               const CUDA_HOST_NODE_PARAMS *P) {
  ENTER;
  return result(cudaGraphExecHostNodeSetParams(G, N, hostOf(P)));
}
