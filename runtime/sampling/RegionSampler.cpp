//===- RegionSampler.cpp - TBPoint's region sampling ----------------------===//

#include "sampling/RegionSampler.h"

#include <cmath>

namespace heddle::sampling {

RegionSampler::RegionSampler(const RegionTable &Table,
                             const LaunchProfile &Profile,
                             const RegionSamplerOptions &Options)
    : Table(Table), Profile(Profile), Options(Options) {}

bool RegionSampler::inside(const Region &R) const {
  return Running.size() == 1 && Running.begin()->first == &R;
}

timing::BlockFate RegionSampler::next(uint64_t Block) {
  const Region &R = Table.of(Block);
  if (Forward == &R) {
    SkippedRegion &S = Skipped.back();
    ++S.Blocks;
    S.WarpInstructions += Profile.Blocks[Block].WarpInstructions;
    return Options.WarmCaches ? timing::BlockFate::Warm
                              : timing::BlockFate::Skip;
  }
  Forward = nullptr;
  start(Block, R);
  return timing::BlockFate::Simulate;
}

void RegionSampler::start(uint64_t Block, const Region &R) {
  ++Running[&R];
  if (!inside(R) && Current)
    Current->Of = nullptr;
  if (!Current)
    Current = Unit{Block, inside(R) ? &R : nullptr, Now, Issued};
}

void RegionSampler::onWindow(const timing::WindowState &State) {
  Now = State.Now;
  Issued = State.WarpInstructions;
  for (uint64_t Block : State.Ended) {
    auto At = Running.find(&Table.of(Block));
    if (!--At->second)
      Running.erase(At);
  }
  for (uint64_t Block : State.Ended)
    if (Current && Current->Block == Block)
      finishUnit(State);
}

void RegionSampler::finishUnit(const timing::WindowState &State) {
  const Unit U = *Current;
  Current.reset();
  if (!U.Of || State.Now == U.Start) {
    Previous.reset();
    return;
  }
  double IPC = double(State.WarpInstructions - U.Instructions) /
               double(State.Now - U.Start);
  bool Stable = Previous && Latest == U.Of &&
                std::abs(IPC - *Previous) < Options.StableIPC * *Previous;
  if (Stable) {
    Forward = U.Of;
    Skipped.push_back({U.Of->First, U.Of->End, 0, 0, IPC});
    Previous.reset();
    return;
  }
  Previous = IPC;
  Latest = U.Of;
}

double RegionSampler::skippedCycles() const {
  double Cycles = 0;
  for (const SkippedRegion &S : Skipped)
    Cycles += double(S.WarpInstructions) / S.IPC;
  return Cycles;
}

uint64_t RegionSampler::skippedInstructions() const {
  uint64_t Sum = 0;
  for (const SkippedRegion &S : Skipped)
    Sum += S.WarpInstructions;
  return Sum;
}

} // namespace heddle::sampling
