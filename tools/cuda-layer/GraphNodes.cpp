//===- GraphNodes.cpp - Parameters of the nodes of graphs -----------------===//

#include "Graphs.h"

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// Parameters of nodes
//===----------------------------------------------------------------------===//

static dim3 dim3Of(const Dim3 &D) { return dim3(D.X, D.Y, D.Z); }

EXPORTED cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t Handle,
                                                  cudaKernelNodeParams *To) {
  ENTER;
  GraphNode *N = nodeOf(Handle);
  KernelNode *K = N ? std::get_if<KernelNode>(&N->Params) : nullptr;
  if (!K || !To)
    return Enter(Status::InvalidValue);
  const auto &I = *K->Kernel->Module->Loaded->kernel(K->Kernel->Name);
  K->Pointers.clear();
  for (const exec::KernelParam &P : I.Params)
    K->Pointers.push_back(K->Packed.data() + P.Offset);
  *To = {const_cast<void *>(K->Function),
         dim3Of(K->Shape.Grid),
         dim3Of(K->Shape.Block),
         unsigned(K->Shape.DynamicShared),
         K->Pointers.data(),
         nullptr};
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphKernelNodeSetParams(
    cudaGraphNode_t Handle, const cudaKernelNodeParams *P) {
  ENTER;
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return Enter(S);
  return replaceNode(Enter, Handle, std::move(K));
}

/// Reads or, with \p From, replaces the parameters of a node of their type.
template <typename T>
static cudaError_t params(const Call &Enter, cudaGraphNode_t Handle, T *To,
                          const T *From) {
  GraphNode *N = nodeOf(Handle);
  T *Now = N ? std::get_if<T>(&N->Params) : nullptr;
  if (!Now || (!To && !From))
    return Enter(Status::InvalidValue);
  if (To)
    *To = *Now;
  if (From)
    *Now = *From;
  return Enter.done();
}
/// Whether elements of the fill are of 1, 2 or 4 bytes.
static bool isFill(const cudaMemsetParams *P) {
  return P &&
         (P->elementSize == 1 || P->elementSize == 2 || P->elementSize == 4);
}
EXPORTED cudaError_t cudaGraphMemcpyNodeGetParams(cudaGraphNode_t N,
                                                  cudaMemcpy3DParms *To) {
  ENTER;
  return params<cudaMemcpy3DParms>(Enter, N, To, nullptr);
}
EXPORTED cudaError_t
cudaGraphMemcpyNodeSetParams(cudaGraphNode_t N, const cudaMemcpy3DParms *From) {
  ENTER;
  return params<cudaMemcpy3DParms>(Enter, N, nullptr, From);
}
EXPORTED cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t N,
                                                  cudaMemsetParams *To) {
  ENTER;
  return params<cudaMemsetParams>(Enter, N, To, nullptr);
}
EXPORTED cudaError_t
cudaGraphMemsetNodeSetParams(cudaGraphNode_t N, const cudaMemsetParams *From) {
  ENTER;
  return isFill(From) ? params<cudaMemsetParams>(Enter, N, nullptr, From)
                      : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t N,
                                                cudaHostNodeParams *To) {
  ENTER;
  return params<cudaHostNodeParams>(Enter, N, To, nullptr);
}
EXPORTED cudaError_t
cudaGraphHostNodeSetParams(cudaGraphNode_t N, const cudaHostNodeParams *From) {
  ENTER;
  return From && From->fn ? params<cudaHostNodeParams>(Enter, N, nullptr, From)
                          : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t N, void *To,
                                                    const void *From,
                                                    size_t Bytes,
                                                    cudaMemcpyKind Kind) {
  ENTER;
  const cudaMemcpy3DParms P = flatCopy(To, From, Bytes, Kind);
  return params<cudaMemcpy3DParms>(Enter, N, nullptr, &P);
}

//===----------------------------------------------------------------------===//
// Copies to and from variables
//===----------------------------------------------------------------------===//

namespace {
/// The variable's memory from \p Offset on, if it has \p Bytes there.
struct SymbolPlace {
  char *At = nullptr;
  cudaError_t Error;

  SymbolPlace(const Call &Enter, const void *Symbol, size_t Offset,
              size_t Bytes) {
    void *Begin = nullptr;
    size_t Size = 0;
    Error = cudaGetSymbolAddress(&Begin, Symbol);
    if (!Error)
      Error = cudaGetSymbolSize(&Size, Symbol);
    if (!Error && (Offset > Size || Bytes > Size - Offset))
      Error =
          Enter.refuse(Status::InvalidValue,
                       fmt::format("{} bytes at {} of a variable of {} bytes",
                                   Bytes, Offset, Size));
    At = static_cast<char *>(Begin) + Offset;
  }
};
} // namespace

EXPORTED cudaError_t cudaGraphAddMemcpyNodeToSymbol(
    cudaGraphNode_t *To, cudaGraph_t G, const cudaGraphNode_t *Before,
    size_t Count, const void *Symbol, const void *From, size_t Bytes,
    size_t Offset, cudaMemcpyKind Kind) {
  ENTER;
  const SymbolPlace P(Enter, Symbol, Offset, Bytes);
  return P.Error ? P.Error
                 : addTo(Enter, To, G, Before, Count,
                         flatCopy(P.At, From, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphAddMemcpyNodeFromSymbol(
    cudaGraphNode_t *To, cudaGraph_t G, const cudaGraphNode_t *Before,
    size_t Count, void *Dst, const void *Symbol, size_t Bytes, size_t Offset,
    cudaMemcpyKind Kind) {
  ENTER;
  const SymbolPlace P(Enter, Symbol, Offset, Bytes);
  return P.Error ? P.Error
                 : addTo(Enter, To, G, Before, Count,
                         flatCopy(Dst, P.At, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphMemcpyNodeSetParamsToSymbol(
    cudaGraphNode_t N, const void *Symbol, const void *From, size_t Bytes,
    size_t Offset, cudaMemcpyKind Kind) {
  ENTER;
  const SymbolPlace P(Enter, Symbol, Offset, Bytes);
  return P.Error ? P.Error
                 : replaceNode(Enter, N, flatCopy(P.At, From, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphMemcpyNodeSetParamsFromSymbol(
    cudaGraphNode_t N, void *To, const void *Symbol, size_t Bytes,
    size_t Offset, cudaMemcpyKind Kind) {
  ENTER;
  const SymbolPlace P(Enter, Symbol, Offset, Bytes);
  return P.Error ? P.Error
                 : replaceNode(Enter, N, flatCopy(To, P.At, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphExecMemcpyNodeSetParamsToSymbol(
    cudaGraphExec_t G, cudaGraphNode_t N, const void *Symbol, const void *From,
    size_t Bytes, size_t Offset, cudaMemcpyKind Kind) {
  ENTER;
  const SymbolPlace P(Enter, Symbol, Offset, Bytes);
  return P.Error ? P.Error
                 : replaceStep(Enter, G, N, flatCopy(P.At, From, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphExecMemcpyNodeSetParamsFromSymbol(
    cudaGraphExec_t G, cudaGraphNode_t N, void *To, const void *Symbol,
    size_t Bytes, size_t Offset, cudaMemcpyKind Kind) {
  ENTER;
  const SymbolPlace P(Enter, Symbol, Offset, Bytes);
  return P.Error ? P.Error
                 : replaceStep(Enter, G, N, flatCopy(To, P.At, Bytes, Kind));
}

//===----------------------------------------------------------------------===//
// Events and graphs in nodes
//===----------------------------------------------------------------------===//

static cudaError_t eventIn(const Call &Enter, cudaGraphNode_t Handle,
                           bool Records, cudaEvent_t *To) {
  GraphNode *N = nodeOf(Handle);
  const EventNode *E = N ? std::get_if<EventNode>(&N->Params) : nullptr;
  return E && E->Records == Records
             ? Enter.give(To, reinterpret_cast<cudaEvent_t>(E->Event))
             : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t N,
                                                      cudaEvent_t *To) {
  ENTER;
  return eventIn(Enter, N, /*Records=*/true, To);
}
EXPORTED cudaError_t cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t N,
                                                    cudaEvent_t *To) {
  ENTER;
  return eventIn(Enter, N, /*Records=*/false, To);
}
/// Calls \p Do with a node of \p Event.
template <typename Function>
static cudaError_t withEvent(const Call &Enter, cudaEvent_t Event, bool Records,
                             Function Do) {
  EventState *E = eventOf(Event);
  return E ? Do(EventNode{E, Records})
           : Enter.refuse(Status::InvalidHandle, "there is no such event");
}
EXPORTED cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t N,
                                                      cudaEvent_t Event) {
  ENTER;
  return withEvent(Enter, Event, /*Records=*/true,
                   [&](EventNode E) { return replaceNode(Enter, N, E); });
}
EXPORTED cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t N,
                                                    cudaEvent_t Event) {
  ENTER;
  return withEvent(Enter, Event, /*Records=*/false,
                   [&](EventNode E) { return replaceNode(Enter, N, E); });
}
EXPORTED cudaError_t cudaGraphExecEventRecordNodeSetEvent(cudaGraphExec_t G,
                                                          cudaGraphNode_t N,
                                                          cudaEvent_t Event) {
  ENTER;
  return withEvent(Enter, Event, /*Records=*/true,
                   [&](EventNode E) { return replaceStep(Enter, G, N, E); });
}
EXPORTED cudaError_t cudaGraphExecEventWaitNodeSetEvent(cudaGraphExec_t G,
                                                        cudaGraphNode_t N,
                                                        cudaEvent_t Event) {
  ENTER;
  return withEvent(Enter, Event, /*Records=*/false,
                   [&](EventNode E) { return replaceStep(Enter, G, N, E); });
}
/// The node's own graph, which the program may change but not destroy.
EXPORTED cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t Handle,
                                                     cudaGraph_t *To) {
  ENTER;
  const GraphNode *N = nodeOf(Handle);
  GraphState *Inner = N ? innerOf(*N) : nullptr;
  return Inner ? Enter.give(To, reinterpret_cast<cudaGraph_t>(Inner))
               : Enter(Status::InvalidValue);
}

//===----------------------------------------------------------------------===//
// Attributes of launches
//===----------------------------------------------------------------------===//

static KernelNode *kernelIn(cudaGraphNode_t Handle) {
  GraphNode *N = nodeOf(Handle);
  return N ? std::get_if<KernelNode>(&N->Params) : nullptr;
}
/// Those that a node of a graph may have.
static bool isNodeAttribute(cudaKernelNodeAttrID Which) {
  switch (Which) {
  case cudaLaunchAttributeAccessPolicyWindow:
  case cudaLaunchAttributeCooperative:
  case cudaLaunchAttributeClusterDimension:
  case cudaLaunchAttributeClusterSchedulingPolicyPreference:
  case cudaLaunchAttributePriority:
  case cudaLaunchAttributeMemSyncDomainMap:
  case cudaLaunchAttributeMemSyncDomain:
  case cudaLaunchAttributePreferredSharedMemoryCarveout:
    return true;
  default:
    return false;
  }
}
EXPORTED cudaError_t
cudaGraphKernelNodeGetAttribute(cudaGraphNode_t N, cudaKernelNodeAttrID Which,
                                cudaKernelNodeAttrValue *To) {
  ENTER;
  const KernelNode *K = kernelIn(N);
  if (!K || !To || !isNodeAttribute(Which))
    return Enter(Status::InvalidValue);
  *To = {};
  if (Which == cudaLaunchAttributeCooperative)
    To->cooperative = K->Shape.Cooperative;
  else if (Which == cudaLaunchAttributeClusterDimension && K->Shape.Cluster)
    To->clusterDim = {K->Shape.Cluster->X, K->Shape.Cluster->Y,
                      K->Shape.Cluster->Z};
  else if (auto It = K->Attributes.find(Which); It != K->Attributes.end())
    *To = It->second;
  return Enter.done();
}
EXPORTED cudaError_t
cudaGraphKernelNodeSetAttribute(cudaGraphNode_t N, cudaKernelNodeAttrID Which,
                                const cudaKernelNodeAttrValue *From) {
  ENTER;
  KernelNode *K = kernelIn(N);
  if (!K || !From)
    return Enter(Status::InvalidValue);
  if (!isNodeAttribute(Which))
    return Enter.refuse(
        Status::InvalidValue,
        fmt::format("a node of a graph has no attribute {}", int(Which)));
  const auto &C = From->clusterDim;
  if (Which == cudaLaunchAttributeCooperative)
    K->Shape.Cooperative = From->cooperative != 0;
  else if (Which == cudaLaunchAttributeClusterDimension)
    K->Shape.Cluster = C.x ? std::optional(Dim3{C.x, C.y, C.z}) : std::nullopt;
  else
    K->Attributes[Which] = *From;
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t To,
                                                       cudaGraphNode_t From) {
  ENTER;
  KernelNode *T = kernelIn(To);
  const KernelNode *F = kernelIn(From);
  if (!T || !F)
    return Enter(Status::InvalidValue);
  T->takeAttributes(*F);
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Nodes of any type
//===----------------------------------------------------------------------===//

namespace heddle::cuda {

cudaError_t replaceNode(const Call &Enter, cudaGraphNode_t Handle,
                        NodeParams Params) {
  GraphNode *N = nodeOf(Handle);
  const auto *Old = N ? std::get_if<EventNode>(&N->Params) : nullptr;
  const auto *New = std::get_if<EventNode>(&Params);
  if (!N || N->Params.index() != Params.index() ||
      (Old && Old->Records != New->Records))
    return Enter.refuse(Status::InvalidValue,
                        "there is no such node of this type");
  if (auto *K = std::get_if<KernelNode>(&Params))
    K->takeAttributes(std::get<KernelNode>(N->Params));
  N->Params = std::move(Params);
  return Enter.done();
}

cudaError_t nodeParams(const Call &Enter, const cudaGraphNodeParams &P,
                       NodeParams &To) {
  switch (P.type) {
  case cudaGraphNodeTypeKernel: {
    KernelNode K;
    if (Status S = kernelNode(Enter, &P.kernel, K); S != Status::Success)
      return Enter(S);
    To = std::move(K);
    return cudaSuccess;
  }
  case cudaGraphNodeTypeMemcpy:
    To = P.memcpy.copyParams;
    return cudaSuccess;
  case cudaGraphNodeTypeMemset:
    To = P.memset;
    return isFill(&P.memset) ? cudaSuccess : Enter(Status::InvalidValue);
  case cudaGraphNodeTypeHost:
    To = P.host;
    return P.host.fn ? cudaSuccess : Enter(Status::InvalidValue);
  case cudaGraphNodeTypeEmpty:
    To = std::monostate();
    return cudaSuccess;
  case cudaGraphNodeTypeGraph: {
    const GraphState *Inner = graphOf(P.graph.graph);
    if (!Inner || hasMemoryNodes(*Inner))
      return Enter.refuse(Status::InvalidValue,
                          Inner ? "a graph that allocates or frees has no clone"
                                : "there is no such graph");
    To = clone(*Inner);
    return cudaSuccess;
  }
  case cudaGraphNodeTypeEventRecord:
  case cudaGraphNodeTypeWaitEvent:
    return withEvent(Enter, P.eventRecord.event,
                     P.type == cudaGraphNodeTypeEventRecord, [&](EventNode E) {
                       To = E;
                       return cudaSuccess;
                     });
  default:
    return Enter.refuse(
        Status::NotSupported,
        fmt::format("nodes of type {} are not supported here", int(P.type)));
  }
}

/// Adds the graph itself to \p G, which owns it from now on.
static cudaError_t addMoved(const Call &Enter, cudaGraphNode_t *To,
                            cudaGraph_t G, const cudaGraphNode_t *Before,
                            size_t Count, cudaGraph_t Child) {
  std::shared_ptr<GraphState> Moved = takeGraph(Child);
  if (!Moved)
    return Enter.refuse(Status::InvalidValue,
                        "the graph is in a node, or there is none");
  const cudaError_t E = addTo(Enter, To, G, Before, Count, Moved);
  if (E)
    newGraph(std::move(Moved));
  return E;
}

cudaError_t addAny(const Call &Enter, cudaGraphNode_t *To, cudaGraph_t G,
                   const cudaGraphNode_t *Before, size_t Count,
                   cudaGraphNodeParams &P) {
  GraphState *Graph = graphOf(G);
  if (!Graph)
    return Enter(Status::InvalidValue);
  if (P.type == cudaGraphNodeTypeMemAlloc)
    return cudaGraphAddMemAllocNode(To, G, Before, Count, &P.alloc);
  if (P.type == cudaGraphNodeTypeMemFree)
    return cudaGraphAddMemFreeNode(To, G, Before, Count, P.free.dptr);
  const bool IsGraph = P.type == cudaGraphNodeTypeGraph;
  if (IsGraph && P.graph.ownership == cudaGraphChildGraphOwnershipMove)
    return addMoved(Enter, To, G, Before, Count, P.graph.graph);
  NodeParams Params;
  if (cudaError_t E = nodeParams(Enter, P, Params))
    return E;
  const cudaError_t E = addTo(Enter, To, G, Before, Count, std::move(Params));
  if (!E && IsGraph)
    P.graph.graph = reinterpret_cast<cudaGraph_t>(innerOf(*nodeOf(*To)));
  return E;
}

} // namespace heddle::cuda

// Since CUDA 13 there are data of the edges in front of their number, under the
// same name (GraphEdges.cpp).
#define EXPORTED_IN_BOTH_FORMS __attribute__((visibility("default")))
EXPORTED_IN_BOTH_FORMS
cudaError_t cudaGraphAddNode(cudaGraphNode_t *, cudaGraph_t,
                             const cudaGraphNode_t *, uintptr_t, uintptr_t,
                             cudaGraphNodeParams *) asm("cudaGraphAddNode");

EXPORTED cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *To, cudaGraph_t G,
                                         const cudaGraphNode_t *Before,
                                         const cudaGraphEdgeData *Edges,
                                         size_t Count, cudaGraphNodeParams *P) {
  ENTER;
  if (!P)
    return Enter.refuseNull();
  if (cudaError_t E = checkEdges(Enter, Edges, Count))
    return E;
  return addAny(Enter, To, G, Before, Count, *P);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphAddNode(
    cudaGraphNode_t *To, cudaGraph_t G, const cudaGraphNode_t *Before,
    uintptr_t A, uintptr_t B, cudaGraphNodeParams *P) {
  ENTER;
  if (!Enter.device().isRelease13())
    return cudaGraphAddNode_v2(To, G, Before, nullptr, size_t(A),
                               reinterpret_cast<cudaGraphNodeParams *>(B));
  return cudaGraphAddNode_v2(To, G, Before,
                             reinterpret_cast<const cudaGraphEdgeData *>(A),
                             size_t(B), P);
}
EXPORTED cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t N,
                                            cudaGraphNodeParams *P) {
  ENTER;
  NodeParams Params;
  if (!P)
    return Enter.refuseNull();
  if (P->type == cudaGraphNodeTypeGraph)
    return Enter.refuse(Status::NotSupported,
                        "the graph in a node is changed by its handle");
  if (cudaError_t E = nodeParams(Enter, *P, Params))
    return E;
  return replaceNode(Enter, N, std::move(Params));
}
EXPORTED cudaError_t cudaGraphExecNodeSetParams(cudaGraphExec_t G,
                                                cudaGraphNode_t N,
                                                cudaGraphNodeParams *P) {
  ENTER;
  NodeParams Params;
  if (!P)
    return Enter.refuseNull();
  if (P->type == cudaGraphNodeTypeGraph)
    return cudaGraphExecChildGraphNodeSetParams(G, N, P->graph.graph);
  if (cudaError_t E = nodeParams(Enter, *P, Params))
    return E;
  return replaceStep(Enter, G, N, std::move(Params));
}
