//===- LoopIterations.h - Rounds of loops that data ends --------*- C++ -*-===//

#ifndef HEDDLE_TRACE_LOOPITERATIONS_H
#define HEDDLE_TRACE_LOOPITERATIONS_H

#include "heddle/Analysis/Evaluation.h"
#include "heddle/Analysis/LoopBounds.h"

#include <map>

namespace heddle {

/// Iteration counts of the loops of a prepared kernel that a walk without data
/// cannot end by itself.
struct LoopIterations {
  /// Executions of the body for one entry, by the number of the loop's header
  /// (KernelNumbering); 0: it is not entered.
  std::map<unsigned, uint64_t> OfHeader;
  /// Assumptions that name no loop of the prepared kernel.
  std::vector<LoopAssumption> Unused;
};

/// Takes \p Assumptions, the source's "#pragma heddle iterations(N)" and the
/// bounds that LoopBounds finds where loads seem to decide (induction in
/// memory), as far as \p Launch gives them one value. The N iterations of a
/// source loop that was unrolled are divided among its copies: the one whose
/// body was repeated F times gets N / F, the remainder loop N % F.
LoopIterations loopIterations(llvm::Function &Kernel,
                              llvm::ArrayRef<LoopAssumption> Assumptions,
                              const LaunchValues &Launch);

} // namespace heddle

#endif // HEDDLE_TRACE_LOOPITERATIONS_H
