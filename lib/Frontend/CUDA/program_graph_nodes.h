// Nodes of graphs in programs that `heddle cc` compiles: their parameters,
// memory, objects, and what a capture tells (tools/cuda-layer/GraphNodes.cpp,
// GraphMemory.cpp, UserObjects.cpp, Captures.cpp).

#ifndef HEDDLE_CUDA_PROGRAM_GRAPH_NODES_H
#define HEDDLE_CUDA_PROGRAM_GRAPH_NODES_H

extern "C" {
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *, cudaGraphNode_t,
                                     cudaGraph_t);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t,
                             const cudaGraphNode_t *, size_t,
                             cudaGraphNodeParams *);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *, cudaGraph_t,
                                const cudaGraphNode_t *,
                                const cudaGraphEdgeData *, size_t,
                                cudaGraphNodeParams *);
cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t, cudaGraphNodeParams *);
cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t, cudaGraphNode_t,
                                       cudaGraphNodeParams *);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t, const cudaGraphNode_t *,
                                        const cudaGraphNode_t *,
                                        const cudaGraphEdgeData *, size_t);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t, const cudaGraphNode_t *,
                                           const cudaGraphNode_t *,
                                           const cudaGraphEdgeData *, size_t);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t, cudaGraphNode_t *,
                                 cudaGraphNode_t *, cudaGraphEdgeData *,
                                 size_t *);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t, cudaGraphNode_t *,
                                            cudaGraphEdgeData *, size_t *);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t,
                                              cudaGraphNode_t *,
                                              cudaGraphEdgeData *, size_t *);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t, void *,
                                           const void *, size_t,
                                           cudaMemcpyKind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *, cudaGraph_t,
                                           const cudaGraphNode_t *, size_t,
                                           const void *, const void *, size_t,
                                           size_t, cudaMemcpyKind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *, cudaGraph_t,
                                             const cudaGraphNode_t *, size_t,
                                             void *, const void *, size_t,
                                             size_t, cudaMemcpyKind);
cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t, const void *,
                                                 const void *, size_t, size_t,
                                                 cudaMemcpyKind);
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t, void *,
                                                   const void *, size_t, size_t,
                                                   cudaMemcpyKind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(cudaGraphExec_t,
                                                     cudaGraphNode_t,
                                                     const void *, const void *,
                                                     size_t, size_t,
                                                     cudaMemcpyKind);
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(cudaGraphExec_t,
                                                       cudaGraphNode_t, void *,
                                                       const void *, size_t,
                                                       size_t, cudaMemcpyKind);
cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t, cudaEvent_t *);
cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t, cudaEvent_t *);
cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t, cudaEvent_t);
cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t, cudaEvent_t);
cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t,
                                                 cudaGraphNode_t, cudaEvent_t);
cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t, cudaGraphNode_t,
                                               cudaEvent_t);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t, cudaGraph_t *);
cudaError_t cudaGraphExecChildGraphNodeSetParams(cudaGraphExec_t,
                                                 cudaGraphNode_t, cudaGraph_t);
cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t,
                                            cudaKernelNodeAttrID,
                                            cudaKernelNodeAttrValue *);
cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t,
                                            cudaKernelNodeAttrID,
                                            const cudaKernelNodeAttrValue *);
cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t, cudaGraphNode_t);
cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t, cudaGraphNode_t, unsigned);
cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t, cudaGraphNode_t,
                                    unsigned *);
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *, cudaGraph_t,
                                           cudaGraphInstantiateParams *);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t, unsigned long long *);
cudaError_t cudaGraphDebugDotPrint(cudaGraph_t, const char *, unsigned);

cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *, cudaGraph_t,
                                     const cudaGraphNode_t *, size_t,
                                     cudaMemAllocNodeParams *);
cudaError_t cudaGraphMemAllocNodeGetParams(cudaGraphNode_t,
                                           cudaMemAllocNodeParams *);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *, cudaGraph_t,
                                    const cudaGraphNode_t *, size_t, void *);
cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t, void *);
cudaError_t cudaDeviceGraphMemTrim(int);
cudaError_t cudaDeviceGetGraphMemAttribute(int, cudaGraphMemAttributeType,
                                           void *);
cudaError_t cudaDeviceSetGraphMemAttribute(int, cudaGraphMemAttributeType,
                                           void *);

cudaError_t cudaUserObjectCreate(cudaUserObject_t *, void *, cudaHostFn_t,
                                 unsigned, unsigned);
cudaError_t cudaUserObjectRetain(cudaUserObject_t, unsigned = 1);
cudaError_t cudaUserObjectRelease(cudaUserObject_t, unsigned = 1);
cudaError_t cudaGraphRetainUserObject(cudaGraph_t, cudaUserObject_t,
                                      unsigned = 1, unsigned = 0);
cudaError_t cudaGraphReleaseUserObject(cudaGraph_t, cudaUserObject_t,
                                       unsigned = 1);

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t, cudaGraph_t,
                                          const cudaGraphNode_t *,
                                          const cudaGraphEdgeData *, size_t,
                                          cudaStreamCaptureMode);
cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t, cudaStreamCaptureStatus *,
                                        unsigned long long * = nullptr,
                                        cudaGraph_t * = nullptr,
                                        const cudaGraphNode_t ** = nullptr,
                                        size_t * = nullptr);
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t, cudaStreamCaptureStatus *,
                                        unsigned long long * = nullptr,
                                        cudaGraph_t * = nullptr,
                                        const cudaGraphNode_t ** = nullptr,
                                        const cudaGraphEdgeData ** = nullptr,
                                        size_t * = nullptr);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t, cudaGraphNode_t *,
                                                size_t, unsigned = 0);
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t,
                                                   cudaGraphNode_t *,
                                                   const cudaGraphEdgeData *,
                                                   size_t, unsigned = 0);
}

#ifdef __cplusplus
inline cudaError_t
cudaStreamGetCaptureInfo(cudaStream_t stream, cudaStreamCaptureStatus *to,
                         unsigned long long *id, cudaGraph_t *graph,
                         const cudaGraphNode_t **before = nullptr,
                         size_t *count = nullptr) {
  return cudaStreamGetCaptureInfo_v2(stream, to, id, graph, before, count);
}
/// Variables instead of their addresses.
template <typename T>
cudaError_t
cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *to, cudaGraph_t graph,
                               const cudaGraphNode_t *before, size_t count,
                               const T &symbol, const void *from, size_t n,
                               size_t at, cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeToSymbol(
      to, graph, before, count, (const void *)&symbol, from, n, at, kind);
}
template <typename T>
cudaError_t
cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *to, cudaGraph_t graph,
                                 const cudaGraphNode_t *before, size_t count,
                                 void *dst, const T &symbol, size_t n,
                                 size_t at, cudaMemcpyKind kind) {
  return cudaGraphAddMemcpyNodeFromSymbol(to, graph, before, count, dst,
                                          (const void *)&symbol, n, at, kind);
}
template <typename T>
cudaError_t
cudaGraphMemcpyNodeSetParamsToSymbol(cudaGraphNode_t node, const T &symbol,
                                     const void *from, size_t n, size_t at,
                                     cudaMemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParamsToSymbol(node, (const void *)&symbol, from,
                                              n, at, kind);
}
template <typename T>
cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(cudaGraphNode_t node,
                                                   void *to, const T &symbol,
                                                   size_t n, size_t at,
                                                   cudaMemcpyKind kind) {
  return cudaGraphMemcpyNodeSetParamsFromSymbol(node, to, (const void *)&symbol,
                                                n, at, kind);
}
template <typename T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t graph, cudaGraphNode_t node, const T &symbol,
    const void *from, size_t n, size_t at, cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParamsToSymbol(
      graph, node, (const void *)&symbol, from, n, at, kind);
}
template <typename T>
cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t graph, cudaGraphNode_t node, void *to, const T &symbol,
    size_t n, size_t at, cudaMemcpyKind kind) {
  return cudaGraphExecMemcpyNodeSetParamsFromSymbol(
      graph, node, to, (const void *)&symbol, n, at, kind);
}
#endif

#endif
