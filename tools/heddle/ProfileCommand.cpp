//===- ProfileCommand.cpp - heddle profile --------------------------------===//

#include "ApplicationRun.h"
#include "Commands.h"
#include "TextOutput.h"

#include "behavior/BehaviorFile.h"
#include "behavior/BehaviorGraph.h"
#include "sampling/ProfileFile.h"
#include "views/StudyView.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <memory>

namespace heddle::tool {

namespace {
struct ProfileOptions {
  SessionOptions Session;
  /// Empty: stdout, unless the study is written as JSON.
  std::string Output;
  double Tolerance = DefaultTolerance;
  bool Check = false;
  std::string Analysis; ///< shared object; empty: none
  bool Behavior = false;
  std::string DotFile;
};

std::string output(const ProfileOptions &Options) {
  return Options.Output.empty() ? "-" : Options.Output;
}

void runBehavior(const ProfileOptions &Options) {
  const behavior::Profile P =
      take(behaviorOf(*take(Session::create(Options.Session))));
  if (Options.Behavior)
    writeText(output(Options), behavior::writeBehavior(P, HEDDLE_VERSION));
  if (!Options.DotFile.empty())
    writeText(Options.DotFile, behavior::behaviorDot(P));
}

void run(const ProfileOptions &Options) {
  if (Options.Behavior || !Options.DotFile.empty())
    return runBehavior(Options);
  const SessionOptions &Common = Options.Session;
  if (!Options.Analysis.empty())
    return writeText(output(Options), runAnalysis(Common, Options.Analysis));
  const StudyRun Run = study(Common, Options.Tolerance, Options.Check);
  const bool ToStdout =
      Options.Output == "-" || (Options.Output.empty() && Common.Json.empty());
  if (ToStdout || !Options.Output.empty())
    writeText(ToStdout ? "-" : Options.Output,
              sampling::writeProfile(Run.Profile, HEDDLE_VERSION));
  if (!Common.Json.empty())
    writeJSON(Common.Json, studyJSON(Run, Common));
  if (!Common.Quiet && !ToStdout && Common.Json != "-")
    writeText("-", views::StudyView(Run.Study, Run.Calls).text());
}
} // namespace

void addProfileCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "profile", "Execute an application and write what each block did");
  auto Options = std::make_shared<ProfileOptions>();
  addSessionOptions(*Command, Options->Session);
  Command->add_option("-o", Options->Output,
                      "profile to write ('-': stdout, also without -o, unless "
                      "there is --json)");
  Command->add_flag("--behavior", Options->Behavior,
                    "write the behaviour of one launch, for heddle clone");
  Command->add_option(
      "--dot", Options->DotFile,
      "write the divergence flow statistics graph of one launch "
      "for Graphviz");
  Command
      ->add_option("--analysis", Options->Analysis,
                   "show the launches to an analysis of your own "
                   "(docs/CustomAnalyses.md) and write its report instead")
      ->option_text("SHARED-OBJECT");
  addToleranceOption(*Command, Options->Tolerance);
  addReplayCheckOption(*Command, Options->Check);
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
