//===- DivergencePolicy.h - Who runs first, and where lanes meet -*- C++
//-*-===//
//
// The static side of docs/Rationale/Divergence.md, the same for every engine:
// where the lanes of a warp that part at a branch meet again, and which of its
// sides runs first.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_DIVERGENCEPOLICY_H
#define HEDDLE_ANALYSIS_DIVERGENCEPOLICY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/BasicBlock.h"
#include "llvm/IR/Instructions.h"

#include <utility>
#include <vector>

namespace heddle {

class DivergencePolicy {
public:
  explicit DivergencePolicy(const llvm::Function &Kernel);

  /// The block at which lanes that part at the end of \p B wait for each other:
  /// its immediate post-dominator, not counting ways by which lanes leave the
  /// kernel before a barrier of the others. Null where they meet only after the
  /// return.
  const llvm::BasicBlock *join(const llvm::BasicBlock *B) const {
    return Joins.lookup(B);
  }
  /// The successor of \p B whose lanes leave the kernel, never to come to a
  /// barrier, while those of the other may: it runs first. -1: none does.
  int leavingSide(const llvm::BasicBlock *B) const {
    auto It = Leaving.find(B);
    return It == Leaving.end() ? -1 : int(It->second);
  }
  /// Of two joins at which lanes wait at the same time, the inner one has the
  /// greater depth. Joins do not tell: the lanes that stay at the end of a loop
  /// wait at its start. 0 for all in a kernel without leaving sides.
  unsigned depth(const llvm::BasicBlock *B) const { return Depths.lookup(B); }

private:
  llvm::DenseMap<const llvm::BasicBlock *, const llvm::BasicBlock *> Joins;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> Leaving, Depths;
};

/// The branches of \p Kernel whose sides both stay in a loop but whose lanes
/// meet only behind it, because a way from there leaves the loop. GPUs let
/// such lanes meet within the loop (docs/Rationale/Divergence.md).
std::vector<const llvm::BranchInst *>
branchesThatJoinBehindLoops(const llvm::Function &Kernel);

/// The branches of \p Kernel both of whose sides come to one barrier before
/// they meet, each with that barrier. Lanes that part there would be at it one
/// side after the other, where a GPU lets them wait for each other.
std::vector<std::pair<const llvm::BranchInst *, const llvm::Instruction *>>
branchesBeforeOneBarrier(const llvm::Function &Kernel);

/// Attribute of kernels whose control flow was changed so that such lanes meet
/// in front of the barrier: the line of one, or nothing.
inline constexpr llvm::StringLiteral MeetsAtBarrier = "heddle-meets-at-barrier";

/// Whether nothing happens from \p B on but the return.
bool onlyReturns(const llvm::BasicBlock *B);

/// Writes the leaving sides of \p Kernel's branches down, so that they stay
/// what they are when barriers are removed.
void fixLeavingSides(llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_DIVERGENCEPOLICY_H
