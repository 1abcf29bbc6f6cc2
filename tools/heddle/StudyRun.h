//===- StudyRun.h - Profiles an application and studies it ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_STUDYRUN_H
#define HEDDLE_TOOLS_STUDYRUN_H

#include "ApplicationRun.h"
#include "sampling/ApplicationStudy.h"
#include "views/View.h"

namespace heddle::tool {

struct StudyRun {
  sampling::ApplicationProfile Profile;
  sampling::ApplicationStudy Study;
  std::map<std::string, uint64_t> Calls; ///< of a recording
  ReadChecker Checker;
};

/// Executes the application once. Throws CommandError if a recorded program
/// read something else than is computed.
StudyRun study(const SessionOptions &Options, double Tolerance);

/// What `heddle profile --json` writes and `heddle report` shows.
views::JSON studyJSON(const StudyRun &Run, const std::string &Input);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_STUDYRUN_H
