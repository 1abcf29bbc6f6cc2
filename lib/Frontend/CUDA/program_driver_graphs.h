// Graphs and mapped memory of the driver API in programs that `heddle cc`
// compiles (tools/cuda-layer/DriverGraphs.cpp, DriverGraphNodes.cpp). Functions
// that take or give edges have the form of CUDA 12.0; _v2 has data of the
// edges.

#ifndef HEDDLE_CUDA_PROGRAM_DRIVER_GRAPHS_H
#define HEDDLE_CUDA_PROGRAM_DRIVER_GRAPHS_H

#define cuGraphKernelNodeGetParams cuGraphKernelNodeGetParams_v2
#define cuGraphKernelNodeSetParams cuGraphKernelNodeSetParams_v2
#define cuGraphExecUpdate cuGraphExecUpdate_v2
#define cuGraphInstantiate cuGraphInstantiateWithFlags

extern "C" {
CUresult cuGraphNodeFindInClone(CUgraphNode *, CUgraphNode, CUgraph);
CUresult cuGraphAddNode(CUgraphNode *, CUgraph, const CUgraphNode *, size_t,
                        CUgraphNodeParams *);
CUresult cuGraphAddNode_v2(CUgraphNode *, CUgraph, const CUgraphNode *,
                           const CUgraphEdgeData *, size_t,
                           CUgraphNodeParams *);
CUresult cuGraphNodeSetParams(CUgraphNode, CUgraphNodeParams *);
CUresult cuGraphExecNodeSetParams(CUgraphExec, CUgraphNode,
                                  CUgraphNodeParams *);
CUresult cuGraphAddDependencies(CUgraph, const CUgraphNode *,
                                const CUgraphNode *, size_t);
CUresult cuGraphAddDependencies_v2(CUgraph, const CUgraphNode *,
                                   const CUgraphNode *, const CUgraphEdgeData *,
                                   size_t);
CUresult cuGraphRemoveDependencies(CUgraph, const CUgraphNode *,
                                   const CUgraphNode *, size_t);
CUresult cuGraphRemoveDependencies_v2(CUgraph, const CUgraphNode *,
                                      const CUgraphNode *,
                                      const CUgraphEdgeData *, size_t);
CUresult cuGraphGetEdges(CUgraph, CUgraphNode *, CUgraphNode *, size_t *);
CUresult cuGraphGetEdges_v2(CUgraph, CUgraphNode *, CUgraphNode *,
                            CUgraphEdgeData *, size_t *);
CUresult cuGraphNodeGetDependencies(CUgraphNode, CUgraphNode *, size_t *);
CUresult cuGraphNodeGetDependencies_v2(CUgraphNode, CUgraphNode *,
                                       CUgraphEdgeData *, size_t *);
CUresult cuGraphNodeGetDependentNodes(CUgraphNode, CUgraphNode *, size_t *);
CUresult cuGraphNodeGetDependentNodes_v2(CUgraphNode, CUgraphNode *,
                                         CUgraphEdgeData *, size_t *);
CUresult cuGraphKernelNodeGetParams_v2(CUgraphNode, CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphKernelNodeSetParams_v2(CUgraphNode,
                                       const CUDA_KERNEL_NODE_PARAMS *);
CUresult cuGraphMemcpyNodeGetParams(CUgraphNode, CUDA_MEMCPY3D *);
CUresult cuGraphMemcpyNodeSetParams(CUgraphNode, const CUDA_MEMCPY3D *);
CUresult cuGraphMemsetNodeGetParams(CUgraphNode, CUDA_MEMSET_NODE_PARAMS *);
CUresult cuGraphMemsetNodeSetParams(CUgraphNode,
                                    const CUDA_MEMSET_NODE_PARAMS *);
CUresult cuGraphHostNodeGetParams(CUgraphNode, CUDA_HOST_NODE_PARAMS *);
CUresult cuGraphHostNodeSetParams(CUgraphNode, const CUDA_HOST_NODE_PARAMS *);
CUresult cuGraphEventRecordNodeGetEvent(CUgraphNode, CUevent *);
CUresult cuGraphEventWaitNodeGetEvent(CUgraphNode, CUevent *);
CUresult cuGraphEventRecordNodeSetEvent(CUgraphNode, CUevent);
CUresult cuGraphEventWaitNodeSetEvent(CUgraphNode, CUevent);
CUresult cuGraphExecEventRecordNodeSetEvent(CUgraphExec, CUgraphNode, CUevent);
CUresult cuGraphExecEventWaitNodeSetEvent(CUgraphExec, CUgraphNode, CUevent);
CUresult cuGraphChildGraphNodeGetGraph(CUgraphNode, CUgraph *);
CUresult cuGraphExecChildGraphNodeSetParams(CUgraphExec, CUgraphNode, CUgraph);
CUresult cuGraphKernelNodeGetAttribute(CUgraphNode, CUkernelNodeAttrID,
                                       CUkernelNodeAttrValue *);
CUresult cuGraphKernelNodeSetAttribute(CUgraphNode, CUkernelNodeAttrID,
                                       const CUkernelNodeAttrValue *);
CUresult cuGraphKernelNodeCopyAttributes(CUgraphNode, CUgraphNode);
CUresult cuGraphNodeSetEnabled(CUgraphExec, CUgraphNode, unsigned);
CUresult cuGraphNodeGetEnabled(CUgraphExec, CUgraphNode, unsigned *);
CUresult cuGraphInstantiate_v2(CUgraphExec *, CUgraph, CUgraphNode *, char *,
                               size_t);
CUresult cuGraphInstantiateWithParams(CUgraphExec *, CUgraph,
                                      CUDA_GRAPH_INSTANTIATE_PARAMS *);
CUresult cuGraphExecGetFlags(CUgraphExec, cuuint64_t *);
CUresult cuGraphExecUpdate_v2(CUgraphExec, CUgraph,
                              CUgraphExecUpdateResultInfo *);
CUresult cuGraphDebugDotPrint(CUgraph, const char *, unsigned);

CUresult cuGraphAddMemAllocNode(CUgraphNode *, CUgraph, const CUgraphNode *,
                                size_t, CUDA_MEM_ALLOC_NODE_PARAMS *);
CUresult cuGraphMemAllocNodeGetParams(CUgraphNode,
                                      CUDA_MEM_ALLOC_NODE_PARAMS *);
CUresult cuGraphAddMemFreeNode(CUgraphNode *, CUgraph, const CUgraphNode *,
                               size_t, CUdeviceptr);
CUresult cuGraphMemFreeNodeGetParams(CUgraphNode, CUdeviceptr *);
CUresult cuDeviceGraphMemTrim(CUdevice);
CUresult cuDeviceGetGraphMemAttribute(CUdevice, CUgraphMem_attribute, void *);
CUresult cuDeviceSetGraphMemAttribute(CUdevice, CUgraphMem_attribute, void *);

CUresult cuUserObjectCreate(CUuserObject *, void *, CUhostFn, unsigned,
                            unsigned);
CUresult cuUserObjectRetain(CUuserObject, unsigned);
CUresult cuUserObjectRelease(CUuserObject, unsigned);
CUresult cuGraphRetainUserObject(CUgraph, CUuserObject, unsigned, unsigned);
CUresult cuGraphReleaseUserObject(CUgraph, CUuserObject, unsigned);

// Memory that a program maps to addresses itself (Mappings.cpp).
CUresult cuMemAddressReserve(CUdeviceptr *, size_t, size_t, CUdeviceptr,
                             unsigned long long);
CUresult cuMemAddressFree(CUdeviceptr, size_t);
CUresult cuMemCreate(CUmemGenericAllocationHandle *, size_t,
                     const CUmemAllocationProp *, unsigned long long);
CUresult cuMemRelease(CUmemGenericAllocationHandle);
CUresult cuMemMap(CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle,
                  unsigned long long);
CUresult cuMemUnmap(CUdeviceptr, size_t);
CUresult cuMemSetAccess(CUdeviceptr, size_t, const CUmemAccessDesc *, size_t);
CUresult cuMemGetAccess(unsigned long long *, const CUmemLocation *,
                        CUdeviceptr);
CUresult cuMemGetAllocationGranularity(size_t *, const CUmemAllocationProp *,
                                       CUmemAllocationGranularity_flags);
CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *,
                                                CUmemGenericAllocationHandle);
CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *, void *);

CUresult cuStreamBeginCaptureToGraph(CUstream, CUgraph, const CUgraphNode *,
                                     const CUgraphEdgeData *, size_t,
                                     CUstreamCaptureMode);
CUresult cuStreamGetCaptureInfo_v2(CUstream, CUstreamCaptureStatus *,
                                   cuuint64_t *, CUgraph *,
                                   const CUgraphNode **, size_t *);
CUresult cuStreamGetCaptureInfo_v3(CUstream, CUstreamCaptureStatus *,
                                   cuuint64_t *, CUgraph *,
                                   const CUgraphNode **,
                                   const CUgraphEdgeData **, size_t *);
CUresult cuStreamUpdateCaptureDependencies(CUstream, CUgraphNode *, size_t,
                                           unsigned);
CUresult cuStreamUpdateCaptureDependencies_v2(CUstream, CUgraphNode *,
                                              const CUgraphEdgeData *, size_t,
                                              unsigned);
}

#ifdef __cplusplus
// As CUDA 11 and 12 have them under the plain names.
inline CUresult cuGraphInstantiate(CUgraphExec *to, CUgraph graph,
                                   CUgraphNode *node, char *log, size_t size) {
  return cuGraphInstantiate_v2(to, graph, node, log, size);
}
inline CUresult cuStreamGetCaptureInfo(CUstream stream,
                                       CUstreamCaptureStatus *to,
                                       cuuint64_t *id, CUgraph *graph,
                                       const CUgraphNode **before,
                                       size_t *count) {
  return cuStreamGetCaptureInfo_v2(stream, to, id, graph, before, count);
}
#endif

#endif
