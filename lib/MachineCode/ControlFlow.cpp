//===- ControlFlow.cpp - Dominators and loops of a PTX kernel -------------===//

#include "ControlFlow.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

namespace {

constexpr unsigned None = ~0u;

} // namespace

ControlFlow::ControlFlow(const ptx::Kernel &PTX) {
  order(PTX);
  findDominators();
  findLoops();
}

void ControlFlow::order(const ptx::Kernel &PTX) {
  const size_t NumBlocks = PTX.Blocks.size();
  Positions.assign(NumBlocks, None);
  Above.assign(NumBlocks, None);
  Predecessors.resize(NumBlocks);
  BitVector Seen(NumBlocks);
  std::vector<std::pair<unsigned, unsigned>> Work; ///< block, next successor
  if (NumBlocks) {
    Work.push_back({0, 0});
    Seen.set(0);
  }
  while (!Work.empty()) {
    auto &[N, Next] = Work.back();
    const auto &Successors = PTX.Blocks[N].Successors;
    if (Next == Successors.size()) {
      Order.push_back(N);
      Work.pop_back();
      continue;
    }
    const unsigned S = Successors[Next++];
    Predecessors[S].push_back(N);
    if (!Seen[S]) {
      Seen.set(S);
      Work.push_back({S, 0});
    }
  }
  std::reverse(Order.begin(), Order.end());
  for (auto [Position, N] : enumerate(Order))
    Positions[N] = Position;
}

/// The last block that dominates both.
unsigned ControlFlow::common(unsigned A, unsigned B) const {
  while (A != B) {
    while (Positions[A] > Positions[B])
      A = Above[A];
    while (Positions[B] > Positions[A])
      B = Above[B];
  }
  return A;
}

/// Cooper, Harvey, Kennedy: A Simple, Fast Dominance Algorithm (2001).
void ControlFlow::findDominators() {
  if (Order.empty())
    return;
  Above[Order[0]] = Order[0];
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (unsigned N : drop_begin(Order)) {
      unsigned New = None;
      for (unsigned P : Predecessors[N])
        if (Above[P] != None)
          New = New == None ? P : common(P, New);
      Changed |= Above[N] != New;
      Above[N] = New;
    }
  }
}

bool ControlFlow::dominates(unsigned Over, unsigned N) const {
  if (Above[N] == None || Above[Over] == None)
    return false;
  while (Positions[N] > Positions[Over])
    N = Above[N];
  return N == Over;
}

/// Loops with one header are one loop.
void ControlFlow::findLoops() {
  for (unsigned Header : Order) {
    Loop L = {BitVector(Above.size()), Header};
    SmallVector<unsigned, 8> Work;
    for (unsigned P : Predecessors[Header])
      if (dominates(Header, P))
        Work.push_back(P);
    if (Work.empty())
      continue;
    L.Blocks.set(Header);
    while (!Work.empty()) {
      const unsigned N = Work.pop_back_val();
      if (L.Blocks[N])
        continue;
      L.Blocks.set(N);
      append_range(Work, Predecessors[N]);
    }
    Loops.push_back(std::move(L));
  }
}

/// The only block outside \p L that leads into it.
unsigned ControlFlow::entryOf(const Loop &L) const {
  unsigned Entry = None;
  for (unsigned P : Predecessors[L.Header])
    if (!L.Blocks[P]) {
      if (Entry != None && Entry != P)
        return None;
      Entry = P;
    }
  return Entry;
}

unsigned ControlFlow::inFrontOfLoops(unsigned N, unsigned Without) const {
  // Headers of outer loops come first.
  for (const Loop &L : Loops)
    if (L.Blocks[N] && !L.Blocks[Without])
      if (const unsigned Entry = entryOf(L); Entry != None)
        return Entry;
  return N;
}

} // namespace heddle::machine
