//===- GraphRuns.cpp - Launches of graphs ---------------------------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <utility>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static std::unordered_map<const void *, std::shared_ptr<GraphRun>> &runs() {
  static auto *All =
      new std::unordered_map<const void *, std::shared_ptr<GraphRun>>;
  return *All;
}
static GraphRun *runOf(cudaGraphExec_t Handle) {
  auto It = runs().find(Handle);
  return It == runs().end() ? nullptr : It->second.get();
}

/// The nodes of \p G, each after those that it depends on and else as they
/// were added; fewer if they wait for each other in a circle.
static std::vector<const GraphNode *> ordered(const GraphState &G) {
  std::vector<const GraphNode *> Order;
  std::unordered_set<const GraphNode *> Done;
  for (bool Found = true; Found;) {
    Found = false;
    for (const auto &N : G.Nodes) {
      if (Done.contains(N.get()) ||
          !std::ranges::all_of(N->Before,
                               [&](GraphNode *B) { return Done.contains(B); }))
        continue;
      Done.insert(N.get());
      Order.push_back(N.get());
      Found = true;
    }
  }
  return Order;
}

/// The steps of \p G; false if its nodes, or those of a graph in it, wait for
/// each other in a circle.
static bool makeSteps(const GraphState &G, std::vector<GraphRun::Step> &Steps) {
  std::unordered_map<const GraphNode *, size_t> Number;
  bool All = true;
  for (const GraphNode *N : ordered(G)) {
    GraphRun::Step &S = Steps.emplace_back();
    S.Of = N;
    S.Params = N->Params;
    if (const GraphState *Inner = innerOf(*N))
      All &= makeSteps(*Inner, S.Inner);
    for (const GraphNode *B : N->Before)
      S.Before.push_back(Number.at(B));
    Number.emplace(N, Steps.size() - 1);
  }
  return All && Steps.size() == G.Nodes.size();
}

/// Calls \p Visit with all of \p Steps, and those of graphs in them, until it
/// says true.
template <typename Function>
static GraphRun::Step *findStep(std::vector<GraphRun::Step> &Steps,
                                const Function &Visit) {
  for (GraphRun::Step &S : Steps) {
    if (Visit(S))
      return &S;
    if (GraphRun::Step *Found = findStep(S.Inner, Visit))
      return Found;
  }
  return nullptr;
}
static GraphRun::Step *stepOf(GraphRun &Run, cudaGraphNode_t Node) {
  return findStep(Run.Steps, [Node](const GraphRun::Step &S) {
    return static_cast<const void *>(S.Of) == Node;
  });
}

static cudaError_t execute(const Call &Enter,
                           const std::vector<GraphRun::Step> &Steps);

static void add(record::OperationSet &To, const record::OperationSet &More) {
  To.insert(To.end(), More.begin(), More.end());
}

namespace {
/// Executes what a node does.
struct Executor {
  const Call &Enter;
  const GraphRun::Step &Of;

  cudaError_t operator()(std::monostate) const { return Enter.done(); }
  cudaError_t operator()(const KernelNode &K) const {
    return Enter(Enter.device().launch(*K.Kernel, K.Shape, nullptr, &K.Packed,
                                       Enter.name()));
  }
  cudaError_t operator()(const cudaMemcpy3DParms &P) const {
    return copy3D(Enter, &P);
  }
  cudaError_t operator()(const cudaMemsetParams &P) const {
    std::vector<uint8_t> Pattern(P.elementSize);
    std::memcpy(Pattern.data(), &P.value, P.elementSize);
    return Enter(Enter.device().fill(
        P.dst, box(P.width * P.elementSize, P.height, 1, P.pitch, 0), Pattern,
        Enter.name()));
  }
  cudaError_t operator()(const cudaHostNodeParams &P) const {
    Enter.device().synchronise(Enter.name());
    if (Timeline *Issued = Enter.device().timeline())
      Issued->operation(launch::OperationKind::Host, 0);
    P.fn(P.userData);
    return Enter.done();
  }
  cudaError_t operator()(const std::shared_ptr<GraphState> &) const {
    return execute(Enter, Of.Inner);
  }
  cudaError_t operator()(const AllocNode &A) const {
    return useMemory(Enter, A.Memory);
  }
  cudaError_t operator()(const FreeNode &F) const {
    return freeMemory(Enter, *F.Memory);
  }
  cudaError_t operator()(const EventNode &E) const {
    Timeline *Issued = Enter.device().timeline();
    if (E.Records)
      recordEvent(Enter.device(), *E.Event,
                  Issued ? *Issued->lane().Node : record::OperationSet());
    else if (Issued)
      add(*Issued->lane().Node, E.Event->At.After);
    return Enter.done();
  }
};
} // namespace

/// Does the steps one after the other. In a recording each waits only for those
/// that it depends on, and the first ones for what the lane's node waits for;
/// that is in the end what waits for all.
static cudaError_t execute(const Call &Enter,
                           const std::vector<GraphRun::Step> &Steps) {
  std::optional<record::OperationSet> None;
  Timeline *Issued = Enter.device().timeline();
  std::optional<record::OperationSet> &Node =
      Issued ? Issued->lane().Node : None;
  const record::OperationSet Start = Node.value_or(record::OperationSet());
  std::vector<record::OperationSet> Ends;
  std::vector<bool> IsLast(Steps.size(), true);
  for (const GraphRun::Step &S : Steps) {
    record::OperationSet Before = S.Before.empty() ? Start : Ends[S.Before[0]];
    for (size_t B : S.Before) {
      add(Before, Ends[B]);
      IsLast[B] = false;
    }
    Node = std::move(Before);
    if (cudaError_t E =
            S.Enabled ? std::visit(Executor{Enter, S}, S.Params) : cudaSuccess)
      return E;
    Ends.push_back(*Node);
  }
  Node = Steps.empty() ? Start : record::OperationSet();
  for (size_t I = 0; I < Steps.size(); ++I)
    if (IsLast[I])
      add(*Node, Ends[I]);
  return Enter.done();
}

static constexpr unsigned long long AllFlags =
    cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
    cudaGraphInstantiateFlagDeviceLaunch |
    cudaGraphInstantiateFlagUseNodePriority;

static cudaError_t instantiate(const Call &Enter, cudaGraphExec_t *To,
                               cudaGraph_t Handle, unsigned long long Flags) {
  GraphState *G = graphOf(Handle);
  if (!To || !G)
    return Enter(Status::InvalidValue);
  if (Flags & ~AllFlags)
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("no flags 0x{:x} of graphs", Flags));
  if (Flags & cudaGraphInstantiateFlagDeviceLaunch)
    return Enter.refuse(Status::NotSupported,
                        "kernels cannot launch graphs here");
  if (hasMemoryNodes(*G) && !G->Instance.expired())
    return Enter.refuse(Status::InvalidValue,
                        "a graph that allocates or frees has one executable "
                        "graph at a time");
  auto Run = std::make_shared<GraphRun>();
  if (!makeSteps(*G, Run->Steps))
    return Enter.refuse(Status::InvalidValue,
                        "nodes of the graph depend on each other in a circle");
  Run->Flags = Flags;
  Run->Objects = G->Objects;
  G->Instance = Run;
  *To = reinterpret_cast<cudaGraphExec_t>(Run.get());
  runs()[Run.get()] = std::move(Run);
  return Enter.done();
}
// Programs of CUDA 11 give a pointer instead of flags, and more arguments.
EXPORTED cudaError_t cudaGraphInstantiate(cudaGraphExec_t *To, cudaGraph_t G,
                                          unsigned long long Flags) {
  ENTER;
  return instantiate(Enter, To, G, Flags > AllFlags ? 0 : Flags);
}
EXPORTED cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *To,
                                                   cudaGraph_t G,
                                                   unsigned long long Flags) {
  ENTER;
  return instantiate(Enter, To, G, Flags);
}
EXPORTED cudaError_t cudaGraphInstantiateWithParams(
    cudaGraphExec_t *To, cudaGraph_t G, cudaGraphInstantiateParams *P) {
  ENTER;
  if (!P)
    return Enter.refuseNull();
  P->errNode_out = nullptr;
  const cudaError_t E = instantiate(Enter, To, G, P->flags);
  const GraphState *Graph = graphOf(G);
  std::vector<GraphRun::Step> Steps;
  P->result_out = !E ? cudaGraphInstantiateSuccess
                  : E == cudaErrorNotSupported
                      ? cudaGraphInstantiateNodeOperationNotSupported
                  : Graph && !makeSteps(*Graph, Steps)
                      ? cudaGraphInstantiateInvalidStructure
                      : cudaGraphInstantiateError;
  return E;
}
EXPORTED cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t Handle,
                                           unsigned long long *To) {
  ENTER;
  const GraphRun *Run = runOf(Handle);
  return Run ? Enter.give(To, Run->Flags) : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphExecDestroy(cudaGraphExec_t Handle) {
  ENTER;
  return runs().erase(Handle)
             ? Enter.done()
             : Enter.refuse(Status::InvalidValue, "there is no such graph");
}
EXPORTED cudaError_t cudaGraphUpload(cudaGraphExec_t Handle, cudaStream_t) {
  ENTER;
  return runOf(Handle) ? Enter.done() : Enter(Status::InvalidValue);
}

/// What the steps do, as a graph again.
static std::shared_ptr<GraphState>
graphFrom(const std::vector<GraphRun::Step> &Steps) {
  auto G = std::make_shared<GraphState>();
  for (const GraphRun::Step &S : Steps) {
    std::vector<GraphNode *> Before;
    for (size_t B : S.Before)
      Before.push_back(G->Nodes[B].get());
    const bool IsGraph =
        std::holds_alternative<std::shared_ptr<GraphState>>(S.Params);
    addNode(*G,
            !S.Enabled ? NodeParams()
            : IsGraph  ? NodeParams(graphFrom(S.Inner))
                       : S.Params,
            std::move(Before));
  }
  return G;
}

/// Memory that the last launch has allocated and no one has freed is in the
/// way of the next one.
static cudaError_t checkMemory(const Call &Enter, GraphRun &Run) {
  const bool Frees = Run.Flags & cudaGraphInstantiateFlagAutoFreeOnLaunch;
  const GraphRun::Step *Left =
      findStep(Run.Steps, [&](const GraphRun::Step &S) {
        const auto *A = std::get_if<AllocNode>(&S.Params);
        if (!A || !A->Memory->Used)
          return false;
        return !Frees || freeMemory(Enter, *A->Memory) != cudaSuccess;
      });
  return Left ? Enter.refuse(Status::InvalidValue,
                             "memory that the graph has allocated was not "
                             "freed since its last launch")
              : cudaSuccess;
}

EXPORTED cudaError_t cudaGraphLaunch(cudaGraphExec_t Handle, cudaStream_t S) {
  ENTER;
  GraphRun *Run = runOf(Handle);
  if (!Run)
    return Enter.refuse(Status::InvalidValue, "there is no such graph");
  if (isCapturing(S)) {
    std::shared_ptr<GraphState> Inner = graphFrom(Run->Steps);
    if (hasMemoryNodes(*Inner))
      return Enter.refuse(Status::InvalidValue,
                          "a graph that allocates or frees is in no other one");
    return capture(Enter, S, std::move(Inner));
  }
  IN_STREAM(S);
  if (cudaError_t E = checkMemory(Enter, *Run))
    return E;
  Timeline *Issued = Enter.device().timeline();
  if (Issued)
    Issued->lane().Node = Here.before();
  const cudaError_t Result = execute(Enter, Run->Steps);
  if (Issued)
    Here.wait(*std::exchange(Issued->lane().Node, std::nullopt));
  return Result;
}

//===----------------------------------------------------------------------===//
// Changes of graphs that can be launched
//===----------------------------------------------------------------------===//

cudaError_t heddle::cuda::replaceStep(const Call &Enter, cudaGraphExec_t Handle,
                                      cudaGraphNode_t Node, NodeParams Params) {
  GraphRun *Run = runOf(Handle);
  GraphRun::Step *S = Run ? stepOf(*Run, Node) : nullptr;
  const auto *Old = S ? std::get_if<EventNode>(&S->Params) : nullptr;
  const auto *New = std::get_if<EventNode>(&Params);
  if (!S || S->Params.index() != Params.index() ||
      (Old && Old->Records != New->Records))
    return Enter.refuse(Status::InvalidValue,
                        "the graph has no such node of this type");
  if (auto *K = std::get_if<KernelNode>(&Params))
    K->takeAttributes(std::get<KernelNode>(S->Params));
  S->Params = std::move(Params);
  return Enter.done();
}
EXPORTED cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Handle, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *P) {
  ENTER;
  KernelNode K;
  if (Status S = kernelNode(Enter, P, K); S != Status::Success)
    return Enter(S);
  return replaceStep(Enter, Handle, Node, std::move(K));
}
EXPORTED cudaError_t cudaGraphExecMemcpyNodeSetParams(
    cudaGraphExec_t Handle, cudaGraphNode_t Node, const cudaMemcpy3DParms *P) {
  ENTER;
  return P ? replaceStep(Enter, Handle, Node, *P) : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphExecMemcpyNodeSetParams1D(
    cudaGraphExec_t Handle, cudaGraphNode_t Node, void *To, const void *From,
    size_t Bytes, cudaMemcpyKind Kind) {
  ENTER;
  return replaceStep(Enter, Handle, Node, flatCopy(To, From, Bytes, Kind));
}
EXPORTED cudaError_t cudaGraphExecMemsetNodeSetParams(
    cudaGraphExec_t Handle, cudaGraphNode_t Node, const cudaMemsetParams *P) {
  ENTER;
  return P ? replaceStep(Enter, Handle, Node, *P) : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaGraphExecHostNodeSetParams(
    cudaGraphExec_t Handle, cudaGraphNode_t Node, const cudaHostNodeParams *P) {
  ENTER;
  return P ? replaceStep(Enter, Handle, Node, *P) : Enter(Status::InvalidValue);
}

/// Kernels, copies and fills can be switched off.
static bool canDisable(const GraphRun::Step &S) {
  return std::holds_alternative<KernelNode>(S.Params) ||
         std::holds_alternative<cudaMemcpy3DParms>(S.Params) ||
         std::holds_alternative<cudaMemsetParams>(S.Params);
}
EXPORTED cudaError_t cudaGraphNodeSetEnabled(cudaGraphExec_t Handle,
                                             cudaGraphNode_t Node,
                                             unsigned Enabled) {
  ENTER;
  GraphRun *Run = runOf(Handle);
  GraphRun::Step *S = Run ? stepOf(*Run, Node) : nullptr;
  if (!S || !canDisable(*S))
    return Enter.refuse(Status::InvalidValue,
                        "the graph has no such node that can be disabled");
  S->Enabled = Enabled != 0;
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphNodeGetEnabled(cudaGraphExec_t Handle,
                                             cudaGraphNode_t Node,
                                             unsigned *To) {
  ENTER;
  GraphRun *Run = runOf(Handle);
  const GraphRun::Step *S = Run ? stepOf(*Run, Node) : nullptr;
  return S && canDisable(*S) ? Enter.give(To, unsigned(S->Enabled))
                             : Enter(Status::InvalidValue);
}

//===----------------------------------------------------------------------===//
// Updates by another graph
//===----------------------------------------------------------------------===//

/// Why the step \p S cannot do what \p N does.
static cudaGraphExecUpdateResult compare(const GraphRun::Step &S,
                                         const GraphNode &N) {
  if (N.Params.index() != S.Params.index())
    return cudaGraphExecUpdateErrorNodeTypeChanged;
  if (const auto *E = std::get_if<EventNode>(&N.Params))
    if (E->Records != std::get<EventNode>(S.Params).Records)
      return cudaGraphExecUpdateErrorNodeTypeChanged;
  if (const auto *K = std::get_if<KernelNode>(&N.Params))
    if (K->Shape.Cooperative !=
        std::get<KernelNode>(S.Params).Shape.Cooperative)
      return cudaGraphExecUpdateErrorAttributesChanged;
  const auto *A = std::get_if<AllocNode>(&N.Params);
  const auto *F = std::get_if<FreeNode>(&N.Params);
  const bool IsOther =
      (A && A->Memory != std::get<AllocNode>(S.Params).Memory) ||
      (F && F->Memory != std::get<FreeNode>(S.Params).Memory);
  return IsOther ? cudaGraphExecUpdateErrorParametersChanged
                 : cudaGraphExecUpdateSuccess;
}

/// Whether the steps can do what \p G does.
static cudaGraphExecUpdateResultInfo
compare(const std::vector<GraphRun::Step> &Steps, const GraphState &G) {
  const std::vector<const GraphNode *> Order = ordered(G);
  if (Order.size() != Steps.size() || G.Nodes.size() != Steps.size())
    return {cudaGraphExecUpdateErrorTopologyChanged, nullptr, nullptr};
  std::unordered_map<const GraphNode *, size_t> Number;
  for (size_t I = 0; I < Order.size(); ++I) {
    const GraphNode &N = *Order[I];
    auto Handle = [](const GraphNode *Node) {
      return reinterpret_cast<cudaGraphNode_t>(const_cast<GraphNode *>(Node));
    };
    Number[&N] = I;
    const std::vector<size_t> &Before = Steps[I].Before;
    if (N.Before.size() != Before.size())
      return {cudaGraphExecUpdateErrorTopologyChanged, Handle(&N), nullptr};
    for (const GraphNode *B : N.Before)
      if (std::ranges::find(Before, Number.at(B)) == Before.end())
        return {cudaGraphExecUpdateErrorTopologyChanged, Handle(&N), Handle(B)};
    if (auto Why = compare(Steps[I], N); Why != cudaGraphExecUpdateSuccess)
      return {Why, Handle(&N), nullptr};
    if (const GraphState *Inner = innerOf(N))
      if (auto Why = compare(Steps[I].Inner, *Inner);
          Why.result != cudaGraphExecUpdateSuccess)
        return Why;
  }
  return {cudaGraphExecUpdateSuccess, nullptr, nullptr};
}
static void update(std::vector<GraphRun::Step> &Steps, const GraphState &G) {
  const std::vector<const GraphNode *> Order = ordered(G);
  for (size_t I = 0; I < Order.size(); ++I) {
    Steps[I].Params = Order[I]->Params;
    if (const GraphState *Inner = innerOf(*Order[I]))
      update(Steps[I].Inner, *Inner);
  }
}
EXPORTED cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Handle, cudaGraph_t By,
                                         cudaGraphExecUpdateResultInfo *Info) {
  ENTER;
  GraphRun *Run = runOf(Handle);
  const GraphState *G = graphOf(By);
  cudaGraphExecUpdateResultInfo Found = {cudaGraphExecUpdateError, nullptr,
                                         nullptr};
  if (Run && G)
    Found = compare(Run->Steps, *G);
  if (Info)
    *Info = Found;
  if (!Run || !G)
    return Enter(Status::InvalidValue);
  if (Found.result != cudaGraphExecUpdateSuccess)
    return Enter(Status::GraphUpdateFailed);
  update(Run->Steps, *G);
  return Enter.done();
}
EXPORTED cudaError_t cudaGraphExecChildGraphNodeSetParams(
    cudaGraphExec_t Handle, cudaGraphNode_t Node, cudaGraph_t Child) {
  ENTER;
  GraphRun *Run = runOf(Handle);
  GraphRun::Step *S = Run ? stepOf(*Run, Node) : nullptr;
  const GraphState *G = graphOf(Child);
  if (!S || !G ||
      !std::holds_alternative<std::shared_ptr<GraphState>>(S->Params))
    return Enter.refuse(Status::InvalidValue, "the graph has no such graph");
  if (compare(S->Inner, *G).result != cudaGraphExecUpdateSuccess)
    return Enter.refuse(Status::InvalidValue,
                        "the graph in the node has other nodes or edges");
  update(S->Inner, *G);
  return Enter.done();
}
