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

} // namespace heddle

#endif // HEDDLE_ANALYSIS_KERNELREPORT_H
