//===- LaunchSimulator.cpp - Whole launches of an application -------------===//

#include "LaunchSimulator.h"

#include "Progress.h"

#include "timing/Simulator.h"

namespace heddle::tool {

WholeLaunch LaunchSimulator::simulate(Session &S,
                                      sampling::UnitRecorder *Recorder) {
  // Byte codes fold loops: this holds some hundred million warp instructions.
  constexpr uint64_t LimitBytes = uint64_t(256) << 20;
  auto Source = S.makeTraceSource(S.codeTable(ISA::PTX));
  trace::KeptTrace Kept = take(trace::KeptTrace::read(*Source, LimitBytes));
  if (Kept.identity())
    if (auto At = Known.find({S.launch().Program, *Kept.identity()});
        At != Known.end())
      return At->second;

  timing::SimulationOptions O;
  O.Threads = Threads;
  O.Control = Recorder;
  O.OnProgress = [](const timing::SimulationProgress &) {
    return !Progress::interrupted();
  };
  const timing::SimulationResult R = take(timing::simulate(Kept, Spec, O));
  if (R.Truncated)
    throw CommandError{"interrupted"};
  ++Simulated;
  WholeLaunch L{R.Cycles, R.WarpInstructions, {}};
  if (Recorder)
    L.Units = Recorder->finish(R);
  if (Kept.identity())
    Known.emplace(std::pair(S.launch().Program, *Kept.identity()), L);
  return L;
}

} // namespace heddle::tool
