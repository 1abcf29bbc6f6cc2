//===- ApplicationRun.cpp - Applications on the command line --------------===//

#include "ApplicationRun.h"

#include "Progress.h"

#include "views/ResultHead.h"
#include "views/StudyView.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <filesystem>

namespace heddle::tool {

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

void replay(const SessionOptions &Options, double Tolerance) {
  const ReadApplication A = readApplication(Options);
  ReadChecker Checker(Tolerance);
  size_t Launches = 0;
  auto Visit = [&](size_t, Session &S) {
    ++Launches;
    return execute(S);
  };
  take(forEachLaunch(Options, A.Application, Visit, &Checker));
  if (Checker.different())
    throw CommandError{Checker.report()};
  if (!Options.Quiet)
    fmt::print("executed {} launches; {}\n", Launches, Checker.text());
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

void tellReads(const ReadChecker &Checker, bool Quiet) {
  if (Checker.different())
    fmt::print(stderr, "heddle: warning: the replay differs from the run: {}\n",
               Checker.report());
  else if (!Quiet)
    fmt::print(stderr, "heddle: {}\n", Checker.text());
}

StudyRun study(const SessionOptions &Options, double Tolerance) {
  StudyRun Run{{}, {}, {}, ReadChecker(Tolerance)};
  ReadApplication A = readApplication(Options);
  sampling::StudyBuilder Builder;
  Run.Profile =
      profileApplication(Options, A.Application, &Run.Checker, &Builder);
  Run.Study = Builder.finish();
  Run.Calls = std::move(A.Calls);
  if (!A.Application.Programs.empty())
    tellReads(Run.Checker, Options.Quiet);
  return Run;
}

views::JSON studyJSON(const StudyRun &Run, const std::string &Input) {
  std::filesystem::path Path(Input);
  if (Path.filename().empty())
    Path = Path.parent_path();
  views::JSON J = views::resultHead("study", HEDDLE_VERSION);
  J["kernel"] = Path.stem().string();
  views::StudyView(Run.Study, Run.Calls).addTo(J);
  addAssumptions(J, Run.Profile.Assumptions);
  if (!Run.Calls.empty())
    J["reads"] = {{"equal", Run.Checker.equal()},
                  {"near", Run.Checker.near()},
                  {"different", Run.Checker.different()},
                  {"verdicts", Run.Checker.verdicts()},
                  {"largest_error", Run.Checker.largestError()}};
  return J;
}

} // namespace heddle::tool
