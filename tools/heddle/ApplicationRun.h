//===- ApplicationRun.h - Applications on the command line ------*- C++ -*-===//

#ifndef HEDDLE_TOOLS_APPLICATIONRUN_H
#define HEDDLE_TOOLS_APPLICATIONRUN_H

#include "CommonOptions.h"
#include "Shard.h"
#include "arch/GPUSpec.h"
#include "heddle/Driver/Checks.h"
#include "views/View.h"

namespace heddle::tool {

/// The application of the recording or launch file, or the one launch that the
/// command line describes; warns of a recording that was cut off. Throws
/// CommandError, as all below.
ReadApplication readApplication(const SessionOptions &Options);

/// How far floating results may be from those of a recording's device.
inline constexpr double DefaultTolerance = 1e-4;

/// --tolerance.
void addToleranceOption(CLI::App &Command, double &Tolerance);
/// --check of commands that study a recording.
void addReplayCheckOption(CLI::App &Command, bool &Check);

/// Executes all launches of a recording and checks its results: `heddle run`.
/// With \p Check under the checking interpreter as well.
void replay(const SessionOptions &Options, double Tolerance, bool Check);

/// Executes all launches under a progress bar: what `heddle profile` writes.
sampling::ApplicationProfile profileApplication(
    const SessionOptions &Options, const launch::Application &Application,
    ReadChecker *Checker = nullptr, sampling::StudyBuilder *Study = nullptr);

/// Gives the launches of \p Profile the ranges that the program names.
void nameRanges(sampling::ApplicationProfile &Profile,
                const launch::Operations &Operations);

struct StudyRun {
  sampling::ApplicationProfile Profile;
  sampling::ApplicationStudy Study;
  std::map<std::string, uint64_t> Calls; ///< of a recording
  ReadChecker Checker;
  std::optional<CheckedReplay> Checked;
};

/// Says on stderr how what a recorded program read compares with the replay;
/// where it differs, whatever \p Quiet says, and with its causes if \p Checked
/// is given.
void tellReads(const ReadChecker &Checker, bool Quiet,
               const CheckedReplay *Checked = nullptr);

/// Executes the application once, and says how its results compare. With \p
/// Check it is executed under the checking interpreter as well.
StudyRun study(const SessionOptions &Options, double Tolerance, bool Check);

/// Simulates every launch by its code of level \p Level, and prints each
/// kernel's sum and the whole as text and JSON. Finished launches are kept in
/// the database \p Resume, if it is not empty, and taken from there; the state
/// of the one that is simulated beside it, every \p SaveEvery seconds. Of
/// several shards each simulates its part of the launches that differ, keeps
/// them, and prints nothing.
void simulateApplication(const SessionOptions &Options,
                         const arch::GPUSpec &Spec, ISA Level,
                         const std::string &Resume, double SaveEvery,
                         const Shard &Part);
/// What decides the results of simulateApplication, as a sweep over launches.
std::string applicationPlan(const SessionOptions &Options,
                            const arch::GPUSpec &Spec, ISA Level);

/// Loads the analysis in shared object \p Path, executes all launches under it
/// and returns its report.
std::string runAnalysis(const SessionOptions &Options, const std::string &Path);

/// What `heddle profile --json` writes and `heddle report` shows.
views::JSON studyJSON(const StudyRun &Run, const SessionOptions &Options);

} // namespace heddle::tool

#endif // HEDDLE_TOOLS_APPLICATIONRUN_H
