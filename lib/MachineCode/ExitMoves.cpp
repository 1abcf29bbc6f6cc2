//===- ExitMoves.cpp - Moves for what follows a loop, behind it -----------===//

#include "MachineInst.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

namespace {

/// A loop of two blocks, either of which leaves it to the same place.
struct Ring {
  Block *Head, *Latch, *Exit;
};

} // namespace

static bool isMove(const Inst &I) {
  return !I.Guard && !I.Partial && !I.IsAccess && I.Defs.size() == 1 &&
         (I.IsCopy || (I.Name == "MOV" && I.Uses.empty()));
}

static bool touches(const Inst &I, Value V) {
  return I.Guard == V || is_contained(I.Uses, V) || is_contained(I.Defs, V);
}

/// The move to \p V in \p B whose operands hold until the end of \p B; the end
/// if something else reads or writes \p V there.
static std::vector<Inst>::iterator lastMove(Block &B, Value V) {
  const auto End = B.Insts.end();
  auto Move = find_if(B.Insts, [&](const Inst &I) { return touches(I, V); });
  if (Move == End || !isMove(*Move) || Move->Defs[0] != V)
    return End;
  for (const Inst &I : make_range(std::next(Move), End))
    if (touches(I, V) ||
        any_of(Move->Uses, [&](Value U) { return is_contained(I.Defs, U); }))
      return End;
  return Move;
}

/// The ring that begins at block \p Number; its Head is null if there is none.
static Ring ringAt(Code &C, ArrayRef<unsigned> Predecessors, unsigned Number) {
  Block &Head = C.Blocks[Number];
  if (Head.Removed || Head.Successors.size() != 2 || Head.endsInIndexedJump())
    return {};
  for (unsigned Side : {0, 1}) {
    const unsigned L = Head.Successors[Side], E = Head.Successors[1 - Side];
    Block &Latch = C.Blocks[L], &Exit = C.Blocks[E];
    if (L != Number && E != Number && L != E && Predecessors[L] == 1 &&
        Predecessors[E] == 2 && !Exit.Shared && Latch.Successors.size() == 2 &&
        is_contained(Latch.Successors, Number) &&
        is_contained(Latch.Successors, E))
      return {&Head, &Latch, &Exit};
  }
  return {};
}

/// Puts the moves to \p V in front of the exit: that of the latch, then that of
/// the head for the lanes that left there. Their registers are as they were
/// when they left.
static void sink(const Ring &R, Value V) {
  const auto OfHead = lastMove(*R.Head, V), OfLatch = lastMove(*R.Latch, V);
  if (OfHead == R.Head->Insts.end() || OfLatch == R.Latch->Insts.end())
    return;
  Inst Moves[] = {std::move(*OfLatch), std::move(*OfHead)};
  R.Latch->Insts.erase(OfLatch);
  R.Head->Insts.erase(OfHead);
  Moves[1].Guard = R.Head->Condition;
  Moves[1].Partial = true;
  for (Inst &I : Moves)
    I.Step = 0;
  R.Exit->Insts.insert(R.Exit->Insts.begin(), std::begin(Moves),
                       std::end(Moves));
}

void sinkExitMoves(Code &C) {
  std::vector<unsigned> Predecessors(C.Blocks.size());
  for (const Block &B : C.Blocks)
    if (!B.Removed)
      for (unsigned S : B.Successors)
        ++Predecessors[S];
  for (unsigned N = 0; N != C.Blocks.size(); ++N) {
    const Ring R = ringAt(C, Predecessors, N);
    if (!R.Head)
      continue;
    SmallVector<Value, 4> Moved;
    for (const Inst &I : R.Latch->Insts)
      if (isMove(I))
        Moved.push_back(I.Defs[0]);
    for (Value V : Moved)
      sink(R, V);
  }
}

} // namespace heddle::machine
