//===- Evaluation.h - Formulas as numbers of a launch -----------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_EVALUATION_H
#define HEDDLE_ANALYSIS_EVALUATION_H

#include "heddle/Analysis/Expression.h"

#include "llvm/ADT/DenseMap.h"

#include <array>
#include <functional>
#include <optional>
#include <vector>

namespace heddle {

/// Operations that the evaluations for one report may take together.
struct EvaluationBudget {
  uint64_t Left = uint64_t(1) << 24; ///< about a second
  unsigned GivenUp = 0;              ///< evaluations that needed more
};

/// What a launch says before anything has run.
struct LaunchValues {
  std::array<uint32_t, 3> Grid = {1, 1, 1};
  std::array<uint32_t, 3> Block = {1, 1, 1};
  std::array<uint32_t, 3> GlobalOffset = {0, 0, 0};
  uint32_t WorkDim = 1;
  /// By number of the argument: the bits of a scalar, the address of a buffer.
  std::vector<std::optional<uint64_t>> Arguments;
  /// By number of the argument: the bytes of a struct passed by value.
  std::vector<std::vector<uint8_t>> Structs;
  /// Addresses of variables and allocas.
  llvm::DenseMap<const llvm::Value *, uint64_t> Objects;
  /// Shared by all that is evaluated for this launch; null: only MaxSteps
  /// holds.
  EvaluationBudget *Budget = nullptr;

  unsigned threadsPerBlock() const { return Block[0] * Block[1] * Block[2]; }
  unsigned warpsPerBlock() const { return (threadsPerBlock() + 31) / 32; }
};

/// Evaluates formulas for the 32 lanes of one warp at a time.
class WarpEvaluator {
public:
  using Lanes = std::array<uint64_t, 32>; ///< bits, zero above the width

  /// Both must outlive the evaluator.
  WarpEvaluator(const ExprPool &Pool, const LaunchValues &Launch);

  /// Which warp: \p Block counts x fastest. Forgets iterations.
  void setWarp(uint64_t Block, unsigned Warp);
  /// The iteration of loop \p Loop, for all lanes or for each.
  void setIteration(unsigned Loop, uint64_t Iteration);
  void setIteration(unsigned Loop, const Lanes &Iterations);
  /// What a Load or Opaque leaf stands for at the moment; without it, or where
  /// it says nothing, formulas that need the leaf have no value.
  std::function<bool(const Expr &Leaf, Lanes &Out)> OnUnknown;

  /// The lanes that are threads of the block.
  uint32_t fullMask() const { return FullMask; }

  /// The value of \p E in every lane of \p Mask. False if there is none: a
  /// leaf is unknown, a division by zero, or more than MaxSteps or the
  /// launch's budget were needed.
  bool evaluate(const Expr *E, uint32_t Mask, Lanes &Out);
  /// For a formula that is the same in all lanes.
  std::optional<int64_t> evaluate(const Expr *E);
  /// The lanes of \p Mask in which condition \p E holds.
  std::optional<uint32_t> mask(const Expr *E, uint32_t Mask);

  /// Operations per call of evaluate, for formulas that stand for loops.
  uint64_t MaxSteps = uint64_t(1) << 22;

private:
  struct Stored {
    uint64_t Epoch = 0;
    uint32_t Mask = 0;
    Lanes Value;
  };
  bool compute(const Expr *E, uint32_t Mask, Lanes &Out);
  bool leaf(const Expr *E, Lanes &Out);
  bool special(SpecialValue Value, Lanes &Out) const;
  bool firstTrue(const Expr *E, uint32_t Mask, Lanes &Out);
  bool stateAt(const Expr *E, uint32_t Mask, Lanes &Out);
  void restartInner(unsigned Loop);
  bool runRecurrence(unsigned Number, uint32_t Mask, uint64_t Target);

  const ExprPool &Pool;
  const LaunchValues &Launch;
  std::array<uint32_t, 3> BlockId = {0, 0, 0};
  unsigned WarpId = 0;
  uint32_t FullMask = 0;
  std::vector<std::optional<Lanes>> Iterations; ///< by loop
  /// The states of a recurrence where it last stopped.
  struct Running {
    bool IsValid = false;
    uint64_t At = 0;
    uint32_t Mask = 0;
    std::vector<Lanes> States;
  };
  std::vector<Running> Recurrences;
  std::vector<Stored> Memo; ///< by Expr::Id
  uint64_t Epoch = 1;       ///< what was stored under another is stale
  uint64_t LastEpoch = 1;
  uint64_t Steps = 0, AllowedSteps = 0;
  unsigned Nesting = 0;
};

/// \p E for one thread: block and thread as in \p Launch, counted x fastest;
/// iterations by loop number, -1 unknown.
std::optional<int64_t> evaluate(const Expr *E, const ExprPool &Pool,
                                const LaunchValues &Launch, uint64_t Block,
                                unsigned Thread,
                                llvm::ArrayRef<int64_t> Iterations = {});

} // namespace heddle

#endif // HEDDLE_ANALYSIS_EVALUATION_H
