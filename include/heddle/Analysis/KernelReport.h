//===- KernelReport.h - What the static analyses found ----------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_KERNELREPORT_H
#define HEDDLE_ANALYSIS_KERNELREPORT_H

#include "heddle/Analysis/AnalyzedKernel.h"

#include "llvm/Support/JSON.h"

namespace heddle {

/// Loops, branches and accesses of \p Kernel as text for people; with
/// \p Launch, its numbers as well. What exceeds the launch's budget is left
/// out, and the report says so.
std::string reportText(AnalyzedKernel &Kernel,
                       const LaunchValues *Launch = nullptr);

/// The same for programs (docs/Commands/analyze.md has the fields).
llvm::json::Object reportJSON(AnalyzedKernel &Kernel,
                              const LaunchValues *Launch = nullptr);

/// Iterations of a loop over the launch's warps: the least, the most and the
/// mean, over at most 64 warps spread over the launch, with the loops around it
/// in their first iteration. Nothing if its bound has no value.
struct IterationRange {
  int64_t Least, Most;
  double Mean;
};
std::optional<IterationRange> iterationsOf(const LoopBound &Bound,
                                           const ExprPool &Pool,
                                           const LaunchValues &Launch);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_KERNELREPORT_H
