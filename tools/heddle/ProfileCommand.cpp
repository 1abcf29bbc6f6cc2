//===- ProfileCommand.cpp - heddle profile --------------------------------===//

#include "ApplicationRun.h"
#include "Commands.h"
#include "TextOutput.h"

#include "sampling/ProfileFile.h"

#include <CLI/CLI.hpp>

#include <memory>

namespace heddle::tool {

namespace {
struct ProfileOptions {
  SessionOptions Session;
  std::string Output = "-";
};

void run(const ProfileOptions &Options) {
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
  Command->callback([Options] { run(*Options); });
}

} // namespace heddle::tool
