//===- LaunchSimulator.cpp - Whole launches of an application -------------===//

#include "heddle/Driver/LaunchSimulator.h"

#include "heddle/Driver/Application.h"

#include "models/ModelRun.h"
#include "trace/GridBarriers.h"

#include "llvm/ADT/STLExtras.h"

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
             const arch::GPUSpec &Spec, timing::LaunchControl *Control,
             memory::L2Contents *L2, timing::StateKeeper *Keeper) {
  timing::SimulationOptions O;
  O.Threads = S.options().Threads;
  O.Control = Control;
  O.L2 = L2;
  O.States = Keeper;
  O.OnProgress = [&S](const timing::SimulationProgress &) {
    return !S.options().Cancelled || !S.options().Cancelled();
  };
  auto R = expected(models::simulateTimed(Source, Spec, O));
  if (R && R->Truncated)
    return cancelled();
  return R;
}

const memory::L2Contents *LaunchSimulator::findL2(uint64_t Fingerprint) const {
  const auto At = llvm::find_if(
      States, [&](const auto &S) { return S.first == Fingerprint; });
  return At == States.end() ? nullptr : &At->second;
}

void LaunchSimulator::addL2(uint64_t Fingerprint, memory::L2Contents L2) {
  constexpr size_t MostStates = 8; // some 16 MiB each, with an A100's L2
  if (!findL2(Fingerprint))
    States.emplace_back(Fingerprint, std::move(L2));
  if (States.size() > MostStates)
    States.pop_front();
}

/// The result of a launch before that was the same, unless what it left in L2
/// has been forgotten; L2 then is that.
const WholeLaunch *LaunchSimulator::recall(const std::optional<Key> &K) {
  const auto At = K ? Known.find(*K) : Known.end();
  if (At == Known.end() || !knowsL2(At->second.L2After))
    return nullptr;
  L2Now = At->second.L2After;
  return &At->second;
}

/// \p K of before the launch.
void LaunchSimulator::remember(const std::optional<Key> &K,
                               const WholeLaunch &L) {
  L2Now = L.L2After;
  if (K)
    Known.insert_or_assign(*K, L);
}

/// Passes \p Source on until the session is cancelled.
static models::WatchedSource watched(const Session &S,
                                     trace::TraceSource &Source) {
  return {Source, [&S](uint64_t, uint64_t, uint64_t) {
            return !S.options().Cancelled || !S.options().Cancelled();
          }};
}

/// Executes the launch of \p Source, unless it is too long to be held.
static llvm::Expected<trace::KeptTrace> keep(models::WatchedSource &Source) {
  return expected(trace::KeptTrace::read(Source, KeptBytes));
}

std::optional<LaunchSimulator::Key>
LaunchSimulator::keyOf(Session &S, const trace::KeptTrace &Kept) const {
  if (!Kept.identity())
    return std::nullopt;
  return Key(S.launch().Program, *Kept.identity(), L2Now);
}

llvm::Expected<timing::SimulationResult>
LaunchSimulator::simulateBlocks(const Session &S, trace::TraceSource &Source,
                                timing::LaunchControl *Control,
                                timing::StateKeeper *KeptIn) {
  if (!keepsL2())
    return simulatePart(S, Source, Spec, Control, nullptr, KeptIn);
  memory::L2Contents L2;
  if (L2Now) {
    const memory::L2Contents *Left = findL2(L2Now);
    if (!Left)
      return failure("what the launch before left in L2 is not there");
    L2 = *Left;
  }
  auto R = simulatePart(S, Source, Spec, Control, &L2, KeptIn);
  if (!R)
    return R.takeError();
  L2Now = L2.fingerprint();
  addL2(L2Now, std::move(L2));
  return R;
}

/// What the launch took of the GPU while it ran alone.
static streams::LaunchUse useOf(const timing::SimulationResult &R,
                                const arch::GPUSpec &Spec) {
  streams::LaunchUse Use;
  Use.TimeUs = double(R.Cycles) / Spec.Clock.Core;
  Use.Blocks = R.Grid.count();
  Use.Occupancy = R.Occupancy;
  const double Cycles = double(R.Cycles);
  auto Busy = [&](const std::string &Name, double Used, double Whole) {
    if (Used > 0 && Whole > 0)
      Use.Busy[Name] = std::min(1.0, Used / Whole);
  };
  Busy("issue", double(R.IssuedInstructions),
       Cycles * Spec.SM.Count * Spec.SM.Schedulers * Spec.SM.MaxIssue);
  Busy("l2", double(R.L2.Accesses) * Spec.L2.CyclesPerSector,
       Cycles * Spec.Clock.L2 / Spec.Clock.Core * Spec.L2.Slices);
  Busy("dram", R.DRAM.Utilization, 1);
  for (const timing::PipeCounters &P : R.Pipes)
    Busy("pipe " + P.Name, P.Utilization, 1);
  return Use;
}

namespace {
/// Leaves all blocks out.
struct WarmAll : timing::LaunchControl {
  timing::BlockFate next(uint64_t) override { return timing::BlockFate::Warm; }
  void onWindow(const timing::WindowState &) override {}
};
} // namespace

llvm::Expected<PassedLaunch> LaunchSimulator::pass(Session &S) {
  if (!keepsL2()) {
    if (llvm::Error E = execute(S))
      return E;
    return PassedLaunch();
  }
  auto Source = S.makeTraceSource(Level);
  if (!Source)
    return Source.takeError();
  models::WatchedSource Watched = watched(S, **Source);
  auto Kept = keep(Watched);
  if (!Kept)
    return Kept.takeError();
  const std::optional<Key> K = keyOf(S, *Kept);
  if (const auto At = K ? Passed.find(*K) : Passed.end();
      At != Passed.end() && knowsL2(At->second.L2After)) {
    L2Now = At->second.L2After;
    return At->second;
  }
  // Blocks that meet at a barrier cannot be left out.
  WarmAll All;
  const bool Meet = trace::blocksMeet(*Kept);
  auto R = simulateBlocks(S, *Kept, Meet ? nullptr : &All);
  if (!R)
    return R.takeError();
  const PassedLaunch P = {Meet ? R->L2.Accesses : R->WarmedSectors,
                          Meet ? R->L2.Misses : R->WarmedMisses, L2Now};
  if (K)
    Passed.insert_or_assign(*K, P);
  return P;
}

llvm::Expected<WholeLaunch>
LaunchSimulator::simulate(Session &S, sampling::UnitRecorder *Recorder,
                          const KnownLaunch &Ask) {
  auto Source = S.makeTraceSource(Level);
  if (!Source)
    return Source.takeError();
  models::WatchedSource Watched = watched(S, **Source);
  auto Kept = keep(Watched);
  if (!Kept)
    return Kept.takeError();
  const std::optional<Key> K = keyOf(S, *Kept);
  if (const WholeLaunch *L = recall(K))
    return *L;

  if (auto Told = Ask ? Ask(Distinct++) : std::nullopt) {
    if (!K)
      if (llvm::Error E = expected(Kept->readRest()))
        return E;
    remember(K, *Told);
    return *Told;
  }

  auto R = simulateBlocks(S, *Kept, Recorder, Recorder ? nullptr : Keeper);
  if (!R)
    return R.takeError();
  WholeLaunch L{R->Cycles, R->WarpInstructions,   {},
                false,     keepsL2() ? L2Now : 0, useOf(*R, Spec)};
  if (Recorder)
    L.Units = Recorder->finish(*R);
  remember(K, L);
  return L;
}

} // namespace heddle
