//===- RegisterSchedule.cpp - The order that the allocator meets ----------===//

#include "ScheduleGraph.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <climits>
#include <optional>

using namespace llvm;

namespace heddle::registers {

namespace {
/// Numbers that grow by ranges, and how far they stay within a bound.
class RangeMax {
public:
  explicit RangeMax(llvm::ArrayRef<unsigned> Values);
  /// Adds \p Amount to [\p First, \p Last].
  void add(size_t First, size_t Last, int Amount) {
    add(1, 0, Size, First, Last + 1, Amount);
  }
  /// The first from \p First on that is above \p Bound, or the end.
  size_t firstAbove(size_t First, int Bound) const {
    return firstAbove(1, 0, Size, First, Bound);
  }

private:
  struct Node {
    int Most = 0; ///< below it, with its own Added
    int Added = 0;
  };
  void add(size_t N, size_t Begin, size_t End, size_t First, size_t Last,
           int Amount);
  size_t firstAbove(size_t N, size_t Begin, size_t End, size_t First,
                    int Bound) const;

  size_t Size = 1;
  std::vector<Node> Nodes;
};

/// Follows a block that is scheduled from an order of few registers: what goes
/// before its turn keeps its results alive until then, and may do so only where
/// no more than the limit live in between. So the limit is passed only where
/// that order passes it.
class RegisterBudget {
public:
  RegisterBudget(const Code &C, const OpBlock &B, const ScheduleGraph &G,
                 const llvm::BitVector &LiveOut, unsigned Limit);
  /// Whether \p N, after which \p Growth more registers live, may go now.
  bool allows(unsigned N, int Growth);
  void issue(unsigned N);
  /// Where \p N stands in that order if it goes through the loads by address.
  std::optional<unsigned> turnByAddress(unsigned N) const {
    return IsByAddress ? std::optional(Turns[N]) : std::nullopt;
  }

private:
  RegisterBudget(const Code &C, const OpBlock &B, FewRegistersOrder Few,
                 const llvm::BitVector &LiveOut, unsigned Limit);

  /// One write of a value, or what it held before the block.
  struct Version {
    unsigned Value = 0;
    bool LivesOut = false;
    llvm::SmallVector<unsigned, 4> Users;
  };
  void findVersions();
  void release(const Version &V, unsigned N);

  const Code &C;
  const OpBlock &B;
  llvm::BitVector LiveOut;
  int Limit;
  bool IsByAddress;
  std::vector<unsigned> Order, Turns; ///< Turns: places in Order
  RangeMax Live;                      ///< registers before each turn
  std::vector<Version> Versions;
  std::vector<llvm::SmallVector<unsigned, 4>> Reads; ///< versions
  llvm::BitVector Issued;
  size_t Front = 0; ///< the first in Order that has not gone
  /// By growth, the first turn that is too late for it now: one answer for all
  /// that are ready.
  llvm::SmallDenseMap<int, size_t, 8> Reach;
};
} // namespace

RangeMax::RangeMax(ArrayRef<unsigned> Values)
    : Size(PowerOf2Ceil(std::max<size_t>(Values.size(), 1))), Nodes(2 * Size) {
  for (auto [I, V] : enumerate(Values))
    Nodes[Size + I].Most = int(V);
  for (size_t N = Size; N-- > 1;)
    Nodes[N].Most = std::max(Nodes[2 * N].Most, Nodes[2 * N + 1].Most);
}

void RangeMax::add(size_t N, size_t Begin, size_t End, size_t First,
                   size_t Last, int Amount) {
  if (Last <= Begin || End <= First)
    return;
  if (First <= Begin && End <= Last) {
    Nodes[N].Most += Amount;
    Nodes[N].Added += Amount;
    return;
  }
  const size_t Middle = (Begin + End) / 2;
  add(2 * N, Begin, Middle, First, Last, Amount);
  add(2 * N + 1, Middle, End, First, Last, Amount);
  Nodes[N].Most =
      std::max(Nodes[2 * N].Most, Nodes[2 * N + 1].Most) + Nodes[N].Added;
}

size_t RangeMax::firstAbove(size_t N, size_t Begin, size_t End, size_t First,
                            int Bound) const {
  if (End <= First || Nodes[N].Most <= Bound)
    return Size;
  if (End - Begin == 1)
    return Begin;
  const size_t Middle = (Begin + End) / 2;
  Bound -= Nodes[N].Added;
  const size_t Found = firstAbove(2 * N, Begin, Middle, First, Bound);
  return Found != Size ? Found
                       : firstAbove(2 * N + 1, Middle, End, First, Bound);
}

RegisterBudget::RegisterBudget(const Code &C, const OpBlock &B,
                               const ScheduleGraph &G, const BitVector &LiveOut,
                               unsigned Limit)
    : RegisterBudget(C, B, orderOfFewRegisters(C, B, G, LiveOut, Limit),
                     LiveOut, Limit) {}

RegisterBudget::RegisterBudget(const Code &C, const OpBlock &B,
                               FewRegistersOrder Few, const BitVector &LiveOut,
                               unsigned Limit)
    : C(C), B(B), LiveOut(LiveOut), Limit(int(Limit)),
      IsByAddress(Few.IsByAddress), Order(std::move(Few.Order)),
      Turns(Order.size()), Live(liveWidths(C, B, Order, LiveOut)),
      Reads(Order.size()), Issued(Order.size()) {
  for (auto [Turn, N] : enumerate(Order))
    Turns[N] = Turn;
  findVersions();
}

void RegisterBudget::findVersions() {
  DenseMap<unsigned, unsigned> Now;
  auto Read = [&](unsigned N, unsigned V) {
    auto [It, New] = Now.try_emplace(V, Versions.size());
    if (New)
      Versions.push_back({V, false, {}});
    if (!is_contained(Reads[N], It->second)) {
      Reads[N].push_back(It->second);
      Versions[It->second].Users.push_back(N);
    }
  };
  for (auto [N, O] : enumerate(B.Ops)) {
    for (unsigned V : O.Uses)
      Read(N, V);
    for (unsigned V : O.Defs) {
      if (O.Guarded)
        Read(N, V);
      Now[V] = Versions.size();
      Versions.push_back({V, false, {}});
    }
  }
  for (auto [V, Last] : Now)
    Versions[Last].LivesOut = LiveOut[V];
}

bool RegisterBudget::allows(unsigned N, int Growth) {
  if (Growth <= 0 || Turns[N] == Front)
    return true;
  const auto [It, New] = Reach.try_emplace(Growth);
  if (New)
    It->second = Live.firstAbove(Front, Limit - Growth);
  return Turns[N] < It->second;
}

/// \p N reads \p V earlier than at its turn: it may have been the last.
void RegisterBudget::release(const Version &V, unsigned N) {
  if (V.LivesOut)
    return;
  size_t From = Front;
  for (unsigned User : V.Users)
    if (User != N && !Issued[User])
      From = std::max<size_t>(From, Turns[User] + 1);
  if (From <= Turns[N])
    Live.add(From, Turns[N], -int(C.Widths[V.Value]));
}

void RegisterBudget::issue(unsigned N) {
  Issued.set(N);
  Reach.clear();
  if (Turns[N] != Front) {
    for (unsigned Version : Reads[N])
      release(Versions[Version], N);
    for (unsigned V : B.Ops[N].Defs)
      Live.add(Front, Turns[N], int(C.Widths[V]));
    return;
  }
  while (Front != Order.size() && Issued[Order[Front]])
    ++Front;
}

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
  unsigned urgency(unsigned N, unsigned At, unsigned Cycle);
  size_t mostUrgent(unsigned Cycle, bool TakesAny, unsigned &BestAt);
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

/// Whether \p A has the longer way to the end of the block. Sums of a window
/// that share rows all have the same way: those of nvcc 12.4 go row by row, and
/// what comes before its turn only fills the latency of loads.
bool BlockScheduler::isBefore(unsigned A, unsigned B) const {
  if (Budget)
    if (const auto Turn = Budget->turnByAddress(A))
      return *Turn < *Budget->turnByAddress(B);
  const unsigned HeightA = Graph.Nodes[A].Height,
                 HeightB = Graph.Nodes[B].Height;
  return HeightA != HeightB ? HeightA > HeightB : A < B;
}

/// How soon \p N should go that may start at \p At: first what has waited for a
/// load of global memory and frees registers, then what leads to the next such
/// load, if it may start within the latency of arithmetic. ptxas 11.8 keeps
/// what does not lead there for the time that the load takes.
unsigned BlockScheduler::urgency(unsigned N, unsigned At, unsigned Cycle) {
  const ScheduleGraph::Node &Node = Graph.Nodes[N];
  if (At == Cycle && Node.ReadsSlow && growth(N) < 0)
    return -1u;
  return At <= Cycle + ArithmeticCycles ? Node.SlowLoads : 0;
}

/// The most urgent of what the budget allows, else what may start first, and
/// when; of what leads to no load only what takes no registers, unless
/// \p TakesAny.
size_t BlockScheduler::mostUrgent(unsigned Cycle, bool TakesAny,
                                  unsigned &BestAt) {
  size_t Best = Ready.size();
  unsigned BestUrgency = 0;
  for (auto [I, N] : enumerate(Ready)) {
    const unsigned At = std::max(Cycle, ReadyAt[N]);
    const unsigned Urgency = urgency(N, At, Cycle);
    if (Best != Ready.size() &&
        (Urgency < BestUrgency ||
         (Urgency == BestUrgency &&
          (At > BestAt || (At == BestAt && !isBefore(N, Ready[Best]))))))
      continue;
    const int Growth = growth(N);
    if ((!TakesAny && !Urgency && Growth > 0) || !Budget->allows(N, Growth))
      continue;
    Best = I;
    BestAt = At;
    BestUrgency = Urgency;
  }
  return Best;
}

/// What goes next. Where the budget holds a load back, what leads to none takes
/// no registers either, as far as anything else is left.
size_t BlockScheduler::pickWithin(unsigned &Cycle) {
  const bool HoldsLoad = any_of(Ready, [&](unsigned N) {
    return urgency(N, std::max(Cycle, ReadyAt[N]), Cycle) &&
           !Budget->allows(N, growth(N));
  });
  unsigned At = Cycle;
  size_t Best = mostUrgent(Cycle, !HoldsLoad, At);
  if (Best == Ready.size())
    Best = mostUrgent(Cycle, true, At);
  Cycle = At;
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
