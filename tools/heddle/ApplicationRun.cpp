//===- ApplicationRun.cpp - The launches of an application in order -------===//

#include "ApplicationRun.h"

#include "Progress.h"

#include "launch/LaunchFile.h"
#include "launch/ScalarTypes.h"
#include "record/Recording.h"
#include "sampling/ProfileBuilder.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <utility>

namespace heddle::tool {

static launch::Application
readRecording(const SessionOptions &Options,
              std::map<std::string, uint64_t> *Calls) {
  if (!Options.LaunchFile.empty() || !Options.Grid.empty() ||
      !Options.Block.empty() || !Options.Args.empty() ||
      Options.DynamicShared || !Options.Kernel.empty())
    throw CommandError{Options.Input +
                           ": a recording holds its launches; leave "
                           "out --kernel, --launch, --grid, "
                           "--block, --arg and --dynamic-shared",
                       BadUsage};
  record::Recording R = take(record::readRecording(Options.Input));
  if (R.Launches == 0)
    throw CommandError{Options.Input +
                       ": the recorded program launched no kernel that can be "
                       "replayed"};
  if (!R.Complete && !Options.Quiet)
    fmt::print(stderr,
               "heddle: warning: {}: the recording ends after {} launches: the "
               "program was killed, or the file was cut off\n",
               Options.Input, R.Launches);
  if (Calls)
    *Calls = std::move(R.Calls);
  return std::move(R.Application);
}

launch::Application readApplication(const SessionOptions &Options,
                                    std::map<std::string, uint64_t> *Calls) {
  if (record::isRecording(Options.Input))
    return readRecording(Options, Calls);
  const bool OnlyFile = Options.Grid.empty() && Options.Block.empty() &&
                        Options.Args.empty() && !Options.DynamicShared;
  if (!Options.LaunchFile.empty() && OnlyFile) {
    launch::Application A =
        take(launch::readApplicationFile(Options.LaunchFile));
    if (!Options.Kernel.empty())
      for (launch::Step &S : A.Steps)
        S.Launch.Kernel = Options.Kernel;
    return A;
  }
  launch::Application A;
  A.File = Options.LaunchFile;
  A.Steps.push_back({"", readLaunch(Options), {}});
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

void ReadChecker::check(const launch::ReadBuffer &Read,
                        const exec::DeviceMemory &Memory, size_t Launches) {
  const exec::ReadOutcome R = take(exec::compare(Read, Memory, Tolerance));
  LargestError = std::max(LargestError, R.LargestError);
  ++(R.What == exec::ReadOutcome::Equal  ? Equal
     : R.What == exec::ReadOutcome::Near ? Near
                                         : Different);
  if (R.Mismatches && First.empty())
    First =
        fmt::format("read {} of '{}' after {} launches: {} of {} elements "
                    "differ; at index {} the program got {}, the replay {}",
                    Equal + Near + Different, Read.Buffer, Launches,
                    R.Mismatches, R.Elements, R.FirstIndex, R.Expected, R.Got);
}

std::string ReadChecker::text() const {
  std::string Text =
      fmt::format("{} results read: {} equal", Equal + Near + Different, Equal);
  if (Near)
    Text += fmt::format(", {} within {:g}", Near, Tolerance);
  if (Different)
    Text += fmt::format(", {} different", Different);
  if (LargestError > 0)
    Text += fmt::format(" (largest error {:.1e})", LargestError);
  return Text;
}

void ReadChecker::requireEqual() const {
  if (Different)
    throw CommandError{text() + "\n" + First};
}

void forEachLaunch(const SessionOptions &Options,
                   const launch::Application &Application,
                   const std::function<void(size_t, Session &)> &Visit,
                   ReadChecker *Checker) {
  auto Memory =
      std::make_shared<exec::DeviceMemory>(take(exec::DeviceMemory::create()));
  // The last launch of each program; one stands for the command line's.
  std::vector<std::unique_ptr<Session>> Last(
      std::max<size_t>(Application.Programs.size(), 1));
  size_t Index = 0;
  for (const launch::Step &Step : Application.Steps) {
    if (const auto *Read = std::get_if<launch::ReadBuffer>(&Step.Host);
        Read && Checker)
      Checker->check(*Read, *Memory, Index);
    else if (!Step.isLaunch())
      take(exec::apply(Step.Host, *Memory));
    if (!Step.isLaunch())
      continue;
    std::unique_ptr<Session> &S = Last[Step.Launch.Program];
    if (S) {
      S = std::make_unique<Session>(*S, Step.Launch);
    } else {
      SessionOptions Own = Options;
      if (!Application.Programs.empty()) {
        const launch::Program &P = Application.Programs[Step.Launch.Program];
        Own.Input = P.Path;
        Own.ClangArgs = P.ClangArgs;
        Own.ClangArgs.insert(Own.ClangArgs.end(), Options.ClangArgs.begin(),
                             Options.ClangArgs.end());
      }
      S = std::make_unique<Session>(Own, Step.Launch, Contents::Filled, Memory);
    }
    Visit(Index++, *S);
  }
}

static exec::LaunchResult run(Session &S, Engine &E,
                              exec::LaunchOptions Options) {
  Options.Threads = S.options().Threads;
  Options.MaxSteps = S.options().MaxSteps;
  Options.InOrder = S.blockOrderMatters();
  std::atomic<bool> Stop = false;
  Options.Stop = &Stop;
  Options.Progress = [&Stop](uint64_t, uint64_t) {
    if (Progress::interrupted())
      Stop = true;
  };
  exec::LaunchResult R =
      take(exec::runLaunch(E.kernel(), S.bound(), S.memory(), Options));
  if (R.Failed)
    throw CommandError{S.message(*R.Failed)};
  return R;
}

void execute(Session &S) { run(S, *S.sharedEngine({}), {}); }

void replay(const SessionOptions &Options, double Tolerance) {
  const launch::Application A = readApplication(Options);
  ReadChecker Checker(Tolerance);
  size_t Launches = 0;
  forEachLaunch(
      Options, A,
      [&](size_t, Session &S) {
        execute(S);
        ++Launches;
      },
      &Checker);
  Checker.requireEqual();
  if (!Options.Quiet)
    fmt::print("executed {} launches; {}\n", Launches, Checker.text());
}

/// What tells two launches of a kernel apart.
static std::string argumentText(const launch::Launch &L) {
  std::string Text;
  for (const launch::Argument &A : L.Args) {
    Text += Text.empty() ? "" : ", ";
    if (const auto *B = std::get_if<launch::BufferArg>(&A.Value))
      Text += B->OffsetBytes ? fmt::format("{}+{}", B->Name, B->OffsetBytes)
                             : B->Name;
    else if (const auto *S = std::get_if<launch::ScalarArg>(&A.Value))
      Text += launch::isFloat(S->Type) ? fmt::format("{}", S->Float)
                                       : fmt::format("{}", S->Integer);
    else if (const auto *Local = std::get_if<launch::LocalArg>(&A.Value))
      Text += fmt::format("local {}", Local->SizeBytes);
    else if (const auto *Bytes = std::get_if<launch::BytesArg>(&A.Value)) {
      Text += fmt::format("bytes {:02x}", fmt::join(Bytes->Bytes, ""));
      for (const launch::BytesArg::Pointer &P : Bytes->Pointers)
        Text += " " + P.Buffer.Name;
    }
  }
  return Text;
}

sampling::LaunchProfile profile(Session &S, sampling::StudyBuilder *Study) {
  EngineOptions Hooks;
  Hooks.Counters = true;
  std::shared_ptr<Engine> E = S.sharedEngine(Hooks);
  const KernelCode &Code = S.codeTable(ISA::PTX);
  const trace::CodeTable &Table = S.traceTable(ISA::PTX);
  sampling::ProfileBuilder Builder(S.traceHeader(Code), Table);
  exec::LaunchOptions Options;
  Options.Counters = true;
  Options.OnBlock = [&](uint64_t Block, const exec::LaunchCounters &C) {
    Builder.block(Block, C.Blocks, C.Memory);
  };
  exec::LaunchResult R = run(S, *E, Options);
  sampling::LaunchProfile P =
      Builder.finish(R.Counters.Blocks, R.Counters.Memory);
  P.Arguments = argumentText(S.launch());
  if (Study)
    Study->add(S.launch().Program, P, Table, R.Counters.Blocks);
  return P;
}

static std::vector<bool>
launchesAfterSync(const launch::Application &Application) {
  std::vector<bool> AfterSync;
  bool Sync = false;
  for (const launch::Step &S : Application.Steps) {
    if (S.isLaunch())
      AfterSync.push_back(std::exchange(Sync, false));
    Sync |= !S.Sync.empty();
  }
  return AfterSync;
}

sampling::ApplicationProfile profile(const SessionOptions &Options,
                                     const launch::Application &Application,
                                     ReadChecker *Checker,
                                     sampling::StudyBuilder *Study) {
  sampling::ApplicationProfile Profile;
  Progress Bar("profiling", "warp instructions", Options.Quiet);
  uint64_t Instructions = 0;
  const std::vector<bool> AfterSync = launchesAfterSync(Application);
  forEachLaunch(
      Options, Application,
      [&](size_t Index, Session &S) {
        Profile.Launches.push_back(profile(S, Study));
        Profile.Launches.back().AfterSync = AfterSync[Index];
        Instructions += Profile.Launches.back().total().WarpInstructions;
        if (!Bar.update(Index + 1, Application.Steps.size(), Instructions))
          throw CommandError{"interrupted"};
      },
      Checker);
  return Profile;
}

} // namespace heddle::tool
