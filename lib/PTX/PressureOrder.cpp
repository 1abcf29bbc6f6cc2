//===- PressureOrder.cpp - Orders that keep few values alive --------------===//

#include "ScheduleGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <tuple>

using namespace llvm;

namespace heddle::registers {

namespace {

/// Orders a block from its end: what goes next stands before all that went.
class BottomUp {
public:
  BottomUp(const Code &C, const OpBlock &B, const ScheduleGraph &G,
           const BitVector &LiveOut)
      : C(C), B(B), Live(LiveOut), BecameLive(C.Widths.size()),
        Before(B.Ops.size()), NumBehind(B.Ops.size()) {
    for (auto [From, Node] : enumerate(G.Nodes)) {
      NumBehind[From] = Node.Followers.size();
      for (const ScheduleGraph::Edge &E : Node.Followers)
        Before[E.To].push_back(From);
    }
  }

  /// With \p DepthFirst what was read last is written next; without it what
  /// leaves the fewest values alive goes next.
  std::vector<unsigned> run(bool DepthFirst);

private:
  using Rank = std::tuple<int, int, unsigned>;

  /// How much more lives before \p N than behind it.
  int growth(unsigned N) const;
  Rank rank(unsigned N, bool DepthFirst) const;
  void place(unsigned N);

  const Code &C;
  const OpBlock &B;
  BitVector Live;
  std::vector<unsigned> BecameLive; ///< step, by value
  std::vector<SmallVector<unsigned, 4>> Before;
  std::vector<unsigned> NumBehind;
  unsigned Step = 0;
};

int BottomUp::growth(unsigned N) const {
  const Op &O = B.Ops[N];
  int Growth = 0;
  for (auto [I, V] : enumerate(O.Uses))
    if (!Live[V] && !is_contained(ArrayRef(O.Uses).take_front(I), V))
      Growth += C.Widths[V];
  for (unsigned V : O.Defs)
    if (Live[V] && !O.Guarded && !is_contained(O.Uses, V))
      Growth -= C.Widths[V];
  return Growth;
}

BottomUp::Rank BottomUp::rank(unsigned N, bool DepthFirst) const {
  const int Growth = growth(N);
  unsigned Recent = 0;
  for (unsigned V : B.Ops[N].Defs)
    Recent = std::max(Recent, BecameLive[V]);
  if (DepthFirst)
    return {Growth < 0 ? -Growth : 0, int(Recent), N};
  return {-Growth, int(Recent), N};
}

void BottomUp::place(unsigned N) {
  ++Step;
  const Op &O = B.Ops[N];
  if (!O.Guarded)
    for (unsigned V : O.Defs)
      Live.reset(V);
  for (unsigned V : O.Uses)
    if (!Live[V]) {
      Live.set(V);
      BecameLive[V] = Step;
    }
}

std::vector<unsigned> BottomUp::run(bool DepthFirst) {
  std::vector<unsigned> Order, Ready;
  for (auto [N, Count] : enumerate(NumBehind))
    if (!Count)
      Ready.push_back(N);
  while (!Ready.empty()) {
    auto Best = Ready.begin();
    Rank Highest = rank(*Best, DepthFirst);
    for (auto It = Ready.begin() + 1; It != Ready.end(); ++It)
      if (const Rank R = rank(*It, DepthFirst); R > Highest) {
        Best = It;
        Highest = R;
      }
    const unsigned N = *Best;
    *Best = Ready.back();
    Ready.pop_back();
    place(N);
    for (unsigned P : Before[N])
      if (--NumBehind[P] == 0)
        Ready.push_back(P);
    Order.push_back(N);
  }
  std::reverse(Order.begin(), Order.end());
  return Order;
}

} // namespace

std::vector<unsigned> liveWidths(const Code &C, const OpBlock &B,
                                 ArrayRef<unsigned> Order,
                                 const BitVector &LiveOut) {
  BitVector Live = LiveOut;
  unsigned Width = 0;
  for (unsigned V : Live.set_bits())
    Width += C.Widths[V];
  std::vector<unsigned> Out(Order.size() + 1, Width);
  for (size_t At = Order.size(); At-- != 0;) {
    const Op &O = B.Ops[Order[At]];
    if (!O.Guarded)
      for (unsigned V : O.Defs)
        if (Live[V]) {
          Live.reset(V);
          Width -= C.Widths[V];
        }
    for (unsigned V : O.Uses)
      if (!Live[V]) {
        Live.set(V);
        Width += C.Widths[V];
      }
    Out[At] = Width;
  }
  return Out;
}

std::vector<unsigned> orderOfFewRegisters(const Code &C, const OpBlock &B,
                                          const ScheduleGraph &G,
                                          const BitVector &LiveOut) {
  auto Most = [&](ArrayRef<unsigned> Order) {
    const std::vector<unsigned> Widths = liveWidths(C, B, Order, LiveOut);
    return *std::max_element(Widths.begin(), Widths.end());
  };
  std::vector<unsigned> Best(B.Ops.size());
  std::iota(Best.begin(), Best.end(), 0);
  unsigned Fewest = Most(Best);
  for (bool DepthFirst : {false, true}) {
    std::vector<unsigned> Order = BottomUp(C, B, G, LiveOut).run(DepthFirst);
    if (const unsigned Width = Most(Order); Width < Fewest) {
      Fewest = Width;
      Best = std::move(Order);
    }
  }
  return Best;
}

} // namespace heddle::registers
