//===- Reconvergence.cpp - Where the lanes of a warp part and meet --------===//

#include "Reconvergence.h"

#include "llvm/IR/CFG.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

Reconvergence::Reconvergence(Function &F) : F(F), DT(F), Policy(F) {
  Cycles.compute(F);
  unsigned N = 0;
  for (BasicBlock &B : F) {
    if (isa<ReturnInst>(B.getTerminator()))
      Returns.push_back(N);
    Index[&B] = N++;
  }
}

BitVector Reconvergence::reach(BasicBlock *From, BasicBlock *Avoid) const {
  BitVector Seen(Index.size());
  SmallVector<BasicBlock *> Work;
  auto visit = [&](BasicBlock *B) {
    if (B != Avoid && !Seen[index(B)]) {
      Seen.set(index(B));
      Work.push_back(B);
    }
  };
  visit(From);
  while (!Work.empty())
    for (BasicBlock *S : successors(Work.pop_back_val()))
      visit(S);
  return Seen;
}

BitVector Reconvergence::reaching(BasicBlock *To, BasicBlock *Avoid) const {
  BitVector Seen(Index.size());
  SmallVector<BasicBlock *> Work = {To};
  Seen.set(index(To));
  while (!Work.empty())
    for (BasicBlock *P : predecessors(Work.pop_back_val()))
      if (P != Avoid && !Seen[index(P)]) {
        Seen.set(index(P));
        Work.push_back(P);
      }
  return Seen;
}

bool Reconvergence::addDivergent(BasicBlock *B) {
  auto &Slot = Branches[B];
  if (Slot)
    return false;
  auto *Br = cast<BranchInst>(B->getTerminator());
  const int Leaving = Policy.leavingSide(B);
  auto *Join =
      Leaving >= 0 ? nullptr : const_cast<BasicBlock *>(Policy.join(B));
  const bool Inverted = Leaving == 1;
  BasicBlock *True = Br->getSuccessor(Inverted);
  BasicBlock *False = Br->getSuccessor(!Inverted);
  Slot = std::make_unique<DivergentBranch>(DivergentBranch{
      B, True, False, Join, Inverted, reach(True, Join), reach(False, Join)});
  return true;
}

/// Puts branches that can part while another one's FALSE side waits after that
/// one. A cycle among them, or one with itself, has no such order.
void Reconvergence::orderWaiting(JoinGroup &G) {
  SmallVector<DivergentBranch *> Left;
  for (DivergentBranch *B : G.Branches)
    if (B->falseWaits())
      Left.push_back(B);
  while (!Left.empty()) {
    auto Next = find_if(Left, [&](DivergentBranch *Candidate) {
      return none_of(Left, [&](DivergentBranch *Other) {
        return Other->TrueReach[index(Candidate->Block)];
      });
    });
    if (Next == Left.end()) {
      G.NeedsStack = true;
      G.Waiting.append(Left.begin(), Left.end());
      return;
    }
    G.Waiting.push_back(*Next);
    Left.erase(Next);
  }
}

/// Blocks that can run again, by way of \p B, while the other lanes of \p B
/// still wait where the values of the blocks are in scope. (Where the waiting
/// block lies outside the loop, an LCSSA phi has caught the values on the
/// edge.)
void Reconvergence::findOverruns(const DivergentBranch &B) {
  for (const Cycle *C = Cycles.getCycle(B.Block); C; C = C->getParentCycle())
    if (!C->isReducible())
      for (const BasicBlock *Inside : C->blocks())
        Overrun.insert(Inside);

  BitVector Again = B.TrueReach;
  Again |= B.FalseReach;
  if (!Again[index(B.Block)])
    return;
  Again &= reaching(B.Block, B.Join);
  bool FalseSide = B.falseWaits() && B.TrueReach[index(B.Block)];
  for (const BasicBlock &X : F) {
    const Cycle *C = Again[index(&X)] ? Cycles.getCycle(&X) : nullptr;
    if (C && ((B.Join && C->contains(B.Join)) ||
              (FalseSide && C->contains(B.False))))
      Overrun.insert(&X);
  }
}

/// The phis of both successors are written when lanes part. Where a successor
/// is the head of a loop around the branch, the lanes of the other side may
/// still read the values of this round.
void Reconvergence::findEarlyWrites(const DivergentBranch &B) {
  auto check = [&](const BasicBlock *Written, const BasicBlock *Reader) {
    const Cycle *C = Cycles.getCycle(Written);
    if (C && Reader && DT.dominates(Written, B.Block) && C->contains(Reader))
      Mixed.insert(Written);
  };
  check(B.True, B.falseWaits() ? B.False : B.Join);
  check(B.False, B.falseWaits() ? B.True : B.Join);
}

void Reconvergence::update() {
  Groups.clear();
  Mixed.clear();
  Overrun.clear();
  for (auto &[Block, B] : Branches) {
    JoinGroup &G = Groups[B->Join];
    if (G.Region.empty())
      G.Region.resize(Index.size());
    G.Branches.push_back(B.get());
    G.Region |= B->TrueReach;
    G.Region |= B->FalseReach;
    G.Region.set(index(Block));
    if (B->Join)
      Mixed.insert(B->Join);
    if (B->falseWaits() && B->TrueReach[index(B->False)])
      Mixed.insert(B->False);

    findOverruns(*B);
    findEarlyWrites(*B);
  }
  for (auto &[Join, G] : Groups)
    orderWaiting(G);
}

bool Reconvergence::leavesBefore(BasicBlock *Join) const {
  const JoinGroup *G = group(Join);
  return G && any_of(Returns, [&](unsigned B) { return G->Region[B]; });
}

SmallVector<BasicBlock *, 4>
Reconvergence::joinsBehind(const BasicBlock *Return) const {
  SmallVector<BasicBlock *, 4> Result;
  for (const auto &[Join, G] : Groups)
    if (Join && G.Region[index(Return)])
      Result.push_back(Join);
  stable_sort(Result, [&](const BasicBlock *A, const BasicBlock *B) {
    return Policy.depth(A) > Policy.depth(B);
  });
  return Result;
}

SmallVector<const DivergentBranch *, 4>
Reconvergence::waiting(const JoinGroup &G, const BasicBlock *From) const {
  SmallVector<const DivergentBranch *, 4> Result;
  for (const DivergentBranch *B : G.Waiting)
    if (B->TrueReach[index(From)])
      Result.push_back(B);
  return Result;
}

} // namespace heddle
