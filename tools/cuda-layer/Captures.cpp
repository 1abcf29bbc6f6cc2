//===- Captures.cpp - Streams whose work becomes a graph ------------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

using namespace heddle;
using namespace heddle::cuda;

namespace {
struct Capture {
  std::shared_ptr<GraphState> Graph;
  const void *Origin;
  unsigned long long Id;
  bool OfProgram;                       ///< the graph was there before
  std::vector<GraphNode *> Forked = {}; ///< nodes of other streams
  /// What the program has taken from a stream's last nodes need not be joined.
  std::vector<GraphNode *> Dropped = {};
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
  if (M.Of->Origin != Stream)
    M.Of->Forked.push_back(M.Last[0]);
  return Enter.done();
}

GraphState &capturedBy(const void *Stream) {
  return *members().at(Stream).Of->Graph;
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

/// \p S captures to \p G, after \p Last; to a new graph if it is null.
static cudaError_t begin(const Call &Enter, cudaStream_t S,
                         std::shared_ptr<GraphState> G,
                         std::vector<GraphNode *> Last) {
  if (checkStream(S) != Status::Success)
    return Enter.refuse(Status::InvalidHandle, "there is no such stream");
  if (!S || S == cudaStreamLegacy)
    return Enter.refuse(Status::CaptureUnsupported,
                        "the legacy stream cannot be captured");
  if (isCapturing(S))
    return Enter.refuse(Status::InvalidValue, "the stream captures already");
  static unsigned long long Next = 1;
  const bool OfProgram = G != nullptr;
  if (!G) { // the program may ask for it before the capture ends
    G = std::make_shared<GraphState>();
    newGraph(G);
  }
  auto C = std::make_shared<Capture>(std::move(G), S, Next++, OfProgram);
  members()[S] = {std::move(C), std::move(Last)};
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamBeginCapture(cudaStream_t S,
                                            cudaStreamCaptureMode) {
  ENTER;
  return begin(Enter, S, nullptr, {});
}

/// The nodes at \p Handles, which are of \p G.
static cudaError_t nodesOf(const Call &Enter, const GraphState &G,
                           const cudaGraphNode_t *Handles, size_t Count,
                           std::vector<GraphNode *> &To) {
  if (Count && !Handles)
    return Enter.refuseNull();
  for (size_t I = 0; I < Count; ++I) {
    GraphNode *N = nodeOf(Handles[I]);
    if (!N || N->Owner != &G)
      return Enter.refuse(
          Status::InvalidValue,
          fmt::format("dependence {} is no node of this graph", I));
    To.push_back(N);
  }
  return cudaSuccess;
}
EXPORTED cudaError_t cudaStreamBeginCaptureToGraph(
    cudaStream_t S, cudaGraph_t Handle, const cudaGraphNode_t *Before,
    const cudaGraphEdgeData *Edges, size_t Count, cudaStreamCaptureMode) {
  ENTER;
  std::shared_ptr<GraphState> G = sharedGraph(Handle);
  if (!G)
    return Enter.refuse(Status::InvalidValue, "there is no such graph");
  std::vector<GraphNode *> Last;
  if (cudaError_t E = checkEdges(Enter, Edges, Count))
    return E;
  if (cudaError_t E = nodesOf(Enter, *G, Before, Count, Last))
    return E;
  return begin(Enter, S, std::move(G), std::move(Last));
}

/// Whether all of \p Forked come before \p Last, or are of them.
static bool allBefore(const std::vector<GraphNode *> &Forked,
                      const std::vector<GraphNode *> &Last) {
  std::unordered_set<const GraphNode *> Reached;
  std::vector<GraphNode *> Work(Last);
  while (!Work.empty()) {
    GraphNode *N = Work.back();
    Work.pop_back();
    if (Reached.insert(N).second)
      Work.insert(Work.end(), N->Before.begin(), N->Before.end());
  }
  return std::ranges::all_of(
      Forked, [&](const GraphNode *N) { return Reached.contains(N); });
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
  const GraphState *G = Ended.Of->Graph.get();
  std::vector<GraphNode *> Ends = Ended.Of->Dropped;
  Ends.insert(Ends.end(), Ended.Last.begin(), Ended.Last.end());
  const bool IsJoined = allBefore(Ended.Of->Forked, Ends);
  if ((Ended.Of->Invalid || !IsJoined) && !Ended.Of->OfProgram)
    takeGraph(G);
  if (Ended.Of->Invalid)
    return Enter(Status::CaptureInvalidated);
  if (!IsJoined)
    return Enter.refuse(Status::CaptureUnjoined,
                        "work of another stream was not joined again");
  return Enter.give(To, reinterpret_cast<cudaGraph_t>(Ended.Of->Graph.get()));
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

/// What a program is told of a stream that captures; each pointer may be null.
/// \p Before points to handles until the stream captures more.
static cudaError_t tell(const Call &Enter, cudaStream_t S,
                        cudaStreamCaptureStatus *To, unsigned long long *Id,
                        cudaGraph_t *G, const cudaGraphNode_t **Before,
                        const cudaGraphEdgeData **Edges, size_t *Count) {
  if (cudaError_t E = cudaStreamIsCapturing(S, To))
    return E;
  if (*To != cudaStreamCaptureStatusActive)
    return Enter.done();
  static const auto *Plain = new std::vector<cudaGraphEdgeData>(1 << 12);
  const Member &M = members().at(S);
  if (Edges && M.Last.size() > Plain->size())
    return Enter(Status::Unknown);
  if (Id)
    *Id = M.Of->Id;
  if (G)
    *G = reinterpret_cast<cudaGraph_t>(M.Of->Graph.get());
  if (Before)
    *Before = reinterpret_cast<const cudaGraphNode_t *>(M.Last.data());
  if (Edges)
    *Edges = Plain->data();
  if (Count)
    *Count = M.Last.size();
  return Enter.done();
}
EXPORTED cudaError_t cudaStreamGetCaptureInfo_v2(
    cudaStream_t S, cudaStreamCaptureStatus *To, unsigned long long *Id,
    cudaGraph_t *G, const cudaGraphNode_t **Before, size_t *Count) {
  ENTER;
  return tell(Enter, S, To, Id, G, Before, nullptr, Count);
}
EXPORTED cudaError_t cudaStreamGetCaptureInfo_v3(
    cudaStream_t S, cudaStreamCaptureStatus *To, unsigned long long *Id,
    cudaGraph_t *G, const cudaGraphNode_t **Before,
    const cudaGraphEdgeData **Edges, size_t *Count) {
  ENTER;
  return tell(Enter, S, To, Id, G, Before, Edges, Count);
}

// Since CUDA 13 more is given under the same name, and the update has data of
// edges in front of their number (GraphEdges.cpp).
#define EXPORTED_IN_BOTH_FORMS __attribute__((visibility("default")))
EXPORTED_IN_BOTH_FORMS cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t, cudaStreamCaptureStatus *, unsigned long long *,
    cudaGraph_t *, const cudaGraphNode_t **, const cudaGraphEdgeData **,
    size_t *) asm("cudaStreamGetCaptureInfo");
EXPORTED_IN_BOTH_FORMS cudaError_t cudaStreamUpdateCaptureDependencies(
    cudaStream_t, cudaGraphNode_t *, uintptr_t, uintptr_t,
    unsigned) asm("cudaStreamUpdateCaptureDependencies");

EXPORTED_IN_BOTH_FORMS cudaError_t cudaStreamGetCaptureInfo(
    cudaStream_t S, cudaStreamCaptureStatus *To, unsigned long long *Id,
    cudaGraph_t *G, const cudaGraphNode_t **Before,
    const cudaGraphEdgeData **Edges, size_t *Count) {
  ENTER;
  return Enter.device().isRelease13()
             ? tell(Enter, S, To, Id, G, Before, Edges, Count)
             : tell(Enter, S, To, Id, nullptr, nullptr, nullptr, nullptr);
}
EXPORTED cudaError_t cudaStreamUpdateCaptureDependencies_v2(
    cudaStream_t S, cudaGraphNode_t *Nodes, const cudaGraphEdgeData *Edges,
    size_t Count, unsigned Flags) {
  ENTER;
  if (!isCapturing(S))
    return Enter(Status::IllegalState);
  Member &M = members().at(S);
  std::vector<GraphNode *> Last;
  if (Flags > cudaStreamSetCaptureDependencies)
    return Enter(Status::InvalidValue);
  if (cudaError_t E = checkEdges(Enter, Edges, Count))
    return E;
  if (cudaError_t E = nodesOf(Enter, *M.Of->Graph, Nodes, Count, Last))
    return E;
  if (Flags == cudaStreamSetCaptureDependencies) {
    M.Of->Dropped.insert(M.Of->Dropped.end(), M.Last.begin(), M.Last.end());
    M.Last.clear();
  }
  for (GraphNode *N : Last)
    if (std::ranges::find(M.Last, N) == M.Last.end())
      M.Last.push_back(N);
  return Enter.done();
}
EXPORTED_IN_BOTH_FORMS cudaError_t
cudaStreamUpdateCaptureDependencies(cudaStream_t S, cudaGraphNode_t *Nodes,
                                    uintptr_t A, uintptr_t B, unsigned Flags) {
  ENTER;
  if (!Enter.device().isRelease13())
    return cudaStreamUpdateCaptureDependencies_v2(S, Nodes, nullptr, size_t(A),
                                                  unsigned(B));
  return cudaStreamUpdateCaptureDependencies_v2(
      S, Nodes, reinterpret_cast<const cudaGraphEdgeData *>(A), size_t(B),
      Flags);
}
/// With a default stream per thread (PerThread.cpp).
EXPORTED cudaError_t cudaStreamGetCaptureInfo_ptsz(
    cudaStream_t S, cudaStreamCaptureStatus *To, unsigned long long *Id,
    cudaGraph_t *G, const cudaGraphNode_t **Before,
    const cudaGraphEdgeData **Edges, size_t *Count) {
  return cudaStreamGetCaptureInfo(own(S), To, Id, G, Before, Edges, Count);
}
EXPORTED cudaError_t cudaStreamUpdateCaptureDependencies_ptsz(
    cudaStream_t S, cudaGraphNode_t *Nodes, uintptr_t A, uintptr_t B,
    unsigned Flags) {
  return cudaStreamUpdateCaptureDependencies(own(S), Nodes, A, B, Flags);
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
