//===- AnalysisRun.h - Analyses of the user's own ---------------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_ANALYSISRUN_H
#define HEDDLE_TOOLS_ANALYSISRUN_H

#include "CommonOptions.h"

namespace heddle::tool {

/// Loads the analysis in shared object \p Path, executes all launches under it
/// and returns its report. Throws CommandError.
std::string runAnalysis(const SessionOptions &Options, const std::string &Path);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_ANALYSISRUN_H
