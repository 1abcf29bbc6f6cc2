//===- SimulationReport.h - All that a simulation has to tell ---*- C++ -*-===//

#ifndef HEDDLE_VIEWS_SIMULATIONREPORT_H
#define HEDDLE_VIEWS_SIMULATIONREPORT_H

#include "views/SourceView.h"

namespace heddle::views {

/// The report of `heddle simulate`: summary, warp states, memory, pipes and
/// source lines, on request every instruction.
struct ReportOptions {
  bool Instructions = false; ///< the instruction table in the text
};

std::string reportText(const timing::SimulationResult &Result,
                       const SourceText &Source,
                       const ReportOptions &Options = {});

/// Keys as in docs/Results.md. Two runs differ in "seconds" only.
JSON reportJSON(const timing::SimulationResult &Result,
                const SourceText &Source, const std::string &Version);

/// Reads lines from files, each file once.
SourceText sourceFromFiles();

} // namespace heddle::views

#endif // HEDDLE_VIEWS_SIMULATIONREPORT_H
