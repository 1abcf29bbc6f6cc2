//===- SweepWorker.cpp - Evaluates configurations of a sweep --------------===//

#include "SweepWorker.h"

#include "CommonOptions.h"
#include "TextOutput.h"

#include "arch/SpecReader.h"
#include "heddle/Driver/TraceModes.h"
#include "launch/LaunchFile.h"
#include "models/ModelRun.h"
#include "timing/Simulator.h"
#include "views/MemoryView.h"
#include "views/SummaryView.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace heddle::tool {

SweepWorker::SweepWorker(const SweepPlan &Plan) : Plan(Plan) {
  if (!Plan.Launch.empty())
    Launch = take(launch::readLaunchFile(Plan.Launch));
}

SweepWorker::~SweepWorker() = default;

Session &SweepWorker::sessionFor(const SweepSettings &Settings,
                                 const arch::GPUSpec &Spec) {
  const std::string Arch = Spec.Target.empty() ? "sm_70" : Spec.Target;
  SessionOptions O;
  O.OnPhase = nullptr; // a child shows no progress
  O.Order = laneOrderFor(Spec);
  O.Input = Plan.Input;
  O.ClangArgs = Settings.ClangArgs;
  O.Arch = Arch;
  std::string Key = fmt::format("{}\n{}\n{}", Arch, unsigned(O.Order),
                                fmt::join(Settings.ClangArgs, "\n"));
  if (Current && Key == Compiled) {
    take(Current->restart(Settings.Launch,
                          contentsFor(traceModeOf(Plan.Trace))));
    return *Current;
  }
  Current.reset(); // its memory goes first
  Current = take(Session::create(O, Settings.Launch,
                                 contentsFor(traceModeOf(Plan.Trace))));
  Compiled = Key;
  return *Current;
}

std::string SweepWorker::result(const SweepSettings &Settings) {
  arch::GPUSpec Spec = take(arch::loadMachine(Settings.GPU, Settings.Sets));
  Session &S = sessionFor(Settings, Spec);
  const KernelCode &Code = take(S.codeTable(levelFor(Spec)));
  auto Source = take(makeTraceSource(S, Code, traceModeOf(Plan.Trace)));
  views::JSON Out;
  if (Settings.Model == "simulate") {
    const auto R = take(expected(models::simulateTimed(*Source, Spec)));
    views::SummaryView(R).addTo(Out);
    views::MemoryView(R).addTo(Out);
  } else {
    models::ModelRequest O;
    O.Model = Settings.Model;
    Out = take(models::runModel(*Source, Spec, O)).JSON;
  }
  addCode(Out, *Source, &Code);
  std::vector<std::string> Assumptions;
  noteAssumptions(Assumptions, S);
  addAssumptions(Out, Assumptions);
  return jsonText(Out);
}

SweepRow SweepWorker::evaluate(uint64_t Index) {
  SweepRow Row;
  Row.Index = Index;
  auto Point = Plan.point(Index);
  views::JSON Settings = views::JSON::object();
  for (const auto &[Key, Value] : Point)
    Settings[Key] = Value;
  Row.Settings = jsonText(Settings);
  try {
    Row.Result = result(take(settingsOf(Plan, Launch, Point)));
  } catch (const CommandError &E) {
    Row.Message = E.Message.empty() ? "failed" : E.Message;
  } catch (const std::exception &E) {
    Row.Message = fmt::format("internal error: {}", E.what());
  }
  if (!Row.Message.empty())
    Current.reset();
  return Row;
}

} // namespace heddle::tool
