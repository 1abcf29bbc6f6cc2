//===- StudyRun.cpp - Profiles an application and studies it --------------===//

#include "StudyRun.h"

#include "views/StudyView.h"

#include <fmt/format.h>

#include <filesystem>

namespace heddle::tool {

StudyRun study(const SessionOptions &Options, double Tolerance) {
  StudyRun Run{{}, {}, {}, ReadChecker(Tolerance)};
  const launch::Application A = readApplication(Options, &Run.Calls);
  sampling::StudyBuilder Builder;
  Run.Profile = profile(Options, A, &Run.Checker, &Builder);
  Run.Study = Builder.finish();
  Run.Checker.requireEqual();
  if (!Options.Quiet && !A.Programs.empty())
    fmt::print(stderr, "heddle: {}\n", Run.Checker.text());
  return Run;
}

views::JSON studyJSON(const StudyRun &Run, const std::string &Input) {
  std::filesystem::path Path(Input);
  if (Path.filename().empty())
    Path = Path.parent_path();
  views::JSON J = {{"tool", "heddle"},
                   {"version", HEDDLE_VERSION},
                   {"kernel", Path.stem().string()}};
  views::StudyView(Run.Study, Run.Calls).addTo(J);
  if (!Run.Calls.empty())
    J["reads"] = {{"equal", Run.Checker.equal()},
                  {"near", Run.Checker.near()},
                  {"largest_error", Run.Checker.largestError()}};
  return J;
}

} // namespace heddle::tool
