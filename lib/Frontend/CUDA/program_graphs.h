// Graphs, captures of streams and pools of programs that `heddle cc` compiles
// (tools/cuda-layer/Graphs.cpp, GraphRuns.cpp and Pools.cpp).

#ifndef HEDDLE_CUDA_PROGRAM_GRAPHS_H
#define HEDDLE_CUDA_PROGRAM_GRAPHS_H

extern "C" {
cudaError_t cudaGraphCreate(cudaGraph_t *, unsigned);
cudaError_t cudaGraphDestroy(cudaGraph_t);
cudaError_t cudaGraphClone(cudaGraph_t *, cudaGraph_t);
cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaKernelNodeParams *);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaMemcpy3DParms *);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *, cudaGraph_t,
                                     const cudaGraphNode_t *, size_t, void *,
                                     const void *, size_t, cudaMemcpyKind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *, cudaGraph_t,
                                   const cudaGraphNode_t *, size_t,
                                   const cudaMemsetParams *);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *, cudaGraph_t,
                                 const cudaGraphNode_t *, size_t,
                                 const cudaHostNodeParams *);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *, cudaGraph_t,
                                  const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *, cudaGraph_t,
                                       const cudaGraphNode_t *, size_t,
                                       cudaGraph_t);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *, cudaGraph_t,
                                        const cudaGraphNode_t *, size_t,
                                        cudaEvent_t);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *, cudaGraph_t,
                                      const cudaGraphNode_t *, size_t,
                                      cudaEvent_t);
cudaError_t cudaGraphAddDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                     const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t, const cudaGraphNode_t *,
                                        const cudaGraphNode_t *, size_t);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t);
cudaError_t cudaGraphGetNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t, cudaGraphNode_t *, size_t *);
cudaError_t cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t *, cudaGraphNode_t *,
                              size_t *);
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t, cudaGraphNodeType *);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t *,
                                         size_t *);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t, cudaGraphNode_t *,
                                           size_t *);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t,
                                         cudaKernelNodeParams *);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t,
                                         const cudaKernelNodeParams *);
cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t, cudaMemcpy3DParms *);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t,
                                         const cudaMemcpy3DParms *);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t, cudaMemsetParams *);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t,
                                         const cudaMemsetParams *);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t, cudaHostNodeParams *);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t,
                                       const cudaHostNodeParams *);

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *, cudaGraph_t,
                                 unsigned long long = 0);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *, cudaGraph_t,
                                          unsigned long long = 0);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t);
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphLaunch(cudaGraphExec_t, cudaStream_t);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const cudaKernelNodeParams *);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const cudaMemcpy3DParms *);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t, cudaGraphNode_t,
                                               void *, const void *, size_t,
                                               cudaMemcpyKind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                             const cudaMemsetParams *);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                           const cudaHostNodeParams *);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t, cudaGraph_t,
                                cudaGraphExecUpdateResultInfo *);

cudaError_t cudaStreamBeginCapture(cudaStream_t, cudaStreamCaptureMode);
cudaError_t cudaStreamEndCapture(cudaStream_t, cudaGraph_t *);
cudaError_t cudaStreamIsCapturing(cudaStream_t, cudaStreamCaptureStatus *);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t, cudaStreamCaptureStatus *,
                                     unsigned long long * = nullptr);
cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *);

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *, int);
cudaError_t cudaDeviceSetMemPool(int, cudaMemPool_t);
cudaError_t cudaMemPoolCreate(cudaMemPool_t *, const cudaMemPoolProps *);
cudaError_t cudaMemPoolDestroy(cudaMemPool_t);
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t, size_t);
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t, cudaMemPoolAttr, void *);
cudaError_t cudaMemPoolSetAccess(cudaMemPool_t, const cudaMemAccessDesc *,
                                 size_t);
cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *, cudaMemPool_t,
                                 cudaMemLocation *);
cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *, cudaMemLocation *,
                                     cudaMemAllocationType);
cudaError_t cudaMemGetMemPool(cudaMemPool_t *, cudaMemLocation *,
                              cudaMemAllocationType);
cudaError_t cudaMemSetMemPool(cudaMemLocation *, cudaMemAllocationType,
                              cudaMemPool_t);
cudaError_t cudaMallocFromPoolAsync(void **, size_t, cudaMemPool_t,
                                    cudaStream_t);
}

#ifdef __cplusplus
// As CUDA 11 has it.
inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *to, cudaGraph_t graph,
                                        cudaGraphNode_t *, char *log,
                                        size_t size) {
  if (log && size)
    *log = 0;
  return cudaGraphInstantiate(to, graph, 0);
}
inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t by,
                                       cudaGraphNode_t *node,
                                       cudaGraphExecUpdateResult *result) {
  cudaGraphExecUpdateResultInfo info = {};
  cudaError_t e = cudaGraphExecUpdate(exec, by, &info);
  if (node)
    *node = info.errorNode;
  if (result)
    *result = info.result;
  return e;
}
template <typename T>
cudaError_t cudaMallocAsync(T **to, size_t n, cudaMemPool_t pool,
                            cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)to, n, pool, stream);
}
template <typename T>
cudaError_t cudaMallocFromPoolAsync(T **to, size_t n, cudaMemPool_t pool,
                                    cudaStream_t stream) {
  return cudaMallocFromPoolAsync((void **)(void *)to, n, pool, stream);
}
#endif

#include "program_graph_nodes.h"

#endif
