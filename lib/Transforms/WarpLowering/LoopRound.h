//===- LoopRound.h - What one round of a loop computes ----------*- C++ -*-===//
//
// Values as expressions over what is known before the round, numbered so that
// equal numbers mean equal values, bit by bit. Memory is taken to be constant,
// and flags that make results undefined are left out, as the lowering does.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_TRANSFORMS_WARPLOWERING_LOOPROUND_H
#define HEDDLE_TRANSFORMS_WARPLOWERING_LOOPROUND_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <optional>
#include <unordered_map>

namespace llvm {
class BasicBlock;
class DataLayout;
class Instruction;
class PHINode;
class Type;
class Value;
} // namespace llvm

namespace heddle {

/// An expression plus a constant, modulo the width of its type.
struct Term {
  unsigned Base = 0;
  uint64_t Offset = 0;
  bool operator==(const Term &) const = default;
};

class Terms {
public:
  using Operands = llvm::function_ref<Term(const llvm::Value *)>;

  explicit Terms(const llvm::DataLayout &DL) : DL(DL) {}

  /// A value of which nothing more is known, or a constant.
  Term leaf(const llvm::Value *V);
  /// The result of \p I, given its operands.
  Term compute(const llvm::Instruction &I, Operands Of);
  Term plus(Term T, uint64_t Offset, const llvm::Type *Ty) const;

private:
  struct Expression {
    const llvm::Instruction *Like;
    llvm::SmallVector<Term, 4> Operands;
    unsigned Number;
  };
  uint64_t mask(const llvm::Type *Ty) const;

  const llvm::DataLayout &DL;
  unsigned Next = 0;
  llvm::DenseMap<const llvm::Value *, unsigned> Leaves;
  std::unordered_multimap<size_t, Expression> Expressions;
};

/// A round of the loop that is one block.
class LoopRound {
public:
  using State = llvm::DenseMap<const llvm::PHINode *, Term>;

  /// \p Start tells the phis at the start of the round; those that it does not
  /// name are leaves.
  LoopRound(Terms &T, llvm::BasicBlock &Block, const State &Start = State());

  /// A value in this round; those from outside are leaves.
  Term of(const llvm::Value *V) const;
  /// The phis at the start of the next round.
  State next() const;
  /// By how much a phi grows in a round, if it started as a leaf and does so by
  /// a constant.
  std::optional<int64_t> step(const llvm::PHINode &Phi) const;
  /// The offsets from the phi's leaf that expressions of the round use.
  llvm::SmallVector<int64_t, 8> offsets(const llvm::PHINode &Phi) const;

private:
  Terms &T;
  llvm::BasicBlock &Block;
  llvm::DenseMap<const llvm::Value *, Term> Values;
};

} // namespace heddle

#endif // HEDDLE_TRANSFORMS_WARPLOWERING_LOOPROUND_H
