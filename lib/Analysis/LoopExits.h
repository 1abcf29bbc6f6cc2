//===- LoopExits.h - How often until one exit is taken ----------*- C++ -*-===//

#ifndef HEDDLE_LIB_ANALYSIS_LOOPEXITS_H
#define HEDDLE_LIB_ANALYSIS_LOOPEXITS_H

#include "heddle/Analysis/LoopBounds.h"

namespace heddle {

/// When the loop leaves through one exit.
struct ExitBound {
  const Expr *Backedges = nullptr; ///< null: unknown
  BoundSource Source = BoundSource::Unknown;
  bool WrapAssumed = false;
};

/// Our own induction analysis: the first iteration of loop \p Loop in which
/// \p Stay, the condition to go on, does not hold. \p Stay is in terms of the
/// loop's iteration number. Conjunctions give an upper bound if only one side
/// is known (\p IsUpper is set).
ExitBound boundOfExit(const Expr *Stay, unsigned Loop, KernelExpressions &X,
                      bool &IsUpper);

/// The paper's second case: the condition compares what is loaded from a place
/// that the loop steps by a constant once per iteration and that a store
/// before the loop has set.
ExitBound boundOfMemoryInduction(const llvm::Value *Condition, bool StayIfTrue,
                                 const llvm::Loop &L, KernelExpressions &X);

/// Backedge counts that ScalarEvolution gives for a rotated copy of the
/// kernel, by loop number; null where it does not know or where the bound
/// depends on data.
std::vector<const Expr *> boundsAfterRotation(KernelExpressions &X);

} // namespace heddle

#endif // HEDDLE_LIB_ANALYSIS_LOOPEXITS_H
