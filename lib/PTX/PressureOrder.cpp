//===- PressureOrder.cpp - Orders that keep few values alive --------------===//

#include "ScheduleGraph.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <set>
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

/// Orders a block from its start: what takes no register goes first, else the
/// next load by its address. Sums over a window whose rows several of them
/// share then go row by row, and no row has to wait for its last reader.
class ByAddress {
public:
  ByAddress(const Code &C, const OpBlock &B, const ScheduleGraph &G,
            const BitVector &LiveOut)
      : C(C), B(B), G(G), LiveOut(LiveOut), Readers(C.Widths.size()),
        NumWaited(B.Ops.size()) {
    for (auto [N, O] : enumerate(B.Ops)) {
      NumWaited[N] = G.Nodes[N].NumWaited;
      for (unsigned V : O.Uses)
        ++Readers[V];
    }
  }

  std::vector<unsigned> run();

private:
  int growth(const Op &O) const;
  void makeReady(unsigned N);
  unsigned next();
  void place(unsigned N);

  const Code &C;
  const OpBlock &B;
  const ScheduleGraph &G;
  const BitVector &LiveOut;
  std::vector<unsigned> Readers; ///< to come, by value
  std::vector<unsigned> NumWaited;
  std::set<std::tuple<unsigned, uint64_t, unsigned>> Loads; ///< ready
  std::vector<unsigned> Others;                             ///< ready
};

/// How much more lives behind \p O than before.
int ByAddress::growth(const Op &O) const {
  int Growth = 0;
  for (unsigned V : O.Defs)
    if (!is_contained(O.Uses, V))
      Growth += C.Widths[V];
  for (auto [I, V] : enumerate(O.Uses))
    if (!is_contained(ArrayRef(O.Uses).take_front(I), V) && !LiveOut[V] &&
        !is_contained(O.Defs, V) && Readers[V] == llvm::count(O.Uses, V))
      Growth -= C.Widths[V];
  return Growth;
}

void ByAddress::makeReady(unsigned N) {
  const Op &O = B.Ops[N];
  if (O.Kind == OpKind::Load || O.Kind == OpKind::Read)
    Loads.insert({O.Base, O.Offset, N});
  else
    Others.push_back(N);
}

unsigned ByAddress::next() {
  auto Best = Others.end();
  int Least = 0;
  for (auto It = Others.begin(); It != Others.end(); ++It) {
    const int Growth = growth(B.Ops[*It]);
    if ((Growth <= 0 || Loads.empty()) &&
        (Best == Others.end() ||
         std::tie(Growth, *It) < std::tie(Least, *Best))) {
      Best = It;
      Least = Growth;
    }
  }
  if (Best == Others.end())
    return std::get<2>(Loads.extract(Loads.begin()).value());
  const unsigned N = *Best;
  Others.erase(Best);
  return N;
}

void ByAddress::place(unsigned N) {
  for (unsigned V : B.Ops[N].Uses)
    --Readers[V];
  for (const ScheduleGraph::Edge &E : G.Nodes[N].Followers)
    if (--NumWaited[E.To] == 0)
      makeReady(E.To);
}

std::vector<unsigned> ByAddress::run() {
  for (auto [N, Count] : enumerate(NumWaited))
    if (!Count)
      makeReady(N);
  std::vector<unsigned> Order;
  while (!Loads.empty() || !Others.empty()) {
    Order.push_back(next());
    place(Order.back());
  }
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

FewRegistersOrder orderOfFewRegisters(const Code &C, const OpBlock &B,
                                      const ScheduleGraph &G,
                                      const BitVector &LiveOut,
                                      unsigned Limit) {
  auto Most = [&](ArrayRef<unsigned> Order) {
    const std::vector<unsigned> Widths = liveWidths(C, B, Order, LiveOut);
    return *std::max_element(Widths.begin(), Widths.end());
  };
  std::vector<unsigned> Best(B.Ops.size());
  std::iota(Best.begin(), Best.end(), 0);
  unsigned Fewest = Most(Best);
  auto Try = [&](std::vector<unsigned> Order) {
    const unsigned Width = Most(Order);
    if (Width >= Fewest)
      return false;
    Fewest = Width;
    Best = std::move(Order);
    return true;
  };
  for (bool DepthFirst : {false, true})
    Try(BottomUp(C, B, G, LiveOut).run(DepthFirst));
  const bool IsByAddress =
      Fewest > Limit && Try(ByAddress(C, B, G, LiveOut).run());
  return {std::move(Best), IsByAddress};
}

} // namespace heddle::registers
