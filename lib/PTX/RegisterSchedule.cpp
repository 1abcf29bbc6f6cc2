//===- RegisterSchedule.cpp - The order that the allocator meets ----------===//

#include "RegisterBudget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <algorithm>
#include <optional>

using namespace llvm;

namespace heddle::registers {

namespace {

/// Blocks beyond this keep their order: choosing takes quadratic time.
constexpr size_t MaxScheduledOps = 16384;

/// Cycles between two accesses of one warp to memory.
constexpr unsigned AccessCycles = 2;

/// List scheduling of one block: of the instructions whose operands are there,
/// the one with the longest way to the end of the block goes first.
class BlockScheduler {
public:
  BlockScheduler(const Code &C, OpBlock &B, BitVector LiveOut, unsigned Limit,
                 UnderPressure Choice)
      : C(C), B(B), LiveOut(std::move(LiveOut)), Limit(Limit), Graph(B),
        ReadyAt(B.Ops.size()) {
    if (Choice == UnderPressure::FewRegisters)
      Budget.emplace(C, B, Graph, this->LiveOut, Limit);
  }
  void run();

private:
  void findLive();
  /// How much more lives after \p N than before.
  int growth(unsigned N);
  void setLive(unsigned V, bool Lives);
  bool isBefore(unsigned A, unsigned B) const;
  size_t pickWithin(unsigned &Cycle);
  size_t pick(unsigned &Cycle);
  void issue(unsigned N, unsigned &Cycle);

  const Code &C;
  OpBlock &B;
  BitVector LiveOut;
  unsigned Limit;
  ScheduleGraph Graph;
  std::optional<RegisterBudget> Budget;
  std::vector<unsigned> ReadyAt; ///< cycle, by instruction
  std::vector<unsigned> Ready;
  BitVector Live;
  unsigned LiveWidth = 0;
  DenseMap<unsigned, unsigned> UsesLeft; ///< of values in the block
};

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

/// Whether \p A has the longer way to the end of the block.
bool BlockScheduler::isBefore(unsigned A, unsigned B) const {
  const unsigned HeightA = Graph.Nodes[A].Height,
                 HeightB = Graph.Nodes[B].Height;
  return HeightA != HeightB ? HeightA > HeightB : A < B;
}

/// Of what the budget allows, what may start first.
size_t BlockScheduler::pickWithin(unsigned &Cycle) {
  size_t Best = Ready.size();
  unsigned BestAt = 0;
  for (auto [I, N] : enumerate(Ready)) {
    const unsigned At = std::max(Cycle, ReadyAt[N]);
    if (Best != Ready.size() &&
        (At > BestAt || (At == BestAt && !isBefore(N, Ready[Best]))))
      continue;
    if (Budget->allows(N, growth(N))) {
      Best = I;
      BestAt = At;
    }
  }
  Cycle = BestAt;
  return Best;
}

size_t BlockScheduler::pick(unsigned &Cycle) {
  for (;;) {
    size_t Best = Ready.size();
    unsigned Soonest = -1;
    for (auto [I, N] : enumerate(Ready)) {
      Soonest = std::min(Soonest, ReadyAt[N]);
      if (ReadyAt[N] > Cycle ||
          (Best != Ready.size() && !isBefore(N, Ready[Best])))
        continue;
      const int Growth = growth(N);
      if (Growth <= 0 || LiveWidth + Growth <= Limit)
        Best = I;
    }
    if (Best != Ready.size())
      return Best;
    if (Soonest > Cycle) {
      Cycle = Soonest;
      continue;
    }
    // All that may start need registers, unless something that frees some
    // comes later.
    unsigned Later = -1;
    for (unsigned N : Ready)
      if (ReadyAt[N] > Cycle && growth(N) <= 0)
        Later = std::min(Later, ReadyAt[N]);
    if (Later != -1u) {
      Cycle = Later;
      continue;
    }
    Best = min_element(Ready) - Ready.begin();
    Cycle = std::max(Cycle, ReadyAt[Ready[Best]]);
    return Best;
  }
}

void BlockScheduler::issue(unsigned N, unsigned &Cycle) {
  const Op &O = B.Ops[N];
  for (unsigned V : O.Uses)
    if (--UsesLeft[V] == 0 && !LiveOut[V])
      setLive(V, false);
  for (unsigned V : O.Defs)
    setLive(V, UsesLeft[V] || LiveOut[V]);
  if (Budget)
    Budget->issue(N);
  for (const ScheduleGraph::Edge &E : Graph.Nodes[N].Followers) {
    ReadyAt[E.To] = std::max(ReadyAt[E.To], Cycle + E.Cycles);
    if (--Graph.Nodes[E.To].NumWaited == 0)
      Ready.push_back(E.To);
  }
  Cycle += O.Kind == OpKind::Plain ? 1 : AccessCycles;
}

void BlockScheduler::run() {
  findLive();
  for (auto [N, Node] : enumerate(Graph.Nodes))
    if (!Node.NumWaited)
      Ready.push_back(N);
  std::vector<Op> Order;
  Order.reserve(B.Ops.size());
  for (unsigned Cycle = 0; !Ready.empty();) {
    const size_t At = Budget ? pickWithin(Cycle) : pick(Cycle);
    const unsigned N = Ready[At];
    Ready.erase(Ready.begin() + At);
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
