//===- AnalyzedKernel.h - All static analyses of one kernel -----*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_ANALYZEDKERNEL_H
#define HEDDLE_ANALYSIS_ANALYZEDKERNEL_H

#include "heddle/Analysis/AccessPattern.h"
#include "heddle/Analysis/BranchConditions.h"
#include "heddle/Analysis/KernelExpressions.h"
#include "heddle/Analysis/LoopBounds.h"
#include "heddle/Analysis/ThreadDependence.h"

#include <memory>

namespace heddle {

/// The analyses for callers without a pass manager: static traces run them on
/// the prepared kernel, whose blocks and instructions KernelNumbering numbers;
/// reports run them on the analysis form (heddle/Passes/Pipelines.h), which has
/// the source's loops. The kernel must not change while this lives.
class AnalyzedKernel {
public:
  explicit AnalyzedKernel(llvm::Function &Kernel,
                          llvm::ArrayRef<LoopAssumption> Assumptions = {});
  ~AnalyzedKernel();

  llvm::Function &kernel() const;
  KernelExpressions &expressions();
  const LoopBounds &loops() const;
  const ThreadDependence &dependence() const;
  const BranchConditions &branches() const;
  const AccessPattern &accesses() const;

private:
  struct State;
  std::unique_ptr<State> S;
};

/// Makes heddle's analyses known to \p AM.
void registerAnalyses(llvm::FunctionAnalysisManager &AM);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_ANALYZEDKERNEL_H
