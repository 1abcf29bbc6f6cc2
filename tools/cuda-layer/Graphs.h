//===- Graphs.h - Graphs of work, and streams that capture ------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_GRAPHS_H
#define HEDDLE_CUDA_LAYER_GRAPHS_H

#include "Copies.h"
#include "Handles.h"

#include <algorithm>
#include <map>
#include <memory>
#include <variant>

namespace heddle::cuda {

struct GraphState;

struct KernelNode {
  const void *Function = nullptr; ///< as the program names it
  KernelHandle *Kernel = nullptr;
  LaunchShape Shape;
  std::vector<uint8_t> Packed;  ///< parameters
  std::vector<void *> Pointers; ///< to each of them, when a program asks
  /// Without those that the shape has; they change nothing here.
  std::map<int, cudaLaunchAttributeValue> Attributes;

  /// Parameters change, attributes stay.
  void takeAttributes(const KernelNode &From) {
    Shape.Cooperative = From.Shape.Cooperative;
    Shape.Cluster = From.Shape.Cluster;
    Attributes = From.Attributes;
  }
};
struct EventNode {
  EventState *Event;
  bool Records; ///< or waits
};
/// Memory of a node that allocates. It has its address as long as the node
/// lives, and until it is freed.
struct GraphMemory {
  void *At = nullptr;
  uint64_t Bytes = 0;
  const GraphState *Owner = nullptr;
  bool Used = false;     ///< between the nodes that allocate and free
  bool Reserved = false; ///< a GPU has memory for it
  bool FreedByOwner = false, FreedByOthers = false; ///< by nodes of graphs

  GraphMemory() = default;
  GraphMemory(const GraphMemory &) = delete;
  GraphMemory &operator=(const GraphMemory &) = delete;
  ~GraphMemory();
};
struct AllocNode {
  cudaMemAllocNodeParams Params;
  std::vector<cudaMemAccessDesc> Access;
  std::shared_ptr<GraphMemory> Memory;
};
struct FreeNode {
  std::shared_ptr<GraphMemory> Memory;
};
/// What a node does; nothing for an empty one.
using NodeParams =
    std::variant<std::monostate, KernelNode, cudaMemcpy3DParms,
                 cudaMemsetParams, cudaHostNodeParams,
                 std::shared_ptr<GraphState>, EventNode, AllocNode, FreeNode>;

struct GraphNode {
  NodeParams Params;
  std::vector<GraphNode *> Before;
  GraphState *Owner = nullptr;
  uint64_t Number = 0;     ///< no other node has it
  uint64_t ClonedFrom = 0; ///< number of another node, or 0
};
inline GraphState *innerOf(const GraphNode &N) {
  const auto *Inner = std::get_if<std::shared_ptr<GraphState>>(&N.Params);
  return Inner ? Inner->get() : nullptr;
}

/// What a program has made for graphs to keep, with a count of those who do.
struct UserObject {
  void *Data;
  cudaHostFn_t Destroy;
  uint64_t Count;
};
/// The references that a graph has to them (UserObjects.cpp).
class UserReferences {
public:
  UserReferences() = default;
  UserReferences(const UserReferences &Other);
  UserReferences &operator=(UserReferences Other);
  ~UserReferences();
  void add(UserObject *Object, uint64_t Count) { Held[Object] += Count; }
  /// Whether there were as many.
  bool remove(UserObject *Object, uint64_t Count);

private:
  std::map<UserObject *, uint64_t> Held;
};

struct GraphRun;
/// Whether \p B waits for \p A itself.
inline bool follows(const GraphNode &B, const GraphNode *A) {
  return std::ranges::find(B.Before, A) != B.Before.end();
}
struct GraphState {
  std::vector<std::unique_ptr<GraphNode>> Nodes; ///< as they were added
  UserReferences Objects;
  std::weak_ptr<GraphRun> Instance; ///< the last
};
/// Whether a node of \p G, or of a graph in it, allocates or frees memory.
bool hasMemoryNodes(const GraphState &G);

/// A graph that can be launched: the nodes in an order that keeps their
/// dependences.
struct GraphRun {
  struct Step {
    const GraphNode *Of;        ///< in the graph that it was made of
    std::vector<size_t> Before; ///< steps that it depends on
    NodeParams Params;
    std::vector<Step> Inner; ///< of a graph in the node
    bool Enabled = true;
  };
  std::vector<Step> Steps;
  unsigned long long Flags = 0;
  UserReferences Objects;
};

GraphState *graphOf(const void *Handle); ///< null if there is none
GraphNode *nodeOf(const void *Handle);   ///< null if there is none
GraphNode *addNode(GraphState &G, NodeParams Params,
                   std::vector<GraphNode *> Before);
/// Adds a node to \p G after \p Count nodes at \p Before, for the program.
cudaError_t addTo(const Call &Enter, cudaGraphNode_t *To, cudaGraph_t G,
                  const cudaGraphNode_t *Before, size_t Count,
                  NodeParams Params);
cudaGraphNodeType typeOf(const GraphNode &N);
/// A copy with nodes in the same order.
std::shared_ptr<GraphState> clone(const GraphState &G);
GraphState *newGraph(std::shared_ptr<GraphState> G);
/// The same, for those who keep it; null also for a graph in a node.
std::shared_ptr<GraphState> sharedGraph(const void *Handle);
/// The graph \p Handle is the program's no more. Null if there is none.
std::shared_ptr<GraphState> takeGraph(const void *Handle);

/// The node of a kernel's launch, with parameters at \p Args or, packed, in
/// \p Extra.
Status makeKernelNode(const Call &Enter, const void *Function,
                      const LaunchShape &Shape, void **Args, KernelNode &To,
                      void **Extra = nullptr);
/// The node that \p P describes.
Status kernelNode(const Call &Enter, const cudaKernelNodeParams *P,
                  KernelNode &To);
/// The same for any type of node but those with memory.
cudaError_t nodeParams(const Call &Enter, const cudaGraphNodeParams &P,
                       NodeParams &To);
/// The packed parameters among \p Extra, or nothing (Driver.cpp).
std::vector<uint8_t> packed(void **Extra);
/// Adds a node whose parameters \p P describes; gives it what the node has:
/// addresses and graphs.
cudaError_t addAny(const Call &Enter, cudaGraphNode_t *To, cudaGraph_t G,
                   const cudaGraphNode_t *Before, size_t Count,
                   cudaGraphNodeParams &P);
/// Replaces the parameters of a node by those of the same type.
cudaError_t replaceNode(const Call &Enter, cudaGraphNode_t Node,
                        NodeParams Params);
/// Edges say no more than an order.
cudaError_t checkEdges(const Call &Enter, const cudaGraphEdgeData *Edges,
                       size_t Count);
/// Adds edges, or with \p Remove takes them away.
cudaError_t changeEdges(const Call &Enter, cudaGraph_t G,
                        const cudaGraphNode_t *From, const cudaGraphNode_t *To,
                        const cudaGraphEdgeData *Edges, size_t Count,
                        bool Remove);
/// Lists of edges and neighbours; \p Edges and the lists may be null.
cudaError_t listEdges(const Call &Enter, cudaGraph_t G, cudaGraphNode_t *From,
                      cudaGraphNode_t *To, cudaGraphEdgeData *Edges,
                      size_t *Count);
cudaError_t listNeighbours(const Call &Enter, cudaGraphNode_t Node,
                           cudaGraphNode_t *To, cudaGraphEdgeData *Edges,
                           size_t *Count, bool Dependent);

/// Makes a node that allocates (GraphMemory.cpp); the memory is there from now
/// on, so that its address is known.
cudaError_t allocNode(const Call &Enter, const GraphState &Owner,
                      const cudaMemAllocNodeParams &P, AllocNode &To);
/// Makes a node that frees what one at \p At allocates.
cudaError_t freeNode(const Call &Enter, const GraphState &G, const void *At,
                     FreeNode &To);
/// What such nodes do.
cudaError_t useMemory(const Call &Enter, const std::shared_ptr<GraphMemory> &M);
cudaError_t freeMemory(const Call &Enter, GraphMemory &M);
/// Frees memory of a graph outside of it; nothing if \p At is not such memory.
std::optional<cudaError_t> freeOfGraph(const Call &Enter, const void *At);
/// Replaces what the step of \p Node does by parameters of the same type.
cudaError_t replaceStep(const Call &Enter, cudaGraphExec_t Handle,
                        cudaGraphNode_t Node, NodeParams Params);
/// Of \p Bytes in one row.
cudaMemcpy3DParms flatCopy(void *To, const void *From, size_t Bytes,
                           cudaMemcpyKind Kind);
/// Of rows in two pitches.
cudaMemcpy3DParms pitchedCopy(void *To, size_t ToPitch, const void *From,
                              size_t FromPitch, size_t Width, size_t Height,
                              cudaMemcpyKind Kind);

bool isCapturing(const void *Stream);
/// Adds a node after the last ones of \p Stream, which captures.
cudaError_t capture(const Call &Enter, const void *Stream, NodeParams Params);
/// The graph that \p Stream captures.
GraphState &capturedBy(const void *Stream);
void captureRecord(const void *Stream, const void *Event);
/// Whether \p Event was recorded in a capture; then \p Stream takes part in it.
bool captureWait(const void *Stream, const void *Event);
/// What a call gives that waits for \p Stream, which captures, or for all
/// streams (null) while one does: an error that ends the capture.
Status refuseWait(const void *Stream);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_GRAPHS_H
