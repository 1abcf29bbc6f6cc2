//===- ApplicationRun.cpp - The launches of an application in order -------===//

#include "ApplicationRun.h"

#include "Progress.h"

#include "launch/LaunchFile.h"
#include "sampling/ProfileBuilder.h"

#include <atomic>

namespace heddle::tool {

launch::Application readApplication(const SessionOptions &Options) {
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
  A.Steps.push_back({"", readLaunch(Options)});
  return A;
}

void forEachLaunch(const SessionOptions &Options,
                   const launch::Application &Application,
                   const std::function<void(size_t, Session &)> &Visit) {
  std::unique_ptr<Session> S;
  size_t Index = 0;
  for (const launch::Step &Step : Application.Steps) {
    if (!Step.Sync.empty())
      continue;
    S = S ? std::make_unique<Session>(*S, Step.Launch)
          : std::make_unique<Session>(Options, Step.Launch);
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

sampling::LaunchProfile profile(Session &S) {
  EngineOptions Hooks;
  Hooks.Counters = true;
  std::shared_ptr<Engine> E = S.sharedEngine(Hooks);
  const KernelCode &Code = S.codeTable(ISA::PTX);
  const trace::CodeTable Table = traceCode(Code);
  sampling::ProfileBuilder Builder(S.traceHeader(Code), Table);
  exec::LaunchOptions Options;
  Options.Counters = true;
  Options.OnBlock = [&](uint64_t Block, const exec::LaunchCounters &C) {
    Builder.block(Block, C.Blocks, C.Memory);
  };
  exec::LaunchResult R = run(S, *E, Options);
  return Builder.finish(R.Counters.Blocks);
}

sampling::ApplicationProfile profile(const SessionOptions &Options,
                                     const launch::Application &Application) {
  sampling::ApplicationProfile Profile;
  Progress Bar("profiling", "warp instructions", Options.Quiet);
  uint64_t Instructions = 0;
  forEachLaunch(Options, Application, [&](size_t Index, Session &S) {
    Profile.Launches.push_back(profile(S));
    Instructions += Profile.Launches.back().total().WarpInstructions;
    if (!Bar.update(Index + 1, Application.Steps.size(), Instructions))
      throw CommandError{"interrupted"};
  });
  return Profile;
}

} // namespace heddle::tool
