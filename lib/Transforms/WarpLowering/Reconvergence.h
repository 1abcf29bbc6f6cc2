//===- Reconvergence.h - Where the lanes of a warp part and meet -*- C++
//-*-===//
//
// The static side of docs/Rationale/Divergence.md: given which branches may
// diverge, what can wait where. Each block at which lanes wait ("join") holds
// at most one set of waiting lanes, so the reconvergence stack becomes a few
// mask variables; only where a branch can part again while its FALSE side still
// waits is a real stack needed.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_RECONVERGENCE_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_RECONVERGENCE_H

#include "heddle/Analysis/DivergencePolicy.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/IR/Dominators.h"

#include <memory>

namespace heddle {

/// A branch whose lanes may part. The TRUE side runs first; it is that of the
/// first successor unless the branch is Inverted.
struct DivergentBranch {
  llvm::BasicBlock *Block, *True, *False;
  /// DivergencePolicy::join; null where the TRUE side leaves the kernel.
  llvm::BasicBlock *Join;
  bool Inverted;
  llvm::BitVector TrueReach, FalseReach; ///< blocks, without passing Join
  /// Whether lanes of the FALSE side wait while the TRUE side runs.
  bool falseWaits() const { return True != Join && False != Join; }
};

/// The divergent branches that share a join.
struct JoinGroup {
  llvm::SmallVector<DivergentBranch *, 4> Branches;
  llvm::BitVector
      Region; ///< blocks from which the join is reached while lanes wait
  /// Branches with falseWaits(), outermost first; the waiting lanes of a later
  /// one run before those of an earlier one.
  llvm::SmallVector<DivergentBranch *, 4> Waiting;
  bool NeedsStack = false; ///< Waiting has no such order
};

class Reconvergence {
public:
  explicit Reconvergence(llvm::Function &F);

  /// Declares the branch of \p B divergent; false if it was already.
  bool addDivergent(llvm::BasicBlock *B);
  /// Brings everything below up to date after addDivergent.
  void update();

  const DivergentBranch *branch(const llvm::BasicBlock *B) const {
    auto It = Branches.find(B);
    return It == Branches.end() ? nullptr : It->second.get();
  }
  const llvm::MapVector<llvm::BasicBlock *, JoinGroup> &groups() const {
    return Groups;
  }
  /// The group that meets at \p Join (null: at the return), or null.
  const JoinGroup *group(llvm::BasicBlock *Join) const {
    auto It = Groups.find(Join);
    return It == Groups.end() ? nullptr : &It->second;
  }
  /// Whether lanes may wait at \p Join while others come from \p From.
  bool mayWait(const llvm::BasicBlock *From, llvm::BasicBlock *Join) const {
    const JoinGroup *G = group(Join);
    return G && G->Region[index(From)];
  }
  /// The members of G.Waiting that can wait when control comes from \p From.
  llvm::SmallVector<const DivergentBranch *, 4>
  waiting(const JoinGroup &G, const llvm::BasicBlock *From) const;

  /// Whether some of the lanes that meet at \p Join may leave before.
  bool leavesBefore(llvm::BasicBlock *Join) const;
  /// Joins at which lanes may wait while those that leave before a barrier are
  /// at \p Return, innermost first.
  llvm::SmallVector<llvm::BasicBlock *, 4>
  joinsBehind(const llvm::BasicBlock *Return) const;

  /// Lanes enter \p B by different edges before it runs, so its phis differ by
  /// lane whatever their inputs are.
  bool isMixed(const llvm::BasicBlock *B) const { return Mixed.contains(B); }
  /// Some lanes may run \p B again while others still need what they computed
  /// there: its values must be kept lane by lane.
  bool isOverrun(const llvm::BasicBlock *B) const {
    return Overrun.contains(B);
  }

  unsigned index(const llvm::BasicBlock *B) const { return Index.lookup(B); }

private:
  llvm::BitVector reach(llvm::BasicBlock *From, llvm::BasicBlock *Avoid) const;
  llvm::BitVector reaching(llvm::BasicBlock *To, llvm::BasicBlock *Avoid) const;
  void orderWaiting(JoinGroup &G);
  void findOverruns(const DivergentBranch &B);
  void findEarlyWrites(const DivergentBranch &B);

  llvm::Function &F;
  llvm::DominatorTree DT;
  DivergencePolicy Policy;
  llvm::CycleInfo Cycles;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Index;
  llvm::SmallVector<unsigned, 2> Returns; ///< indices of their blocks
  llvm::MapVector<const llvm::BasicBlock *, std::unique_ptr<DivergentBranch>>
      Branches;
  llvm::MapVector<llvm::BasicBlock *, JoinGroup> Groups;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> Mixed, Overrun;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_RECONVERGENCE_H
