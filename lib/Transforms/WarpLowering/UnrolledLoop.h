//===- UnrolledLoop.h - A loop and what its unrolling leaves over -*- C++ -*-=//
//
// A compiler that unrolls a loop of unknown length by a factor puts a loop of
// single rounds before it, for the rounds that the factor does not divide:
//
//   Entry -> Remainder -> Join -> Main -> Exit
//        \_______________/   \____________/
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_UNROLLEDLOOP_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_UNROLLEDLOOP_H

#include "Countdown.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Instructions.h"

namespace heddle {

struct UnrolledLoop {
  /// A loop of one block.
  struct Part {
    llvm::BasicBlock *Body = nullptr, *Before = nullptr;
    Countdown Count;

    llvm::Value *start(const llvm::PHINode &Phi) const {
      return Phi.getIncomingValueForBlock(Before);
    }
    llvm::Value *next(const llvm::PHINode &Phi) const {
      return Phi.getIncomingValueForBlock(Body);
    }
  };
  /// What a round hands on to the next: a phi of Main is that of Remainder
  /// plus Ahead. It grows by Step in a round of Remainder; where it does not
  /// grow by a constant, Main starts with what Remainder ends with.
  struct Carried {
    llvm::PHINode *Main, *Remainder;
    std::optional<int64_t> Step;
    int64_t Ahead = 0;
  };

  llvm::BasicBlock *Entry = nullptr, *Join = nullptr, *Exit = nullptr;
  Part Remainder, Main;
  /// A round of Main does what 2^FactorShift rounds of Remainder do.
  unsigned FactorShift = 0;
  llvm::SmallVector<Carried, 4> State;
  /// For each phi of Exit the value in Remainder that it would have if the last
  /// round had been one of Remainder.
  llvm::SmallVector<std::pair<llvm::PHINode *, llvm::Value *>, 2> Results;
};

/// The unrolled loop whose main part is \p Main, if there is one that only
/// reads memory.
std::optional<UnrolledLoop> findUnrolledLoop(llvm::BasicBlock &Main);

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_UNROLLEDLOOP_H
