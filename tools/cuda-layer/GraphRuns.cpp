//===- GraphRuns.cpp - Launches of graphs, and captures of streams --------===//

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

static std::unordered_map<const void *, std::unique_ptr<GraphRun>> &runs() {
  static auto *All =
      new std::unordered_map<const void *, std::unique_ptr<GraphRun>>;
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

/// The steps of \p G; fewer than it has nodes if these wait for each other in a
/// circle.
static std::vector<GraphRun::Step> stepsOf(const GraphState &G) {
  std::vector<GraphRun::Step> Steps;
  std::unordered_map<const GraphNode *, size_t> Number;
  for (const GraphNode *N : ordered(G)) {
    GraphRun::Step &S = Steps.emplace_back(N, std::vector<size_t>(), N->Params);
    for (const GraphNode *B : N->Before)
      S.Before.push_back(Number.at(B));
    Number.emplace(N, Steps.size() - 1);
  }
  return Steps;
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
  cudaError_t operator()(const std::shared_ptr<GraphState> &Inner) const {
    return execute(Enter, stepsOf(*Inner));
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
    if (cudaError_t E = std::visit(Executor{Enter}, S.Params))
      return E;
    Ends.push_back(*Node);
  }
  Node = Steps.empty() ? Start : record::OperationSet();
  for (size_t I = 0; I < Steps.size(); ++I)
    if (IsLast[I])
      add(*Node, Ends[I]);
  return Enter.done();
}

static cudaError_t instantiate(const Call &Enter, cudaGraphExec_t *To,
                               cudaGraph_t Handle) {
  const GraphState *G = graphOf(Handle);
  if (!To || !G)
    return Enter(Status::InvalidValue);
  auto Run = std::make_unique<GraphRun>();
  Run->Steps = stepsOf(*G);
  if (Run->Steps.size() != G->Nodes.size())
    return Enter.refuse(Status::InvalidValue,
                        "nodes of the graph depend on each other in a circle");
  *To = reinterpret_cast<cudaGraphExec_t>(Run.get());
  runs()[Run.get()] = std::move(Run);
  return Enter.done();
}
// Programs of CUDA 11 give more arguments, of which these are the first.
EXPORTED cudaError_t cudaGraphInstantiate(cudaGraphExec_t *To, cudaGraph_t G,
                                          unsigned long long) {
  ENTER;
  return instantiate(Enter, To, G);
}
EXPORTED cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *To,
                                                   cudaGraph_t G,
                                                   unsigned long long) {
  ENTER;
  return instantiate(Enter, To, G);
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
EXPORTED cudaError_t cudaGraphLaunch(cudaGraphExec_t Handle, cudaStream_t S) {
  ENTER;
  const GraphRun *Run = runOf(Handle);
  if (!Run)
    return Enter.refuse(Status::InvalidValue, "there is no such graph");
  if (isCapturing(S)) {
    auto Inner = std::make_shared<GraphState>();
    for (const GraphRun::Step &Step : Run->Steps)
      addNode(*Inner, Step.Params,
              Inner->Nodes.empty()
                  ? std::vector<GraphNode *>()
                  : std::vector<GraphNode *>{Inner->Nodes.back().get()});
    return capture(Enter, S, std::move(Inner));
  }
  IN_STREAM(S);
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
  if (GraphRun *Run = runOf(Handle))
    for (GraphRun::Step &Step : Run->Steps)
      if (static_cast<const void *>(Step.Of) == Node &&
          Step.Params.index() == Params.index()) {
        Step.Params = std::move(Params);
        return Enter.done();
      }
  return Enter.refuse(Status::InvalidValue,
                      "the graph has no such node of this type");
}
EXPORTED cudaError_t
cudaGraphExecKernelNodeSetParams(cudaGraphExec_t Handle, cudaGraphNode_t Node,
                                 const cudaKernelNodeParams *P) {
  ENTER;
  if (!P || !P->kernelParams)
    return Enter(Status::InvalidValue);
  KernelNode K;
  const LaunchShape Shape = {{P->gridDim.x, P->gridDim.y, P->gridDim.z},
                             {P->blockDim.x, P->blockDim.y, P->blockDim.z},
                             P->sharedMemBytes,
                             false};
  if (Status S = makeKernelNode(Enter, P->func, Shape, P->kernelParams, K);
      S != Status::Success)
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
EXPORTED cudaError_t cudaGraphExecUpdate(cudaGraphExec_t Handle, cudaGraph_t By,
                                         cudaGraphExecUpdateResultInfo *Info) {
  ENTER;
  GraphRun *Run = runOf(Handle);
  const GraphState *G = graphOf(By);
  if (!Run || !G)
    return Enter(Status::InvalidValue);
  const std::vector<const GraphNode *> Order = ordered(*G);
  auto Fail = [&](cudaGraphExecUpdateResult Why) {
    if (Info)
      Info->result = Why;
    return Enter(Status::GraphUpdateFailed);
  };
  if (Order.size() != Run->Steps.size())
    return Fail(cudaGraphExecUpdateErrorTopologyChanged);
  for (size_t I = 0; I < Order.size(); ++I) {
    if (Order[I]->Params.index() != Run->Steps[I].Params.index())
      return Fail(cudaGraphExecUpdateErrorNodeTypeChanged);
    if (Order[I]->Before.size() != Run->Steps[I].Before.size())
      return Fail(cudaGraphExecUpdateErrorTopologyChanged);
  }
  for (size_t I = 0; I < Order.size(); ++I)
    Run->Steps[I].Params = Order[I]->Params;
  if (Info)
    *Info = {cudaGraphExecUpdateSuccess, nullptr, nullptr};
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Capture
//===----------------------------------------------------------------------===//

namespace {
struct Capture {
  std::shared_ptr<GraphState> Graph = std::make_shared<GraphState>();
  const void *Origin;
  unsigned long long Id;
  bool Invalid = false;
};
/// A stream or event that takes part in a capture, and its last nodes.
struct Member {
  std::shared_ptr<Capture> Of;
  std::vector<GraphNode *> Last;
};
std::map<const void *, Member> &members() {
  static auto *All = new std::map<const void *, Member>;
  return *All;
}
std::map<const void *, Member> &events() {
  static auto *All = new std::map<const void *, Member>;
  return *All;
}
} // namespace

namespace heddle::cuda {

bool isCapturing(const void *Stream) { return members().contains(Stream); }

cudaError_t capture(const Call &Enter, const void *Stream, NodeParams Params) {
  Member &M = members().at(Stream);
  if (M.Of->Invalid)
    return Enter(Status::CaptureInvalidated);
  M.Last = {addNode(*M.Of->Graph, std::move(Params), M.Last)};
  return Enter.done();
}

void captureRecord(const void *Stream, const void *Event) {
  events()[Event] = members().at(Stream);
}

bool captureWait(const void *Stream, const void *Event) {
  auto It = events().find(Event);
  if (It == events().end())
    return false;
  Member &M = members()[Stream];
  M.Of = It->second.Of;
  for (GraphNode *N : It->second.Last)
    if (std::ranges::find(M.Last, N) == M.Last.end())
      M.Last.push_back(N);
  return true;
}

Status refuseWait(const void *Stream) {
  bool Any = false;
  for (auto &[Handle, M] : members())
    if (!Stream || Handle == Stream)
      Any = M.Of->Invalid = true;
  return Any ? Status::CaptureUnsupported : Status::Success;
}

} // namespace heddle::cuda

EXPORTED cudaError_t cudaStreamBeginCapture(cudaStream_t S,
                                            cudaStreamCaptureMode) {
  ENTER;
  if (checkStream(S) != Status::Success)
    return Enter.refuse(Status::InvalidHandle, "there is no such stream");
  if (!S || S == cudaStreamLegacy)
    return Enter.refuse(Status::CaptureUnsupported,
                        "the legacy stream cannot be captured");
  if (isCapturing(S))
    return Enter.refuse(Status::InvalidValue, "the stream captures already");
  static unsigned long long Next = 1;
  auto C = std::make_shared<Capture>();
  C->Origin = S;
  C->Id = Next++;
  members()[S] = {std::move(C), {}};
  return Enter.done();
}

/// Whether all that \p G holds comes before \p Last.
static bool allBefore(const GraphState &G,
                      const std::vector<GraphNode *> &Last) {
  std::unordered_set<const GraphNode *> Reached;
  std::vector<GraphNode *> Work(Last);
  while (!Work.empty()) {
    GraphNode *N = Work.back();
    Work.pop_back();
    if (Reached.insert(N).second)
      Work.insert(Work.end(), N->Before.begin(), N->Before.end());
  }
  return Reached.size() == G.Nodes.size();
}

EXPORTED cudaError_t cudaStreamEndCapture(cudaStream_t S, cudaGraph_t *To) {
  ENTER;
  auto It = members().find(S);
  if (!To || It == members().end())
    return Enter(To ? Status::IllegalState : Status::InvalidValue);
  *To = nullptr;
  const Member Ended = It->second;
  if (Ended.Of->Origin != S)
    return Enter.refuse(Status::CaptureUnmatched,
                        "the capture began in another stream");
  const auto OfThis = [&](const auto &M) { return M.second.Of == Ended.Of; };
  std::erase_if(members(), OfThis);
  std::erase_if(events(), OfThis);
  if (Ended.Of->Invalid)
    return Enter(Status::CaptureInvalidated);
  if (!allBefore(*Ended.Of->Graph, Ended.Last))
    return Enter.refuse(Status::CaptureUnjoined,
                        "work of another stream was not joined again");
  *To = reinterpret_cast<cudaGraph_t>(newGraph(Ended.Of->Graph));
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamIsCapturing(cudaStream_t S,
                                           cudaStreamCaptureStatus *To) {
  ENTER;
  if (!To)
    return Enter(Status::InvalidValue);
  *To = !isCapturing(S)               ? cudaStreamCaptureStatusNone
        : members().at(S).Of->Invalid ? cudaStreamCaptureStatusInvalidated
                                      : cudaStreamCaptureStatusActive;
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamGetCaptureInfo(cudaStream_t S,
                                              cudaStreamCaptureStatus *To,
                                              unsigned long long *Id) {
  ENTER;
  if (Id && isCapturing(S))
    *Id = members().at(S).Of->Id;
  return cudaStreamIsCapturing(S, To);
}
EXPORTED cudaError_t
cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode *Mode) {
  ENTER;
  thread_local cudaStreamCaptureMode Now = cudaStreamCaptureModeGlobal;
  if (!Mode)
    return Enter(Status::InvalidValue);
  std::swap(*Mode, Now);
  return Enter.done();
}
