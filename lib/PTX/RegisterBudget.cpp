//===- RegisterBudget.cpp - What may go early within a limit --------------===//

#include "RegisterBudget.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <climits>

using namespace llvm;

namespace heddle::registers {

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

int RangeMax::max(size_t N, size_t Begin, size_t End, size_t First,
                  size_t Last) const {
  if (Last <= Begin || End <= First)
    return INT_MIN / 2;
  if (First <= Begin && End <= Last)
    return Nodes[N].Most;
  const size_t Middle = (Begin + End) / 2;
  return std::max(max(2 * N, Begin, Middle, First, Last),
                  max(2 * N + 1, Middle, End, First, Last)) +
         Nodes[N].Added;
}

RegisterBudget::RegisterBudget(const Code &C, const OpBlock &B,
                               const ScheduleGraph &G, const BitVector &LiveOut,
                               unsigned Limit)
    : C(C), B(B), LiveOut(LiveOut), Limit(int(Limit)),
      Order(orderOfFewRegisters(C, B, G, LiveOut)), Turns(Order.size()),
      Live(liveWidths(C, B, Order, LiveOut)), Reads(Order.size()),
      Issued(Order.size()) {
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

bool RegisterBudget::allows(unsigned N, int Growth) const {
  return Growth <= 0 || Turns[N] == Front ||
         Live.max(Front, Turns[N]) + Growth <= Limit;
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

} // namespace heddle::registers
