//===- GraphEdges.cpp - Edges of graphs, and lists of nodes ---------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <algorithm>

using namespace heddle;
using namespace heddle::cuda;

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

static cudaGraphEdgeData *dataOf(const Call &Enter, CountOrData Data) {
  return Enter.device().isRelease13()
             ? reinterpret_cast<cudaGraphEdgeData *>(Data)
             : nullptr;
}

static cudaGraphNode_t handle(GraphNode *N) {
  return reinterpret_cast<cudaGraphNode_t>(N);
}

namespace heddle::cuda {

cudaError_t checkEdges(const Call &Enter, const cudaGraphEdgeData *Edges,
                       size_t Count) {
  const auto Says = [](const cudaGraphEdgeData &E) {
    return E.from_port || E.to_port || E.type;
  };
  return Edges && std::any_of(Edges, Edges + Count, Says)
             ? Enter.refuse(Status::NotSupported,
                            "edges that say more than an order are not "
                            "supported")
             : cudaSuccess;
}

cudaError_t changeEdges(const Call &Enter, cudaGraph_t G,
                        const cudaGraphNode_t *From, const cudaGraphNode_t *To,
                        const cudaGraphEdgeData *Edges, size_t Count,
                        bool Remove) {
  GraphState *Graph = graphOf(G);
  if (!Graph || (Count && (!From || !To)))
    return Enter(Status::InvalidValue);
  if (cudaError_t E = checkEdges(Enter, Edges, Count))
    return E;
  if (Remove && Count && hasMemoryNodes(*Graph))
    return Enter.refuse(Status::InvalidValue,
                        "edges of a graph that allocates or frees stay");
  for (size_t I = 0; I < Count; ++I) {
    GraphNode *A = nodeOf(From[I]), *B = nodeOf(To[I]);
    if (!A || !B || A == B || A->Owner != Graph || B->Owner != Graph ||
        follows(*B, A) != Remove)
      return Enter.refuse(Status::InvalidValue,
                          fmt::format("edge {} does not fit the graph", I));
    if (Remove)
      std::erase(B->Before, A);
    else
      B->Before.push_back(A);
  }
  return Enter.done();
}

} // namespace heddle::cuda

EXPORTED cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t G,
                                                 const cudaGraphNode_t *From,
                                                 const cudaGraphNode_t *To,
                                                 const cudaGraphEdgeData *Edges,
                                                 size_t Count) {
  ENTER;
  return changeEdges(Enter, G, From, To, Edges, Count, /*Remove=*/false);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphAddDependencies(
    cudaGraph_t G, const cudaGraphNode_t *From, const cudaGraphNode_t *To,
    CountOrData Old, size_t New) {
  ENTER;
  return changeEdges(Enter, G, From, To, dataOf(Enter, Old),
                     countOf(Enter, Old, New), /*Remove=*/false);
}
EXPORTED cudaError_t cudaGraphRemoveDependencies_v2(
    cudaGraph_t G, const cudaGraphNode_t *From, const cudaGraphNode_t *To,
    const cudaGraphEdgeData *Edges, size_t Count) {
  ENTER;
  return changeEdges(Enter, G, From, To, Edges, Count, /*Remove=*/true);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphRemoveDependencies(
    cudaGraph_t G, const cudaGraphNode_t *From, const cudaGraphNode_t *To,
    CountOrData Old, size_t New) {
  ENTER;
  return changeEdges(Enter, G, From, To, dataOf(Enter, Old),
                     countOf(Enter, Old, New), /*Remove=*/true);
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

namespace heddle::cuda {

/// What edges say that say no more than an order.
static void fill(cudaGraphEdgeData *Edges, const size_t *Count) {
  if (Edges)
    std::fill_n(Edges, *Count, cudaGraphEdgeData());
}

cudaError_t listNeighbours(const Call &Enter, cudaGraphNode_t Handle,
                           cudaGraphNode_t *To, cudaGraphEdgeData *Edges,
                           size_t *Count, bool Dependent) {
  GraphNode *N = nodeOf(Handle);
  if (!N || !Count)
    return Enter(Status::InvalidValue);
  const cudaError_t E =
      Dependent ? listNodes(Enter, N->Owner, To, Count,
                            [N](const GraphNode &B) { return follows(B, N); })
                : list(Enter, N->Before, To, Count);
  if (!E && To)
    fill(Edges, Count);
  return E;
}

cudaError_t listEdges(const Call &Enter, cudaGraph_t G, cudaGraphNode_t *From,
                      cudaGraphNode_t *To, cudaGraphEdgeData *Edges,
                      size_t *Count) {
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
  if (From && To)
    fill(Edges, Count);
  return Enter.done();
}

} // namespace heddle::cuda

EXPORTED cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t N,
                                                       cudaGraphNode_t *To,
                                                       cudaGraphEdgeData *Edges,
                                                       size_t *Count) {
  ENTER;
  return listNeighbours(Enter, N, To, Edges, Count, /*Dependent=*/true);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphNodeGetDependentNodes(
    cudaGraphNode_t N, cudaGraphNode_t *To, CountOrData Old, size_t *New) {
  ENTER;
  return listNeighbours(Enter, N, To, dataOf(Enter, Old),
                        countOf(Enter, Old, New), /*Dependent=*/true);
}
EXPORTED cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t N,
                                                     cudaGraphNode_t *To,
                                                     cudaGraphEdgeData *Edges,
                                                     size_t *Count) {
  ENTER;
  return listNeighbours(Enter, N, To, Edges, Count, /*Dependent=*/false);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphNodeGetDependencies(
    cudaGraphNode_t N, cudaGraphNode_t *To, CountOrData Old, size_t *New) {
  ENTER;
  return listNeighbours(Enter, N, To, dataOf(Enter, Old),
                        countOf(Enter, Old, New), /*Dependent=*/false);
}
EXPORTED cudaError_t cudaGraphGetEdges_v2(cudaGraph_t G, cudaGraphNode_t *From,
                                          cudaGraphNode_t *To,
                                          cudaGraphEdgeData *Edges,
                                          size_t *Count) {
  ENTER;
  return listEdges(Enter, G, From, To, Edges, Count);
}
EXPORTED_IN_BOTH_FORMS cudaError_t cudaGraphGetEdges(cudaGraph_t G,
                                                     cudaGraphNode_t *From,
                                                     cudaGraphNode_t *To,
                                                     CountOrData Old,
                                                     size_t *New) {
  ENTER;
  return listEdges(Enter, G, From, To, dataOf(Enter, Old),
                   countOf(Enter, Old, New));
}
