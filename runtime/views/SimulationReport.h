//===- SimulationReport.h - All that a simulation has to tell ---*- C++ -*-===//

#ifndef HEDDLE_VIEWS_SIMULATIONREPORT_H
#define HEDDLE_VIEWS_SIMULATIONREPORT_H

#include "arch/GPUSpec.h"
#include "base/BlockResources.h"
#include "trace/CodeTable.h"
#include "trace/FlowSource.h"
#include "views/SourceView.h"
#include "views/Timeline.h"

namespace heddle::views {

/// What a report may use besides the result, null where it is not to be had,
/// and which views the text shows besides summary, warp states, memory, pipes
/// and costliest lines. JSON has all for which there is data.
struct ReportOptions {
  const trace::CodeTable *Code = nullptr;
  const arch::GPUSpec *Machine = nullptr;
  BlockResources Block; ///< used with Machine
  const Timeline *Timeline = nullptr;
  const trace::BlockFlow *Flow = nullptr;
  std::vector<const View *> Others; ///< further views, shown as well

  bool Instructions = false;
  bool Source = false;
  bool Occupancy = false;
  bool Bottlenecks = false;
  bool Roofline = false;
  /// Of sectionNames(): the text shows these and nothing else. Empty: what the
  /// flags say.
  std::vector<std::string> Sections;
};

/// What --section takes. Nsight Compute's names where its section shows the
/// same.
std::vector<std::string> sectionNames();

/// The report of `heddle simulate`.
std::string reportText(const timing::SimulationResult &Result,
                       const SourceText &Source,
                       const ReportOptions &Options = {});

/// Keys as in docs/Results.md. Two runs differ in "seconds" only.
JSON reportJSON(const timing::SimulationResult &Result,
                const SourceText &Source, const std::string &Version,
                const ReportOptions &Options = {});

/// Reads lines from files, each file once.
SourceText sourceFromFiles();

} // namespace heddle::views

#endif // HEDDLE_VIEWS_SIMULATIONREPORT_H
