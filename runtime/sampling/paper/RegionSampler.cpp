//===- RegionSampler.cpp - TBPoint's region sampling ----------------------===//

#include "sampling/paper/RegionSampler.h"

#include "sampling/Statistics.h"

#include <cmath>

namespace heddle::sampling {

RegionSampler::RegionSampler(const RegionTable &Table,
                             const LaunchProfile &Profile,
                             const RegionSamplerOptions &Options,
                             const std::vector<uint64_t> *Counts)
    : Table(Table), Profile(Profile), Options(Options), Counts(Counts),
      TotalInstructions(Profile.total().WarpInstructions) {}

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
    Current = Unit{Block, inside(R) ? &R : nullptr, Now.Now,
                   Now.WarpInstructions, Now.L2FilledBytes};
}

void RegionSampler::onWindow(const timing::WindowState &State) {
  Now = State;
  for (uint64_t Block : State.Ended)
    end(Block);
  for (uint64_t Block : State.Ended)
    if (Current && Current->Block == Block)
      finishUnit();
}

void RegionSampler::end(uint64_t Block) {
  const Region &R = Table.of(Block);
  auto At = Running.find(&R);
  if (!--At->second)
    Running.erase(At);
  const uint64_t Profiled = Profile.Blocks[Block].WarpInstructions;
  const Ended E{Counts ? (*Counts)[Block] : Profiled, Profiled};
  for (Ended *Sum : {&OfRegion[&R], &OfLaunch}) {
    Sum->Simulated += E.Simulated;
    Sum->Profiled += E.Profiled;
  }
}

void RegionSampler::forget() {
  Previous.reset();
  Measured.clear();
}

bool RegionSampler::isStable(const Unit &U, double IPC) const {
  if (!Previous || std::abs(IPC - *Previous) >= Options.StableIPC * *Previous)
    return false;
  return isSettled(U);
}

bool RegionSampler::isSettled(const Unit &U) const {
  const uint64_t Filled = Now.L2FilledBytes, Size = Options.SettledBytes;
  // At this rate L2 will not be full when the launch ends.
  const bool NeverFull =
      double(Filled) * double(TotalInstructions) * OfLaunch.ratio() <
      double(Size) * double(Now.WarpInstructions);
  return Filled >= Size || NeverFull || (Filled - U.L2FilledBytes) * 100 < Size;
}

bool RegionSampler::isMeasured() const {
  if (Options.StandardError == 0)
    return true;
  constexpr size_t FewestUnits = 3;
  return Measured.size() >= FewestUnits &&
         coefficientOfVariation(Measured) /
                 std::sqrt(double(Measured.size() - 1)) <
             Options.StandardError;
}

void RegionSampler::finishUnit() {
  const Unit U = *Current;
  Current.reset();
  if (U.Of != Latest)
    forget();
  Latest = U.Of;
  if (!U.Of || Now.Now == U.Start)
    return forget();
  const double IPC =
      double(Now.WarpInstructions - U.Instructions) / double(Now.Now - U.Start);
  if (!Measured.empty() || isStable(U, IPC)) {
    Measured.push_back(IPC);
    if (isMeasured()) {
      Forward = U.Of;
      Skipped.push_back({U.Of->First, U.Of->End, 0, 0,
                         mean(Measured) / OfRegion[U.Of].ratio()});
      forget();
      return;
    }
  }
  Previous = IPC;
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
