//===- ApplicationRun.cpp - Applications on the command line --------------===//

#include "ApplicationRun.h"

#include "Progress.h"

#include "views/ResultHead.h"
#include "views/StudyView.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <filesystem>

namespace heddle::tool {

static constexpr const char *AddCheck =
    "`heddle run --check` of the recording looks for the cause";

ReadApplication readApplication(const SessionOptions &Options) {
  ReadApplication A = take(heddle::readApplication(Options));
  if (!A.Warning.empty() && !Options.Quiet)
    fmt::print(stderr, "heddle: warning: {}\n", A.Warning);
  return A;
}

void addToleranceOption(CLI::App &Command, double &Tolerance) {
  Command
      .add_option("--tolerance", Tolerance,
                  "recording: how far floating results may be from those of "
                  "the device that it was made on")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
}

void addReplayCheckOption(CLI::App &Command, bool &Check) {
  Command.add_flag("--check", Check,
                   "recording: look for wrong accesses and races, and for the "
                   "cause of results that differ (slow)");
}

static CheckedReplay checkRecording(const SessionOptions &Options,
                                    const launch::Application &Application,
                                    const ReadChecker &Replayed) {
  Progress Bar("checking", "launches", Options.Quiet);
  auto Update = [&Bar](uint64_t Done, uint64_t Total, uint64_t Work) {
    return Bar.update(Done, Total, Work);
  };
  return take(checkReplay(Options, Application, Replayed, Update));
}

/// What the checker found, each as a line on stderr.
static void tellFindings(const CheckedReplay &Checked, bool Quiet) {
  for (const std::string &Line : Checked.Findings)
    fmt::print(stderr, "heddle: error: {}\n", Line);
  for (const std::string &Line : Checked.Orders)
    if (!Quiet)
      fmt::print(stderr, "heddle: note: {}\n", Line);
  if (Checked.IsPartial)
    fmt::print(stderr, "heddle: warning: launches access more than 16 MiB; "
                       "races between blocks beyond are not found\n");
}

void replay(const SessionOptions &Options, double Tolerance, bool Check) {
  const ReadApplication A = readApplication(Options);
  ReadChecker Checker(Tolerance);
  size_t Launches = 0;
  auto Visit = [&](size_t, Session &S) {
    ++Launches;
    return execute(S);
  };
  take(forEachLaunch(Options, A.Application, Visit, &Checker));
  std::optional<CheckedReplay> Checked;
  if (Check) {
    Checked = checkRecording(Options, A.Application, Checker);
    tellFindings(*Checked, Options.Quiet);
  }
  if (Checker.different() && Checked)
    throw inputError("{}\n{}", Checker.text(),
                     fmt::join(Checked->verdicts(Checker), "\n"));
  if (Checker.different())
    throw inputError("{}\n{}", Checker.report(), AddCheck);
  if (!Options.Quiet)
    fmt::print("executed {} launches{}; {}\n", Launches, Check ? ", twice" : "",
               Checker.text());
  if (Checked && !Checked->Findings.empty())
    throw CommandError{""};
}

sampling::ApplicationProfile
profileApplication(const SessionOptions &Options,
                   const launch::Application &Application, ReadChecker *Checker,
                   sampling::StudyBuilder *Study) {
  Progress Bar("profiling", "warp instructions", Options.Quiet);
  auto Update = [&Bar](uint64_t Done, uint64_t Total, uint64_t Work) {
    return Bar.update(Done, Total, Work);
  };
  return take(profile(Options, Application, Update, Checker, Study));
}

void tellReads(const ReadChecker &Checker, bool Quiet,
               const CheckedReplay *Checked) {
  if (Checker.different() && Checked)
    fmt::print(stderr,
               "heddle: warning: the replay differs from the run: {}\n{}\n",
               Checker.text(), fmt::join(Checked->verdicts(Checker), "\n"));
  else if (Checker.different())
    fmt::print(stderr,
               "heddle: warning: the replay differs from the run: {}\n{}\n",
               Checker.report(), AddCheck);
  else if (!Quiet)
    fmt::print(stderr, "heddle: {}\n", Checker.text());
}

void nameRanges(sampling::ApplicationProfile &Profile,
                const launch::Operations &Operations) {
  for (const launch::Operation &O : Operations.All)
    if (O.Kind == launch::OperationKind::Launch)
      Profile.Launches.at(O.Launch).Range = Operations.Ranges[O.Range].Path;
}

/// What each range holds, those inside of it included.
static std::vector<sampling::RangeStudy>
rangesOf(const sampling::ApplicationProfile &Profile,
         const launch::Operations &Operations) {
  std::vector<sampling::RangeStudy> All;
  for (const launch::Range &R : Operations.Ranges)
    All.push_back({R.Path});
  for (const launch::Operation &O : Operations.All)
    if (O.Kind == launch::OperationKind::Launch)
      for (size_t R = O.Range; R; R = Operations.Ranges[R].Outer) {
        ++All[R].Launches;
        All[R].WarpInstructions +=
            Profile.Launches[O.Launch].total().WarpInstructions;
      }
  std::erase_if(All, [](const auto &R) { return R.Launches == 0; });
  return All;
}

StudyRun study(const SessionOptions &Options, double Tolerance, bool Check) {
  StudyRun Run{{}, {}, {}, ReadChecker(Tolerance), {}};
  ReadApplication A = readApplication(Options);
  sampling::StudyBuilder Builder;
  Run.Profile =
      profileApplication(Options, A.Application, &Run.Checker, &Builder);
  nameRanges(Run.Profile, A.Operations);
  Run.Study = Builder.finish();
  Run.Study.Ranges = rangesOf(Run.Profile, A.Operations);
  Run.Calls = std::move(A.Calls);
  if (Check) {
    Run.Checked = checkRecording(Options, A.Application, Run.Checker);
    tellFindings(*Run.Checked, Options.Quiet);
  }
  if (!A.Application.Programs.empty())
    tellReads(Run.Checker, Options.Quiet,
              Run.Checked ? &*Run.Checked : nullptr);
  return Run;
}

views::JSON studyJSON(const StudyRun &Run, const SessionOptions &Options) {
  std::filesystem::path Path(Options.Input);
  if (Path.filename().empty())
    Path = Path.parent_path();
  views::JSON J = views::resultHead("study", HEDDLE_VERSION);
  J["kernel"] = Path.stem().string();
  views::StudyView(Run.Study, Run.Calls).addTo(J);
  addInputs(J, Options);
  addAssumptions(J, Run.Profile.Assumptions);
  if (!Run.Calls.empty())
    J["reads"] = {{"equal", Run.Checker.equal()},
                  {"near", Run.Checker.near()},
                  {"different", Run.Checker.different()},
                  {"verdicts", Run.Checker.verdicts()},
                  {"largest_error", Run.Checker.largestError()}};
  if (Run.Checked) {
    J["reads"]["causes"] = Run.Checked->Causes;
    J["reads"]["findings"] = Run.Checked->Findings;
    J["reads"]["block_order"] = Run.Checked->Orders;
  }
  return J;
}

} // namespace heddle::tool
