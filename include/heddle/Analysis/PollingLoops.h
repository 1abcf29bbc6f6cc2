//===- PollingLoops.h - Loops that wait for other warps ---------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_POLLINGLOOPS_H
#define HEDDLE_ANALYSIS_POLLINGLOOPS_H

#include "llvm/ADT/SmallVector.h"

namespace llvm {
class BasicBlock;
class Function;
class Instruction;
class Loop;
class Value;
} // namespace llvm

namespace heddle {

struct PollingLoop {
  const llvm::BasicBlock *Header;
  const llvm::Instruction *Question; ///< a load, an atomic or a test
};

/// Whether \p V is the same in every round of \p L.
bool isSameInRounds(const llvm::Value *V, const llvm::Loop &L);

/// The loops of \p Kernel that poll, once for each question: what decides their
/// end asks memory the same in every round, and the loop itself does not change
/// the answer. A question is an atomic or volatile load, or a plain one beside
/// a fence, of an address that the loop does not change; an exchange, minimum,
/// maximum or logical operation with a value that it does not change; a
/// compare-and-swap of two such values, a lock; a test of an mbarrier's phase.
/// A compare-and-swap that goes on with the value it found (atomicAdd written
/// by hand) makes its own progress and is none.
llvm::SmallVector<PollingLoop, 2> pollingLoops(const llvm::Function &Kernel);

/// Whether \p Pointer is of the memory of one thread, block or cluster.
bool pointsIntoBlock(const llvm::Value *Pointer);

/// Whether a polling loop of \p Kernel asks what other blocks may answer: it is
/// not about the memory of a block.
bool waitsForBlocks(const llvm::Function &Kernel);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_POLLINGLOOPS_H
