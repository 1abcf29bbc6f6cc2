//===- ScheduleGraph.cpp - What may not pass what in a block --------------===//

#include "ScheduleGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::registers {

ScheduleGraph::ScheduleGraph(const OpBlock &B) : Nodes(B.Ops.size()) {
  findEdges(B);
  findHeights(B);
}

void ScheduleGraph::addEdge(unsigned From, unsigned To, unsigned Cycles) {
  Nodes[From].Followers.push_back({To, Cycles});
  ++Nodes[To].NumWaited;
}

/// True if \p A and \p B may touch the same bytes.
static bool mayOverlap(const Op &A, const Op &B) {
  if (A.Shared != B.Shared)
    return false;
  return A.Base != B.Base || B.Offset - A.Offset < A.SizeBytes ||
         A.Offset - B.Offset < B.SizeBytes;
}

/// The last fence of a block that ends in a branch, if no access follows it.
/// What stands in front of it stays there: others let arithmetic pass, behind
/// which loads begin sooner (ptxas 11.8 and 12.4, loops of seven products).
static size_t fenceAtEnd(const OpBlock &B) {
  size_t N = B.Ops.size();
  if (N == 0 || B.Ops[N - 1].Kind != OpKind::Branch)
    return N;
  while (N-- != 0) {
    const OpKind Kind = B.Ops[N].Kind;
    if (Kind == OpKind::Fence)
      return N;
    if (Kind != OpKind::Branch && Kind != OpKind::Plain)
      break;
  }
  return B.Ops.size();
}

void ScheduleGraph::findEdges(const OpBlock &B) {
  constexpr unsigned None = -1;
  DenseMap<unsigned, unsigned> Def;
  DenseMap<unsigned, SmallVector<unsigned, 4>> Users;
  unsigned LastBranch = None, LastFence = None, LastConvergent = None;
  std::vector<unsigned> SinceBranch, Accesses, FencedOnly;
  const size_t LastInFront = fenceAtEnd(B);
  for (auto [N, O] : enumerate(B.Ops)) {
    for (unsigned V : O.Uses)
      if (auto It = Def.find(V); It != Def.end())
        addEdge(It->second, N, B.Ops[It->second].LatencyCycles);
    for (unsigned V : O.Defs) {
      for (unsigned User : Users[V])
        if (User != N)
          order(User, N);
      if (auto It = Def.find(V); It != Def.end())
        order(It->second, N);
    }
    for (unsigned V : O.Uses)
      Users[V].push_back(N);
    for (unsigned V : O.Defs) {
      Def[V] = N;
      Users[V].clear();
    }
    if (LastBranch != None)
      order(LastBranch, N);
    if (O.Kind == OpKind::Branch) {
      for (unsigned A : SinceBranch)
        order(A, N);
      SinceBranch.clear();
      LastBranch = N;
      continue;
    }
    SinceBranch.push_back(N);
    if (O.Convergent) {
      if (LastConvergent != None)
        order(LastConvergent, N);
      LastConvergent = N;
    }
    // Nothing writes what a Read reads, so that no fence holds it either.
    if (O.Kind == OpKind::Plain || O.Kind == OpKind::Read) {
      if (O.IsProduct)
        FencedOnly.push_back(N);
      continue;
    }
    if (LastFence != None)
      order(LastFence, N);
    if (O.Kind == OpKind::Fence) {
      for (unsigned A : Accesses)
        order(A, N);
      for (unsigned A : N == LastInFront ? SinceBranch : FencedOnly)
        if (A != N)
          order(A, N);
      Accesses.clear();
      FencedOnly.clear();
      LastFence = N;
      continue;
    }
    for (unsigned A : Accesses) {
      const Op &Other = B.Ops[A];
      const bool Ordered =
          O.Kind == OpKind::Store || Other.Kind == OpKind::Store;
      if (Ordered && mayOverlap(O, Other))
        order(A, N);
    }
    Accesses.push_back(N);
  }
}

/// The least latency of a load that others make room for: of global memory.
static constexpr unsigned SlowCycles = 100;

void ScheduleGraph::findHeights(const OpBlock &B) {
  for (size_t N = Nodes.size(); N-- != 0;) {
    unsigned Below = 0, Loads = 0;
    for (const Edge &E : Nodes[N].Followers) {
      Below = std::max(Below, Nodes[E.To].Height + E.Cycles);
      Loads = std::max(Loads, Nodes[E.To].SlowLoads);
    }
    const Op &O = B.Ops[N];
    const bool IsSlow = (O.Kind == OpKind::Load || O.Kind == OpKind::Read) &&
                        O.LatencyCycles >= SlowCycles;
    Nodes[N].Height = Below;
    Nodes[N].SlowLoads = Loads + IsSlow;
    if (IsSlow)
      for (const Edge &E : Nodes[N].Followers)
        if (E.Cycles >= SlowCycles)
          Nodes[E.To].ReadsSlow = true;
  }
}

} // namespace heddle::registers
