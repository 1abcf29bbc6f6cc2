//===- RegisterSchedule.cpp - The order that the allocator meets ----------===//

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>

using namespace llvm;

namespace heddle::registers {

namespace {

/// Blocks beyond this keep their order: choosing takes quadratic time.
constexpr size_t MaxScheduledOps = 4096;

/// Cycles between two accesses of one warp to memory.
constexpr unsigned AccessCycles = 2;

/// List scheduling of one block: of the instructions whose operands are there,
/// the one with the longest way to the end of the block goes first.
class BlockScheduler {
public:
  BlockScheduler(const Code &C, OpBlock &B, BitVector LiveOut, unsigned Limit,
                 UnderPressure Choice)
      : C(C), B(B), LiveOut(std::move(LiveOut)), Limit(Limit), Choice(Choice),
        Nodes(B.Ops.size()) {}
  void run();

private:
  struct Edge {
    unsigned To;
    unsigned Cycles; ///< from the start of one to the start of the other
  };

  struct Node {
    std::vector<Edge> Followers;
    unsigned NumWaited = 0;
    unsigned Height = 0;  ///< cycles to the end of the block
    unsigned ReadyAt = 0; ///< cycle
  };

  void addEdge(unsigned From, unsigned To, unsigned Cycles);
  /// \p To may not come before \p From.
  void order(unsigned From, unsigned To) { addEdge(From, To, 1); }
  void findEdges();
  void findHeights();
  void findLive();
  /// How much more lives after \p N than before.
  int growth(unsigned N);
  void setLive(unsigned V, bool Lives);
  unsigned numHeldUp(unsigned N) const;
  unsigned pick(unsigned &Cycle);
  void issue(unsigned N, unsigned &Cycle);

  const Code &C;
  OpBlock &B;
  BitVector LiveOut;
  unsigned Limit;
  UnderPressure Choice;
  std::vector<Node> Nodes;
  std::vector<unsigned> Ready;
  BitVector Live;
  unsigned LiveWidth = 0;
  DenseMap<unsigned, unsigned> UsesLeft; ///< of values in the block
};

void BlockScheduler::addEdge(unsigned From, unsigned To, unsigned Cycles) {
  Nodes[From].Followers.push_back({To, Cycles});
  ++Nodes[To].NumWaited;
}

/// True if \p A and \p B may touch the same bytes.
bool mayOverlap(const Op &A, const Op &B) {
  if (A.Shared != B.Shared)
    return false;
  return A.Base != B.Base || B.Offset - A.Offset < A.SizeBytes ||
         A.Offset - B.Offset < B.SizeBytes;
}

void BlockScheduler::findEdges() {
  constexpr unsigned None = -1;
  DenseMap<unsigned, unsigned> Def;
  DenseMap<unsigned, SmallVector<unsigned, 4>> Users;
  unsigned LastBranch = None, LastFence = None, LastConvergent = None;
  std::vector<unsigned> SinceBranch, Accesses;
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
    if (O.Kind == OpKind::Plain)
      continue;
    if (LastFence != None)
      order(LastFence, N);
    if (O.Kind == OpKind::Fence) {
      for (unsigned A : Accesses)
        order(A, N);
      Accesses.clear();
      LastFence = N;
      continue;
    }
    for (unsigned A : Accesses) {
      const Op &Other = B.Ops[A];
      const bool Ordered =
          (O.Kind == OpKind::Store && Other.Kind != OpKind::Read) ||
          (O.Kind == OpKind::Load && Other.Kind == OpKind::Store);
      if (Ordered && mayOverlap(O, Other))
        order(A, N);
    }
    Accesses.push_back(N);
  }
}

void BlockScheduler::findHeights() {
  for (size_t N = Nodes.size(); N-- != 0;) {
    unsigned Below = 0;
    for (const Edge &E : Nodes[N].Followers)
      Below = std::max(Below, Nodes[E.To].Height + E.Cycles);
    Nodes[N].Height = Below;
  }
}

void BlockScheduler::findLive() {
  Live = LiveOut;
  for (const Op &O : reverse(B.Ops)) {
    if (!O.Guarded)
      for (unsigned V : O.Defs)
        Live.reset(V);
    for (unsigned V : O.Uses) {
      Live.set(V);
      ++UsesLeft[V];
    }
  }
  for (unsigned V : Live.set_bits())
    LiveWidth += C.Widths[V];
}

void BlockScheduler::setLive(unsigned V, bool Lives) {
  if (Live[V] == Lives)
    return;
  Live[V] = Lives;
  LiveWidth += Lives ? C.Widths[V] : -C.Widths[V];
}

int BlockScheduler::growth(unsigned N) {
  const Op &O = B.Ops[N];
  int Growth = 0;
  for (unsigned V : O.Defs)
    if (!Live[V])
      Growth += C.Widths[V];
  for (auto [I, V] : enumerate(O.Uses)) {
    const auto End = O.Uses.begin() + I;
    if (std::find(O.Uses.begin(), End, V) != End)
      continue;
    const size_t Count = llvm::count(O.Uses, V);
    if (UsesLeft[V] == Count && !LiveOut[V] && Live[V] &&
        !is_contained(O.Defs, V))
      Growth -= C.Widths[V];
  }
  return Growth;
}

/// How many instructions wait for \p N and for another one.
unsigned BlockScheduler::numHeldUp(unsigned N) const {
  return count_if(Nodes[N].Followers,
                  [&](const Edge &E) { return Nodes[E.To].NumWaited > 1; });
}

unsigned BlockScheduler::pick(unsigned &Cycle) {
  for (;;) {
    size_t Best = Ready.size();
    unsigned Soonest = -1;
    auto Better = [&](unsigned A, unsigned B) {
      if (Nodes[A].Height != Nodes[B].Height)
        return Nodes[A].Height > Nodes[B].Height;
      return A < B;
    };
    for (auto [I, N] : enumerate(Ready)) {
      Soonest = std::min(Soonest, Nodes[N].ReadyAt);
      if (Nodes[N].ReadyAt > Cycle ||
          (Best != Ready.size() && !Better(N, Ready[Best])))
        continue;
      const int Growth = growth(N);
      if (Growth <= 0 || LiveWidth + Growth <= Limit)
        Best = I;
    }
    if (Best == Ready.size() && Soonest > Cycle) {
      Cycle = Soonest;
      continue;
    }
    if (Best == Ready.size()) {
      // All that may start need registers, unless something that frees some
      // comes later.
      unsigned Later = -1;
      for (unsigned N : Ready)
        if (Nodes[N].ReadyAt > Cycle && growth(N) <= 0)
          Later = std::min(Later, Nodes[N].ReadyAt);
      if (Later != -1u) {
        Cycle = Later;
        continue;
      }
      Best = min_element(Ready,
                         [&](unsigned A, unsigned B) {
                           if (Choice == UnderPressure::TextOrder)
                             return A < B;
                           return std::pair(numHeldUp(A), A) <
                                  std::pair(numHeldUp(B), B);
                         }) -
             Ready.begin();
      Cycle = std::max(Cycle, Nodes[Ready[Best]].ReadyAt);
    }
    const unsigned N = Ready[Best];
    Ready.erase(Ready.begin() + Best);
    return N;
  }
}

void BlockScheduler::issue(unsigned N, unsigned &Cycle) {
  const Op &O = B.Ops[N];
  for (unsigned V : O.Uses)
    if (--UsesLeft[V] == 0 && !LiveOut[V])
      setLive(V, false);
  for (unsigned V : O.Defs)
    setLive(V, UsesLeft[V] || LiveOut[V]);
  for (const Edge &E : Nodes[N].Followers) {
    Node &Next = Nodes[E.To];
    Next.ReadyAt = std::max(Next.ReadyAt, Cycle + E.Cycles);
    if (--Next.NumWaited == 0)
      Ready.push_back(E.To);
  }
  Cycle += O.Kind == OpKind::Plain ? 1 : AccessCycles;
}

void BlockScheduler::run() {
  findEdges();
  findHeights();
  findLive();
  for (auto [N, Node] : enumerate(Nodes))
    if (!Node.NumWaited)
      Ready.push_back(N);
  std::vector<Op> Order;
  Order.reserve(B.Ops.size());
  for (unsigned Cycle = 0; !Ready.empty();) {
    const unsigned N = pick(Cycle);
    issue(N, Cycle);
    Order.push_back(B.Ops[N]);
  }
  B.Ops = std::move(Order);
}

} // namespace

void schedule(Code &C, unsigned Limit, UnderPressure Choice) {
  const std::vector<BitVector> Out = liveOut(C);
  for (auto [N, B] : enumerate(C.Blocks))
    if (B.Ops.size() <= MaxScheduledOps)
      BlockScheduler(C, B, Out[N], Limit, Choice).run();
}

} // namespace heddle::registers
