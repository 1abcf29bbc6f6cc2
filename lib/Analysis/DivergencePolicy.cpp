//===- DivergencePolicy.cpp - Who runs first, and where lanes meet --------===//

#include "heddle/Analysis/DivergencePolicy.h"

#include "heddle/Analysis/Barriers.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Metadata.h"

#include <memory>
#include <optional>

using namespace llvm;

namespace heddle {

/// On a branch: the number of its leaving side.
static constexpr StringLiteral LeavingMark = "heddle.leaving";

using BlockSet = SmallSetVector<const BasicBlock *, 16>;

/// Blocks from which a barrier may be reached.
static BlockSet blocksBeforeBarriers(const Function &F) {
  BlockSet Blocks;
  for (const BasicBlock &B : F)
    if (any_of(B, isBarrier))
      Blocks.insert(&B);
  for (unsigned N = 0; N < Blocks.size(); ++N)
    Blocks.insert_range(predecessors(Blocks[N]));
  return Blocks;
}

static bool hasEffect(const Instruction &I) {
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  return !isa<PHINode>(I) && !I.isTerminator() &&
         !(Call && Call->isAssumeLikeIntrinsic());
}

bool onlyReturns(const BasicBlock *B) {
  SmallPtrSet<const BasicBlock *, 4> Seen;
  while (B && Seen.insert(B).second && none_of(*B, hasEffect)) {
    if (isa<ReturnInst>(B->getTerminator()))
      return true;
    B = B->getSingleSuccessor();
  }
  return false;
}

namespace {
/// Immediate post-dominators in the graph without some of its edges (Cooper,
/// Harvey, Kennedy: A simple, fast dominance algorithm). Null is the end of the
/// kernel.
class PrunedPostDominators {
public:
  template <typename IsPrunedT>
  PrunedPostDominators(const Function &F, IsPrunedT IsPruned) {
    for (const BasicBlock &B : F) {
      bool Any = false;
      for (const BasicBlock *Next : successors(&B))
        if (!IsPruned(&B, Next)) {
          connect(&B, Next);
          Any = true;
        }
      if (!Any)
        connect(&B, nullptr);
    }
    endCycles(F);
    numberFromEnd();
    solve();
  }
  const BasicBlock *of(const BasicBlock *B) const {
    const BasicBlock *Next = Up.lookup(B);
    const auto End = Ends.find(Next);
    return End == Ends.end() ? Next : End->second;
  }
  /// How many blocks follow in the tree; a block without a way from the
  /// kernel's start has none.
  DenseMap<const BasicBlock *, unsigned> depths() const {
    DenseMap<const BasicBlock *, unsigned> Depths;
    for (const BasicBlock *B : drop_begin(reverse(PostOrder)))
      Depths[B] = Depths.lookup(Up.at(B)) + 1;
    for (const auto &[End, Start] : Ends) {
      Depths[Start] = Depths.lookup(End);
      Depths.erase(End);
    }
    return Depths;
  }

private:
  using BlockList = SmallVector<const BasicBlock *, 2>;

  void connect(const BasicBlock *B, const BasicBlock *Next) {
    Nexts[B].push_back(Next);
    Befores[Next].push_back(B);
  }
  bool goesOn(const Cycle &C) const {
    return any_of(C.blocks(), [&](const BasicBlock *B) {
      return any_of(Nexts.at(B), [&](const BasicBlock *Next) {
        return !Next || !C.contains(Next);
      });
    });
  }
  /// All ways out of a cycle, reducible or not, may be pruned: its end is then
  /// where lanes meet last. So every block has a way to the end.
  void endCycles(const Function &F) {
    CycleInfo Cycles;
    Cycles.compute(const_cast<Function &>(F));
    for (const Cycle *Top : Cycles.toplevel_cycles())
      for (const Cycle *C : depth_first(Top))
        if (!goesOn(*C))
          endCycle(*C);
  }
  /// Where several ways go back to its start, lanes that took different ones
  /// meet there: one node stands for all of its ends.
  void endCycle(const Cycle &C) {
    SmallVector<const BasicBlock *> Last;
    for (const BasicBlock *B : C.blocks())
      if (any_of(successors(B),
                 [&](const BasicBlock *Next) { return C.isEntry(Next); }))
        Last.push_back(B);
    const BasicBlock *End = nullptr;
    if (const BasicBlock *Start = C.getHeader();
        Last.size() > 1 && C.isReducible()) {
      Nodes.emplace_back(BasicBlock::Create(Start->getContext()));
      End = Nodes.back().get();
      Ends[End] = Start;
      connect(End, Start);
      connect(End, nullptr);
      for (const BasicBlock *B : Last) {
        erase(Nexts[B], Start);
        erase(Befores[Start], B);
      }
    }
    for (const BasicBlock *B : Last)
      connect(B, End);
  }
  void solve() {
    Up[nullptr] = nullptr;
    for (bool Changed = true; Changed;) {
      Changed = false;
      for (const BasicBlock *B : drop_begin(reverse(PostOrder))) {
        std::optional<const BasicBlock *> Meet;
        for (const BasicBlock *Next : Nexts[B])
          if (Up.contains(Next))
            Meet = Meet ? common(*Meet, Next) : Next;
        auto [It, IsNew] = Up.try_emplace(B, *Meet);
        Changed |= IsNew || It->second != *Meet;
        It->second = *Meet;
      }
    }
  }
  void numberFromEnd() {
    SmallPtrSet<const BasicBlock *, 32> Seen;
    SmallVector<std::pair<const BasicBlock *, size_t>> Stack{{nullptr, 0}};
    while (!Stack.empty()) {
      auto &[B, N] = Stack.back();
      const auto &Before = Befores[B];
      if (N == Before.size()) {
        Number[B] = unsigned(PostOrder.size());
        PostOrder.push_back(B);
        Stack.pop_back();
      } else if (const BasicBlock *Next = Before[N++];
                 Seen.insert(Next).second) {
        Stack.push_back({Next, 0});
      }
    }
  }
  const BasicBlock *common(const BasicBlock *A, const BasicBlock *B) const {
    while (A != B) {
      const BasicBlock *&Lower = Number.at(A) < Number.at(B) ? A : B;
      Lower = Up.at(Lower);
    }
    return A;
  }

  DenseMap<const BasicBlock *, BlockList> Nexts, Befores;
  DenseMap<const BasicBlock *, unsigned> Number; ///< in PostOrder
  DenseMap<const BasicBlock *, const BasicBlock *> Up;
  SmallVector<const BasicBlock *> PostOrder;      ///< of the reversed graph
  std::vector<std::unique_ptr<BasicBlock>> Nodes; ///< that are no blocks
  DenseMap<const BasicBlock *, const BasicBlock *> Ends; ///< to the start
};
} // namespace

DivergencePolicy::DivergencePolicy(const Function &Kernel) {
  PostDominatorTree PDT(const_cast<Function &>(Kernel));
  const BlockSet Before = blocksBeforeBarriers(Kernel);
  for (const BasicBlock &B : Kernel) {
    const auto *Node = PDT.getNode(&B);
    const auto *Up = Node ? Node->getIDom() : nullptr;
    const BasicBlock *Join = Joins[&B] = Up ? Up->getBlock() : nullptr;
    const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional())
      continue;
    if (const MDNode *Mark = Branch->getMetadata(LeavingMark))
      Leaving[&B] =
          mdconst::extract<ConstantInt>(Mark->getOperand(0))->getZExtValue();
    else if (const bool First = Before.contains(Branch->getSuccessor(0));
             First != Before.contains(Branch->getSuccessor(1)) &&
             (!Join || onlyReturns(Join)))
      Leaving[&B] = First ? 1 : 0;
  }
  if (Leaving.empty())
    return;
  // Who leaves does not come to where the others meet; these wait for it where
  // they go on.
  const PrunedPostDominators Staying(
      Kernel, [this](const BasicBlock *B, const BasicBlock *Next) {
        const int Side = leavingSide(B);
        return Side >= 0 && B->getTerminator()->getSuccessor(Side) == Next;
      });
  for (auto &[B, Join] : Joins)
    if (const int Side = leavingSide(B); Side >= 0)
      Join = B->getTerminator()->getSuccessor(1 - Side);
    else
      Join = Staying.of(B);
  Depths = Staying.depths();
}

std::vector<const BranchInst *>
branchesThatJoinBehindLoops(const Function &Kernel) {
  DominatorTree DT(const_cast<Function &>(Kernel));
  const LoopInfo LI(DT);
  const DivergencePolicy Policy(Kernel);
  std::vector<const BranchInst *> Found;
  for (const BasicBlock &B : Kernel) {
    const Loop *L = LI.getLoopFor(&B);
    const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!L || !Branch || !Branch->isConditional())
      continue;
    const BasicBlock *Join = Policy.join(&B);
    const bool Stays = L->contains(Branch->getSuccessor(0)) &&
                       L->contains(Branch->getSuccessor(1));
    if (Stays && !(Join && L->contains(Join)))
      Found.push_back(Branch);
  }
  return Found;
}

/// The blocks that lanes run from \p From on, before they meet at \p Join.
static SmallPtrSet<const BasicBlock *, 16> reach(const BasicBlock *From,
                                                 const BasicBlock *Join) {
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *> Work = {From};
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    if (B != Join && Seen.insert(B).second)
      append_range(Work, successors(B));
  }
  return Seen;
}

std::vector<std::pair<const BranchInst *, const Instruction *>>
branchesBeforeOneBarrier(const Function &Kernel) {
  std::vector<const Instruction *> Barriers;
  for (const Instruction &I : instructions(Kernel))
    if (isBarrier(I))
      Barriers.push_back(&I);
  std::vector<std::pair<const BranchInst *, const Instruction *>> Found;
  if (Barriers.empty())
    return Found;
  const DivergencePolicy Policy(Kernel);
  for (const BasicBlock &B : Kernel) {
    const auto *Branch = dyn_cast<BranchInst>(B.getTerminator());
    if (!Branch || !Branch->isConditional() || Policy.leavingSide(&B) >= 0)
      continue;
    const auto One = reach(Branch->getSuccessor(0), Policy.join(&B)),
               Other = reach(Branch->getSuccessor(1), Policy.join(&B));
    // What runs again behind a loop's branch is reached by both sides, too.
    if (One.contains(&B) || Other.contains(&B))
      continue;
    const auto At = find_if(Barriers, [&](const Instruction *I) {
      return One.contains(I->getParent()) && Other.contains(I->getParent());
    });
    if (At != Barriers.end())
      Found.push_back({Branch, *At});
  }
  return Found;
}

void fixLeavingSides(Function &Kernel) {
  DivergencePolicy Policy(Kernel);
  Type *Int = Type::getInt32Ty(Kernel.getContext());
  for (BasicBlock &B : Kernel)
    if (int Side = Policy.leavingSide(&B); Side >= 0)
      B.getTerminator()->setMetadata(
          LeavingMark,
          MDNode::get(Kernel.getContext(),
                      ConstantAsMetadata::get(ConstantInt::get(Int, Side))));
}

} // namespace heddle
