//===- ProfileCommand.cpp - heddle profile --------------------------------===//

#include "ApplicationRun.h"
#include "BehaviorRun.h"
#include "Commands.h"
#include "TextOutput.h"

#include "behavior/BehaviorFile.h"
#include "sampling/ProfileFile.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace heddle::tool {

namespace {
struct ProfileOptions {
  SessionOptions Session;
  std::string Output = "-";
  bool Behavior = false;
  std::string DotFile;
};

void writeText(const std::string &Path, const std::string &Text) {
  TextOutput Out = take(TextOutput::create(Path));
  take(Out.write(Text));
  take(Out.finish());
}

void runBehavior(const ProfileOptions &Options) {
  Session S(Options.Session);
  const behavior::Profile P = behaviorOf(S);
  if (Options.Behavior)
    writeText(Options.Output, behavior::writeBehavior(P, HEDDLE_VERSION));
  if (!Options.DotFile.empty())
    writeText(Options.DotFile, behavior::behaviorDot(P));
}

void run(const ProfileOptions &Options) {
  if (Options.Behavior || !Options.DotFile.empty())
    return runBehavior(Options);
  const launch::Application A = readApplication(Options.Session);
  const sampling::ApplicationProfile Profile = profile(Options.Session, A);
  TextOutput Out = take(TextOutput::create(Options.Output));
  take(Out.write(sampling::writeProfile(Profile, HEDDLE_VERSION)));
  take(Out.finish());
}
} // namespace

void addProfileCommand(CLI::App &App) {
  CLI::App *Command = App.add_subcommand(
      "profile", "execute an application and write what each block did");
  auto Options = std::make_shared<ProfileOptions>();
  addInputOptions(*Command, Options->Session);
  addLaunchOptions(*Command, Options->Session);
  addExecutionOptions(*Command, Options->Session);
  Command->add_flag("-q,--quiet", Options->Session.Quiet, "no progress");
  Command->add_option("-o", Options->Output, "profile to write ('-': stdout)");
  Command->add_flag("--behavior", Options->Behavior,
                    "write the behaviour of one launch, for heddle clone");
  Command->add_option(
      "--dot", Options->DotFile,
      "write the divergence flow statistics graph of one launch "
      "for Graphviz");
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
