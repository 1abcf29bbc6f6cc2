//===- LaneLoops.h - Loops that may run one lane at a time ------*- C++ -*-===//
//
// Where few lanes of a warp are still in a loop, as in the long rows of a
// sparse matrix, 32 lanes in lockstep cost more than those few one after the
// other. Here are the loops that a lane can run by itself, and the number of
// lanes up to which one after the other is cheaper; it is one where the order
// of lanes matters.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_LANELOOPS_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_LANELOOPS_H

#include "LaneShapes.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <optional>
#include <utility>

namespace llvm {
class Loop;
}

namespace heddle {

struct LaneLoop {
  /// In reverse post-order, so the header comes first.
  llvm::SmallVector<llvm::BasicBlock *, 4> Blocks;
  llvm::BasicBlock *Exit = nullptr; ///< the only one
  unsigned MaxLanes = 0;            ///< more than these run in lockstep
  /// A round waits long for what the one before it computed or loaded.
  bool InTurns = false;
  /// Pointer arguments that must differ: then what is written in the loop is
  /// not read there.
  llvm::SmallSetVector<std::pair<const llvm::Value *, const llvm::Value *>, 2>
      Differ;

  bool contains(const llvm::BasicBlock *B) const {
    return llvm::is_contained(Blocks, B);
  }
  /// What the loop uses and does not compute, phis of the header among it.
  llvm::SmallSetVector<llvm::Instruction *, 8> liveIns() const;
};

class LaneLoops {
public:
  /// \p ArgumentsOverlap: arguments that differ may point into one buffer.
  LaneLoops(llvm::Function &F, const LaneShapes &Shapes, bool ArgumentsOverlap);

  /// The loop with this header, or null.
  const LaneLoop *at(const llvm::BasicBlock *Header) const {
    auto It = Loops.find(Header);
    return It == Loops.end() ? nullptr : &It->second;
  }

private:
  /// An instruction that writes memory and the objects that may be written.
  using Write = std::pair<const llvm::Instruction *,
                          llvm::SmallVector<const llvm::Value *, 2>>;
  struct Accesses {
    llvm::SmallVector<const llvm::Value *, 4> Reads; ///< objects
    llvm::SmallVector<Write, 4> Writes;
    bool Ordered = false; ///< lanes may write different values to one place
  };

  void consider(const llvm::Loop &L);
  std::optional<Accesses> accessesOf(const LaneLoop &L) const;
  bool isIndependent(LaneLoop &L, const Accesses &A) const;
  void weigh(LaneLoop &L) const;
  bool isChained(const LaneLoop &L) const;
  bool isCarried(const LaneLoop &L) const;

  llvm::Function &F;
  const LaneShapes &Shapes;
  const bool ArgumentsOverlap;
  llvm::DenseMap<const llvm::BasicBlock *, LaneLoop> Loops;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_LANELOOPS_H
