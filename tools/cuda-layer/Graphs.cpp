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

/// Calls \p Visit with \p G and all graphs in its nodes, until it says true.
template <typename Function>
static bool anyGraph(GraphState &G, const Function &Visit) {
  return Visit(G) || std::ranges::any_of(G.Nodes, [&](const auto &N) {
           GraphState *Inner = innerOf(*N);
           return Inner && anyGraph(*Inner, Visit);
         });
}

GraphState *graphOf(const void *Handle) {
  if (auto It = graphs().find(Handle); It != graphs().end())
    return It->second.get();
  GraphState *Found = nullptr; // in a node
  for (const auto &[Key, G] : graphs())
    if (Handle && anyGraph(*G, [&](GraphState &Inner) {
          return &Inner == Handle && (Found = &Inner);
        }))
      break;
  return Found;
}

std::shared_ptr<GraphState> sharedGraph(const void *Handle) {
  auto It = graphs().find(Handle);
  return It == graphs().end() ? nullptr : It->second;
}

std::shared_ptr<GraphState> takeGraph(const void *Handle) {
  auto It = graphs().find(Handle);
  if (It == graphs().end())
    return nullptr;
  std::shared_ptr<GraphState> G = std::move(It->second);
  graphs().erase(It);
  return G;
}

bool hasMemoryNodes(const GraphState &G) {
  return std::ranges::any_of(G.Nodes, [](const auto &N) {
    const GraphState *Inner = innerOf(*N);
    return std::holds_alternative<AllocNode>(N->Params) ||
           std::holds_alternative<FreeNode>(N->Params) ||
           (Inner && hasMemoryNodes(*Inner));
  });
}

GraphState *newGraph(std::shared_ptr<GraphState> G) {
  GraphState *At = G.get();
  graphs()[At] = std::move(G);
  return At;
}

GraphNode *nodeOf(const void *Handle) {
  // Few programs have many graphs, and none asks for nodes while kernels run.
  GraphNode *Found = nullptr;
  auto Visit = [&](GraphState &G) {
    for (const auto &N : G.Nodes)
      if (N.get() == Handle)
        Found = N.get();
    return Found != nullptr;
  };
  for (const auto &[Key, G] : graphs())
    if (anyGraph(*G, Visit))
      break;
  return Found;
}

GraphNode *addNode(GraphState &G, NodeParams Params,
                   std::vector<GraphNode *> Before) {
  static uint64_t Next = 1;
  G.Nodes.push_back(std::make_unique<GraphNode>(
      GraphNode{std::move(Params), std::move(Before), &G, Next++}));
  return G.Nodes.back().get();
}

cudaGraphNodeType typeOf(const GraphNode &N) {
  static constexpr cudaGraphNodeType Types[] = {
      cudaGraphNodeTypeEmpty,  cudaGraphNodeTypeKernel,
      cudaGraphNodeTypeMemcpy, cudaGraphNodeTypeMemset,
      cudaGraphNodeTypeHost,   cudaGraphNodeTypeGraph,
      cudaGraphNodeTypeCount,  cudaGraphNodeTypeMemAlloc,
      cudaGraphNodeTypeMemFree};
  if (const auto *E = std::get_if<EventNode>(&N.Params))
    return E->Records ? cudaGraphNodeTypeEventRecord
                      : cudaGraphNodeTypeWaitEvent;
  return Types[N.Params.index()];
}

std::shared_ptr<GraphState> clone(const GraphState &G) {
  auto Copy = std::make_shared<GraphState>();
  Copy->Objects = G.Objects;
  std::unordered_map<const GraphNode *, GraphNode *> Twin;
  for (const auto &N : G.Nodes) {
    const GraphState *Inner = innerOf(*N);
    GraphNode *T =
        addNode(*Copy, Inner ? NodeParams(clone(*Inner)) : N->Params, {});
    T->ClonedFrom = N->Number;
    Twin[N.get()] = T;
  }
  for (const auto &N : G.Nodes)
    for (const GraphNode *B : N->Before)
      Twin[N.get()]->Before.push_back(Twin[B]);
  return Copy;
}

Status makeKernelNode(const Call &Enter, const void *Function,
                      const LaunchShape &Shape, void **Args, KernelNode &To,
                      void **Extra) {
  Device &D = Enter.device();
  To.Function = Function;
  To.Kernel = D.kernel(Function);
  To.Shape = Shape;
  if (!To.Kernel)
    return D.report(Status::InvalidDeviceFunction, Enter.name(),
                    "the function is no kernel of this program");
  if (Args && Extra)
    return D.report(Status::InvalidValue, Enter.name(),
                    "parameters are given by kernelParams and by extra");
  if (Status S = D.pack(*To.Kernel, Shape, Args, To.Packed, Enter.name());
      S != Status::Success)
    return S;
  const std::vector<uint8_t> Given = packed(Extra);
  if (!Args && Given.empty() && !To.Packed.empty())
    return D.report(Status::InvalidValue, Enter.name(),
                    "the kernel's parameters are missing");
  std::copy_n(Given.begin(), std::min(Given.size(), To.Packed.size()),
              To.Packed.begin());
  return Status::Success;
}

Status kernelNode(const Call &Enter, const cudaKernelNodeParams *P,
                  KernelNode &To) {
  if (!P)
    return Enter.device().report(Status::InvalidValue, Enter.name(),
                                 "a null pointer");
  return makeKernelNode(Enter, P->func,
                        {{P->gridDim.x, P->gridDim.y, P->gridDim.z},
                         {P->blockDim.x, P->blockDim.y, P->blockDim.z},
                         P->sharedMemBytes,
                         false},
                        P->kernelParams, To, P->extra);
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
    if (std::ranges::find(After, N) != After.end())
      return Enter.refuse(Status::InvalidValue,
                          fmt::format("dependence {} is there already", I));
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

EXPORTED cudaError_t cudaGraphCreate(cudaGraph_t *To, unsigned Flags) {
  ENTER;
  if (!To || Flags)
    return Enter(Status::InvalidValue);
  *To = reinterpret_cast<cudaGraph_t>(newGraph(std::make_shared<GraphState>()));
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphDestroy(cudaGraph_t G) {
  ENTER;
  return takeGraph(G)
             ? Enter.done()
             : Enter.refuse(Status::InvalidValue, "there is no such graph");
}
EXPORTED cudaError_t cudaGraphClone(cudaGraph_t *To, cudaGraph_t From) {
  ENTER;
  const GraphState *G = graphOf(From);
  if (!To || !G)
    return Enter(Status::InvalidValue);
  if (hasMemoryNodes(*G))
    return Enter.refuse(Status::InvalidValue,
                        "a graph that allocates or frees has no clone");
  *To = reinterpret_cast<cudaGraph_t>(newGraph(clone(*G)));
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *To,
                                              cudaGraphNode_t Original,
                                              cudaGraph_t Clone) {
  ENTER;
  const GraphNode *N = nodeOf(Original);
  GraphState *G = graphOf(Clone);
  if (!To || !N || !G)
    return Enter(Status::InvalidValue);
  GraphNode *Found = nullptr;
  anyGraph(*G, [&](GraphState &Inner) {
    for (const auto &T : Inner.Nodes)
      if (T->ClonedFrom == N->Number)
        Found = T.get();
    return Found != nullptr;
  });
  return Found ? Enter.give(To, reinterpret_cast<cudaGraphNode_t>(Found))
               : Enter.refuse(Status::InvalidValue,
                              "the graph has no clone of the node");
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
  if (!Inner)
    return Enter(Status::InvalidValue);
  return hasMemoryNodes(*Inner)
             ? Enter.refuse(Status::InvalidValue,
                            "a graph that allocates or frees has no clone")
             : addTo(Enter, To, G, Before, Count, clone(*Inner));
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

EXPORTED cudaError_t cudaGraphDestroyNode(cudaGraphNode_t Handle) {
  ENTER;
  GraphNode *N = nodeOf(Handle);
  if (!N)
    return Enter(Status::InvalidValue);
  GraphState &G = *N->Owner;
  if (hasMemoryNodes(G))
    return Enter.refuse(Status::InvalidValue,
                        "nodes of a graph that allocates or frees stay");
  for (const auto &Other : G.Nodes)
    std::erase(Other->Before, N);
  std::erase_if(G.Nodes, [&](const auto &Other) { return Other.get() == N; });
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
