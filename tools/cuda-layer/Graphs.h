//===- Graphs.h - Graphs of work, and streams that capture ------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LAYER_GRAPHS_H
#define HEDDLE_CUDA_LAYER_GRAPHS_H

#include "Copies.h"
#include "Handles.h"

#include <algorithm>
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
};
struct EventNode {
  EventState *Event;
  bool Records; ///< or waits
};
/// What a node does; nothing for an empty one.
using NodeParams = std::variant<std::monostate, KernelNode, cudaMemcpy3DParms,
                                cudaMemsetParams, cudaHostNodeParams,
                                std::shared_ptr<GraphState>, EventNode>;

struct GraphNode {
  NodeParams Params;
  std::vector<GraphNode *> Before;
  GraphState *Owner = nullptr;
};
/// Whether \p B waits for \p A itself.
inline bool follows(const GraphNode &B, const GraphNode *A) {
  return std::ranges::find(B.Before, A) != B.Before.end();
}
struct GraphState {
  std::vector<std::unique_ptr<GraphNode>> Nodes; ///< as they were added
};

/// A graph that can be launched: the nodes in an order that keeps their
/// dependences.
struct GraphRun {
  struct Step {
    const GraphNode *Of;        ///< in the graph that it was made of
    std::vector<size_t> Before; ///< steps that it depends on
    NodeParams Params;
  };
  std::vector<Step> Steps;
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

/// The node of a kernel's launch.
Status makeKernelNode(const Call &Enter, const void *Function,
                      const LaunchShape &Shape, void **Args, KernelNode &To);
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
void captureRecord(const void *Stream, const void *Event);
/// Whether \p Event was recorded in a capture; then \p Stream takes part in it.
bool captureWait(const void *Stream, const void *Event);
/// What a call gives that waits for \p Stream, which captures, or for all
/// streams (null) while one does: an error that ends the capture.
Status refuseWait(const void *Stream);

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_LAYER_GRAPHS_H
