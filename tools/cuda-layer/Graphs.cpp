//===- Graphs.cpp - Graphs and their nodes --------------------------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

using namespace heddle;
using namespace heddle::cuda;

namespace heddle::cuda {

static std::unordered_map<const void *, std::shared_ptr<GraphState>> &graphs() {
  static auto *All =
      new std::unordered_map<const void *, std::shared_ptr<GraphState>>;
  return *All;
}

GraphState *graphOf(const void *Handle) {
  auto It = graphs().find(Handle);
  return It == graphs().end() ? nullptr : It->second.get();
}

GraphState *newGraph(std::shared_ptr<GraphState> G) {
  GraphState *At = G.get();
  graphs()[At] = std::move(G);
  return At;
}

GraphNode *nodeOf(const void *Handle) {
  // Few programs have many graphs, and none asks for nodes while kernels run.
  for (const auto &[Key, G] : graphs())
    for (const auto &N : G->Nodes)
      if (N.get() == Handle)
        return N.get();
  return nullptr;
}

GraphNode *addNode(GraphState &G, NodeParams Params,
                   std::vector<GraphNode *> Before) {
  G.Nodes.push_back(std::make_unique<GraphNode>(
      GraphNode{std::move(Params), std::move(Before), &G}));
  return G.Nodes.back().get();
}

cudaGraphNodeType typeOf(const GraphNode &N) {
  static constexpr cudaGraphNodeType Types[] = {
      cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeKernel, cudaGraphNodeTypeMemcpy,
      cudaGraphNodeTypeMemset, cudaGraphNodeTypeHost,   cudaGraphNodeTypeGraph};
  if (const auto *E = std::get_if<EventNode>(&N.Params))
    return E->Records ? cudaGraphNodeTypeEventRecord
                      : cudaGraphNodeTypeWaitEvent;
  return Types[N.Params.index()];
}

std::shared_ptr<GraphState> clone(const GraphState &G) {
  auto Copy = std::make_shared<GraphState>();
  std::unordered_map<const GraphNode *, GraphNode *> Twin;
  for (const auto &N : G.Nodes)
    Twin[N.get()] = addNode(*Copy, N->Params, {});
  for (const auto &N : G.Nodes)
    for (const GraphNode *B : N->Before)
      Twin[N.get()]->Before.push_back(Twin[B]);
  return Copy;
}

Status makeKernelNode(const Call &Enter, const void *Function,
                      const LaunchShape &Shape, void **Args, KernelNode &To) {
  Device &D = Enter.device();
  To.Function = Function;
  To.Kernel = D.kernel(Function);
  To.Shape = Shape;
  if (!To.Kernel)
    return D.report(Status::InvalidDeviceFunction, Enter.name(),
                    "the function is no kernel of this program");
  return D.pack(*To.Kernel, Shape, Args, To.Packed, Enter.name());
}

cudaError_t addTo(const Call &Enter, cudaGraphNode_t *To, cudaGraph_t G,
                  const cudaGraphNode_t *Before, size_t Count,
                  NodeParams Params) {
  GraphState *Graph = graphOf(G);
  if (!To || !Graph || (Count && !Before))
    return Enter(Status::InvalidValue);
  std::vector<GraphNode *> After;
  for (size_t I = 0; I < Count; ++I) {
    GraphNode *N = nodeOf(Before[I]);
    if (!N || N->Owner != Graph)
      return Enter.refuse(
          Status::InvalidValue,
          fmt::format("dependence {} is no node of this graph", I));
    After.push_back(N);
  }
  *To = reinterpret_cast<cudaGraphNode_t>(
      addNode(*Graph, std::move(Params), std::move(After)));
  return Enter.done();
}

cudaMemcpy3DParms flatCopy(void *To, const void *From, size_t Bytes,
                           cudaMemcpyKind Kind) {
  return pitchedCopy(To, Bytes, From, Bytes, Bytes, 1, Kind);
}

cudaMemcpy3DParms pitchedCopy(void *To, size_t ToPitch, const void *From,
                              size_t FromPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind) {
  cudaMemcpy3DParms P = {};
  P.dstPtr = {To, ToPitch, Width, Height};
  P.srcPtr = {const_cast<void *>(From), FromPitch, Width, Height};
  P.extent = {Width, Height, 1};
  P.kind = Kind;
  return P;
}

} // namespace heddle::cuda

//===----------------------------------------------------------------------===//
// Graphs
//===----------------------------------------------------------------------===//

// Functions that give or take edges have an array of data for these in front of
// the count since CUDA 13, which is null for edges that say no more than an
// order. The name is the same, so both forms are one function here.
#define EXPORTED_IN_BOTH_FORMS __attribute__((visibility("default")))
using CountOrData = uintptr_t;
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphAddDependencies(
    cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, CountOrData,
    size_t) asm("cudaGraphAddDependencies");
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphRemoveDependencies(
    cudaGraph_t, const cudaGraphNode_t *, const cudaGraphNode_t *, CountOrData,
    size_t) asm("cudaGraphRemoveDependencies");
EXPORTED_IN_BOTH_FORMS cudaError_t
cudaGraphNodeGetDependentNodes(cudaGraphNode_t, cudaGraphNode_t *, CountOrData,
                               size_t *) asm("cudaGraphNodeGetDependentNodes");
EXPORTED_IN_BOTH_FORMS cudaError_t
cudaGraphNodeGetDependencies(cudaGraphNode_t, cudaGraphNode_t *, CountOrData,
                             size_t *) asm("cudaGraphNodeGetDependencies");
EXPORTED_IN_BOTH_FORMS cudaError_t
cudaGraphGetEdges(cudaGraph_t, cudaGraphNode_t *, cudaGraphNode_t *,
                  CountOrData, size_t *) asm("cudaGraphGetEdges");

static size_t countOf(const Call &Enter, CountOrData Old, size_t New) {
  return Enter.device().isRelease13() ? New : Old;
}
static size_t *countOf(const Call &Enter, CountOrData Old, size_t *New) {
  return Enter.device().isRelease13() ? New : reinterpret_cast<size_t *>(Old);
}

static cudaGraphNode_t handle(GraphNode *N) {
  return reinterpret_cast<cudaGraphNode_t>(N);
}

EXPORTED cudaError_t cudaGraphCreate(cudaGraph_t *To, unsigned Flags) {
  ENTER;
  if (!To || Flags)
    return Enter(Status::InvalidValue);
  *To = reinterpret_cast<cudaGraph_t>(newGraph(std::make_shared<GraphState>()));
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphDestroy(cudaGraph_t G) {
  ENTER;
  return graphs().erase(G)
             ? Enter.done()
             : Enter.refuse(Status::InvalidValue, "there is no such graph");
}
EXPORTED cudaError_t cudaGraphClone(cudaGraph_t *To, cudaGraph_t From) {
  ENTER;
  const GraphState *G = graphOf(From);
  if (!To || !G)
    return Enter(Status::InvalidValue);
  *To = reinterpret_cast<cudaGraph_t>(newGraph(clone(*G)));
  return Enter.done();
}

static Dim3 dim3Of(dim3 D) { return {D.x, D.y, D.z}; }

/// The node that \p P describes.
static Status kernelNode(const Call &Enter, const cudaKernelNodeParams *P,
                         KernelNode &To) {
  if (!P || (!P->kernelParams && P->extra))
    return Enter.device().report(Status::InvalidValue, Enter.name(),
                                 "give parameters by kernelParams");
  return makeKernelNode(
      Enter, P->func,
      {dim3Of(P->gridDim), dim3Of(P->blockDim), P->sharedMemBytes, false},
      P->kernelParams, To);
}

EXPORTED cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *To, cudaGraph_t G,
                                            const cudaGraphNode_t *Before,
                                            size_t Count,
                                            const cudaKernelNodeParams *P) {
  ENTER;
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return Enter(S);
  return addTo(Enter, To, G, Before, Count, std::move(K));
}
EXPORTED cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *To, cudaGraph_t G,
                                            const cudaGraphNode_t *Before,
                                            size_t Count,
                                            const cudaMemcpy3DParms *P) {
  ENTER;
  return P ? addTo(Enter, To, G, Before, Count, *P)
           : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *To,
                                              cudaGraph_t G,
                                              const cudaGraphNode_t *Before,
                                              size_t Count, void *Dst,
                                              const void *Src, size_t Bytes,
                                              cudaMemcpyKind Kind) {
  ENTER;
  return addTo(Enter, To, G, Before, Count, flatCopy(Dst, Src, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *To, cudaGraph_t G,
                                            const cudaGraphNode_t *Before,
                                            size_t Count,
                                            const cudaMemsetParams *P) {
  ENTER;
  const bool Fits =
      P && (P->elementSize == 1 || P->elementSize == 2 || P->elementSize == 4);
  return Fits ? addTo(Enter, To, G, Before, Count, *P)
              : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *To, cudaGraph_t G,
                                          const cudaGraphNode_t *Before,
                                          size_t Count,
                                          const cudaHostNodeParams *P) {
  ENTER;
  return P && P->fn ? addTo(Enter, To, G, Before, Count, *P)
                    : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *To, cudaGraph_t G,
                                           const cudaGraphNode_t *Before,
                                           size_t Count) {
  ENTER;
  return addTo(Enter, To, G, Before, Count, std::monostate());
}
EXPORTED cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *To,
                                                cudaGraph_t G,
                                                const cudaGraphNode_t *Before,
                                                size_t Count,
                                                cudaGraph_t Child) {
  ENTER;
  const GraphState *Inner = graphOf(Child);
  return Inner ? addTo(Enter, To, G, Before, Count, clone(*Inner))
               : Enter(Status::InvalidValue);
}
static cudaError_t addEvent(const Call &Enter, cudaGraphNode_t *To,
                            cudaGraph_t G, const cudaGraphNode_t *Before,
                            size_t Count, cudaEvent_t Event, bool Records) {
  EventState *E = eventOf(Event);
  return E ? addTo(Enter, To, G, Before, Count, EventNode{E, Records})
           : Enter.refuse(Status::InvalidHandle, "there is no such event");
}
EXPORTED cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *To,
                                                 cudaGraph_t G,
                                                 const cudaGraphNode_t *Before,
                                                 size_t Count, cudaEvent_t E) {
  ENTER;
  return addEvent(Enter, To, G, Before, Count, E, /*Records=*/true);
}
EXPORTED cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *To,
                                               cudaGraph_t G,
                                               const cudaGraphNode_t *Before,
                                               size_t Count, cudaEvent_t E) {
  ENTER;
  return addEvent(Enter, To, G, Before, Count, E, /*Records=*/false);
}

/// Calls \p Do with each pair of nodes of \p G.
template <typename Function>
static cudaError_t
forEachEdge(const Call &Enter, cudaGraph_t G, const cudaGraphNode_t *From,
            const cudaGraphNode_t *To, size_t Count, Function Do) {
  const GraphState *Graph = graphOf(G);
  if (!Graph || (Count && (!From || !To)))
    return Enter(Status::InvalidValue);
  for (size_t I = 0; I < Count; ++I) {
    GraphNode *A = nodeOf(From[I]), *B = nodeOf(To[I]);
    if (!A || !B || A->Owner != Graph || B->Owner != Graph || !Do(A, B))
      return Enter.refuse(Status::InvalidValue,
                          fmt::format("edge {} does not fit the graph", I));
  }
  return Enter.done();
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphAddDependencies(
    cudaGraph_t G, const cudaGraphNode_t *From, const cudaGraphNode_t *To,
    CountOrData Old, size_t New) {
  ENTER;
  return forEachEdge(Enter, G, From, To, countOf(Enter, Old, New),
                     [](GraphNode *A, GraphNode *B) {
                       if (A == B || follows(*B, A))
                         return false;
                       B->Before.push_back(A);
                       return true;
                     });
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphRemoveDependencies(
    cudaGraph_t G, const cudaGraphNode_t *From, const cudaGraphNode_t *To,
    CountOrData Old, size_t New) {
  ENTER;
  return forEachEdge(
      Enter, G, From, To, countOf(Enter, Old, New),
      [](GraphNode *A, GraphNode *B) { return std::erase(B->Before, A) != 0; });
}
EXPORTED cudaError_t cudaGraphDestroyNode(cudaGraphNode_t Handle) {
  ENTER;
  GraphNode *N = nodeOf(Handle);
  if (!N)
    return Enter(Status::InvalidValue);
  GraphState &G = *N->Owner;
  for (const auto &Other : G.Nodes)
    std::erase(Other->Before, N);
  std::erase_if(G.Nodes, [&](const auto &Other) { return Other.get() == N; });
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// What a graph consists of
//===----------------------------------------------------------------------===//

/// Gives \p Found as CUDA gives lists: only their number without \p To.
static cudaError_t list(const Call &Enter,
                        const std::vector<GraphNode *> &Found,
                        cudaGraphNode_t *To, size_t *Count) {
  if (!Count)
    return Enter(Status::InvalidValue);
  if (To)
    for (size_t I = 0; I < *Count; ++I)
      To[I] = I < Found.size() ? handle(Found[I]) : nullptr;
  if (!To || *Count > Found.size())
    *Count = Found.size();
  return Enter.done();
}

template <typename Predicate>
static cudaError_t listNodes(const Call &Enter, const GraphState *G,
                             cudaGraphNode_t *To, size_t *Count, Predicate P) {
  if (!G)
    return Enter(Status::InvalidValue);
  std::vector<GraphNode *> Found;
  for (const auto &N : G->Nodes)
    if (P(*N))
      Found.push_back(N.get());
  return list(Enter, Found, To, Count);
}
EXPORTED cudaError_t cudaGraphGetNodes(cudaGraph_t G, cudaGraphNode_t *To,
                                       size_t *Count) {
  ENTER;
  return listNodes(Enter, graphOf(G), To, Count,
                   [](const GraphNode &) { return true; });
}
EXPORTED cudaError_t cudaGraphGetRootNodes(cudaGraph_t G, cudaGraphNode_t *To,
                                           size_t *Count) {
  ENTER;
  return listNodes(Enter, graphOf(G), To, Count,
                   [](const GraphNode &N) { return N.Before.empty(); });
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t Handle, cudaGraphNode_t *To, CountOrData Old, size_t *New) {
  ENTER;
  size_t *Count = countOf(Enter, Old, New);
  GraphNode *N = nodeOf(Handle);
  return listNodes(Enter, N ? N->Owner : nullptr, To, Count,
                   [N](const GraphNode &Other) { return follows(Other, N); });
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphNodeGetDependencies(
    cudaGraphNode_t Handle, cudaGraphNode_t *To, CountOrData Old, size_t *New) {
  ENTER;
  size_t *Count = countOf(Enter, Old, New);
  const GraphNode *N = nodeOf(Handle);
  return N ? list(Enter, N->Before, To, Count) : Enter(Status::InvalidValue);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphGetEdges(cudaGraph_t G,
                                                     cudaGraphNode_t *From,
                                                     cudaGraphNode_t *To,
                                                     CountOrData Old,
                                                     size_t *New) {
  ENTER;
  size_t *Count = countOf(Enter, Old, New);
  const GraphState *Graph = graphOf(G);
  if (!Graph || !Count)
    return Enter(Status::InvalidValue);
  size_t Found = 0;
  for (const auto &N : Graph->Nodes)
    for (GraphNode *B : N->Before) {
      if (From && To && Found < *Count) {
        From[Found] = handle(B);
        To[Found] = handle(N.get());
      }
      ++Found;
    }
  *Count = From && To ? std::min(*Count, Found) : Found;
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphNodeGetType(cudaGraphNode_t Handle,
                                          cudaGraphNodeType *To) {
  ENTER;
  const GraphNode *N = nodeOf(Handle);
  if (!N || !To)
    return Enter(Status::InvalidValue);
  *To = typeOf(*N);
  return Enter.done();
}

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
  GraphNode *N = nodeOf(Handle);
  if (!N || !std::holds_alternative<KernelNode>(N->Params))
    return Enter(Status::InvalidValue);
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return Enter(S);
  N->Params = std::move(K);
  return Enter.done();
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
  return params<cudaMemsetParams>(Enter, N, nullptr, From);
}
EXPORTED cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t N,
                                                cudaHostNodeParams *To) {
  ENTER;
  return params<cudaHostNodeParams>(Enter, N, To, nullptr);
}
EXPORTED cudaError_t
cudaGraphHostNodeSetParams(cudaGraphNode_t N, const cudaHostNodeParams *From) {
  ENTER;
  return params<cudaHostNodeParams>(Enter, N, nullptr, From);
}
