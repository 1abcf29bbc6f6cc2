//===- LaunchSimulator.cpp - Whole launches of an application -------------===//

#include "heddle/Driver/LaunchSimulator.h"

#include "models/ModelRun.h"

namespace heddle {

std::vector<timing::DeviceRange> copiedBuffers(Session &S) {
  std::vector<timing::DeviceRange> Ranges;
  auto Buffer = S.memory().buffers().begin();
  auto End = S.memory().buffers().end();
  launch::forEachBuffer(S.launch(), [&](const launch::BufferArg &B) {
    while (Buffer != End && !(*Buffer)->IsArgument)
      ++Buffer;
    if (Buffer == End)
      return;
    if (!std::holds_alternative<launch::InitZero>(B.Init))
      Ranges.push_back(
          {S.memory().toDevice((*Buffer)->Address), (*Buffer)->SizeBytes});
    ++Buffer;
  });
  return Ranges;
}

llvm::Expected<timing::SimulationResult>
simulatePart(const Session &S, trace::TraceSource &Source,
             const arch::GPUSpec &Spec, timing::LaunchControl *Control) {
  timing::SimulationOptions O;
  O.Threads = S.options().Threads;
  O.Control = Control;
  O.OnProgress = [&S](const timing::SimulationProgress &) {
    return !S.options().Cancelled || !S.options().Cancelled();
  };
  auto R = expected(models::simulateTimed(Source, Spec, O));
  if (R && R->Truncated)
    return cancelled();
  return R;
}

llvm::Expected<WholeLaunch>
LaunchSimulator::simulate(Session &S, sampling::UnitRecorder *Recorder,
                          const KnownLaunch &Ask) {
  auto Source = S.makeTraceSource(ISA::PTX);
  if (!Source)
    return Source.takeError();
  models::WatchedSource Watched(**Source, [&S](uint64_t, uint64_t, uint64_t) {
    return !S.options().Cancelled || !S.options().Cancelled();
  });
  auto Kept = expected(trace::KeptTrace::read(Watched, KeptBytes));
  if (!Kept)
    return Kept.takeError();
  if (Kept->identity())
    if (auto At = Known.find({S.launch().Program, *Kept->identity()});
        At != Known.end())
      return At->second;

  if (auto Told = Ask ? Ask(Distinct++) : std::nullopt) {
    if (Kept->identity())
      Known.emplace(std::pair(S.launch().Program, *Kept->identity()), *Told);
    else if (llvm::Error E = expected(Kept->readRest()))
      return E;
    return *Told;
  }

  auto R = simulatePart(S, *Kept, Spec, Recorder);
  if (!R)
    return R.takeError();
  WholeLaunch L{R->Cycles, R->WarpInstructions, {}, false};
  if (Recorder)
    L.Units = Recorder->finish(*R);
  if (Kept->identity())
    Known.emplace(std::pair(S.launch().Program, *Kept->identity()), L);
  return L;
}

} // namespace heddle
