//===- GridRunner.cpp - Thread blocks that run at the same time -----------===//

#include "exec/GridRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <new>
#include <queue>
#include <thread>

namespace heddle::exec {

/// Clusters that are held at once: as many as fit into the windows and into
/// some memory, more than any GPU holds.
static uint64_t clustersHeld(const HeddleWarpKernel &Kernel,
                             const BoundLaunch &Launch) {
  constexpr uint64_t MaxBytes = uint64_t(1) << 30;
  const Clusters Shape = clustersOf(Launch);
  const uint64_t Bytes = Kernel.FrameBytes * Launch.warpsPerBlock() +
                         Launch.SharedBytes + localBytesPerBlock(Launch);
  const uint64_t Most = std::min<uint64_t>(
      DeviceMemory::MaxWindows, MaxBytes / std::max<uint64_t>(Bytes, 1));
  return std::clamp<uint64_t>(Most / Shape.blocksPerCluster(), 1,
                              Shape.count());
}

GridRunner::GridRunner(const HeddleWarpKernel &Kernel,
                       const BoundLaunch &Launch, DeviceMemory &Memory,
                       bool Counters)
    : Kernel(Kernel), Launch(Launch), Memory(Memory), Counters(Counters),
      Shape(clustersOf(Launch)),
      Held(Kernel.HasGridBarrier ? Shape.count()
                                 : clustersHeld(Kernel, Launch)) {
  Teams.reserve(Held); // they stay where they are
}

Result<std::unique_ptr<GridRunner>>
GridRunner::create(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
                   DeviceMemory &Memory, bool Counters) {
  const uint64_t Count = Launch.Grid.count();
  if (Kernel.HasGridBarrier && Count > DeviceMemory::MaxWindows)
    return fail(fmt::format(
        "too many blocks in cooperative launch: the kernel has a barrier of "
        "the grid, so all {} blocks must be held at once; {} can be",
        Count, DeviceMemory::MaxWindows));
  std::unique_ptr<GridRunner> Grid(
      new GridRunner(Kernel, Launch, Memory, Counters));
  if (auto Ok = Memory.placeWindows(unsigned(Grid->Held), Launch.SharedBytes,
                                    localBytesPerBlock(Launch),
                                    Grid->Shape.blocksPerCluster());
      !Ok)
    return std::unexpected(Ok.error());
  return Grid;
}

size_t GridRunner::makeTeam() {
  if (!Memory.openWindows(unsigned(Teams.size() + 1)))
    throw std::bad_alloc();
  std::vector<BlockRunner *> Members;
  for (unsigned Rank = 0; Rank < Shape.blocksPerCluster(); ++Rank) {
    const size_t Runner = Blocks.size();
    Blocks.push_back(std::make_unique<BlockRunner>(Kernel, Launch, Memory,
                                                   unsigned(Runner), Counters));
    Members.push_back(Blocks.back().get());
    if (OnMake)
      OnMake(Runner);
  }
  ClusterRunner &Team = Teams.emplace_back(std::move(Members));
  Team.setYields(/*Turns=*/Kernel.SharesWork);
  Team.setOnProceed(OnProceed);
  return Teams.size() - 1;
}

/// Lets every block that has not ended run until it has or waits.
std::optional<Fault> GridRunner::runToBarrier(unsigned Threads,
                                              const LaunchOptions &Options) {
  const std::atomic<bool> *Stop = Options.Stop;
  std::atomic<uint64_t> Next = 0, End = Teams.size();
  std::mutex Lock; // of what follows
  std::optional<Fault> Failed;
  std::exception_ptr Failure;
  auto Work = [&] {
    try {
      SignalStack Stack(Options.Code);
      for (uint64_t T; (T = Next++) < End;) {
        std::optional<Fault> F;
        if (Stop && *Stop)
          F = Fault{Fault::Interrupted, 0};
        else
          F = Teams[T].proceed();
        if (!F)
          continue;
        std::lock_guard Guard(Lock);
        if (T < End) {
          End = T;
          Failed = F;
        }
      }
    } catch (...) {
      std::lock_guard Guard(Lock);
      Failure = std::current_exception();
      End = 0;
    }
  };
  if (Threads == 1) {
    Work();
  } else {
    std::vector<std::jthread> Team;
    for (unsigned I = 0; I < Threads; ++I)
      Team.emplace_back(Work);
  }
  if (Failure)
    std::rethrow_exception(Failure);
  return Failed;
}

/// A block that waits for one that will not come.
std::optional<Fault> GridRunner::findDeadlock() const {
  auto Waits = [](const auto &B) { return B->waitsForGrid(); };
  auto It = std::ranges::find_if(Blocks, Waits);
  if (It == Blocks.end() || std::ranges::all_of(Blocks, Waits))
    return std::nullopt;
  return Fault{Fault::GridDeadlock, (*It)->index(), 0,
               (*It)->warp(0).ErrorBlock};
}

/// Gives the next cluster of the grid to \p Team.
void GridRunner::start(size_t Team, uint64_t MaxSteps, uint64_t Time) {
  for (unsigned Rank = 0; BlockRunner *B : Teams[Team].blocks())
    B->start(Shape.block(Next, Rank++), MaxSteps, Time);
  ++Next;
}

void GridRunner::end(size_t Team) {
  const size_t Size = Teams[Team].blocks().size();
  for (size_t Rank = 0; OnEnd && Rank < Size; ++Rank)
    OnEnd(Team * Size + Rank);
}

/// Lets \p Team run the clusters that are left until one takes turns.
std::optional<Fault> GridRunner::renew(size_t Team,
                                       const LaunchOptions &Options) {
  while (Next < Shape.count() && Teams[Team].isDone()) {
    end(Team);
    start(Team, Options.MaxSteps, Teams[Team].time());
    if (std::optional<Fault> F = Teams[Team].proceed())
      return F;
    if (Options.Progress)
      Options.Progress(Next - Teams.size(), Shape.count());
  }
  return std::nullopt;
}

/// Until no warp is left that is about to take work.
std::optional<Fault> GridRunner::takeTurns(const LaunchOptions &Options) {
  using Turn = std::pair<uint64_t, size_t>; // time, team
  std::priority_queue<Turn, std::vector<Turn>, std::greater<>> Turns;
  auto Enqueue = [&](size_t T) {
    std::optional<Fault> F = renew(T, Options);
    if (const auto Time = Teams[T].turn(); Time && !F)
      Turns.emplace(*Time, T);
    return F;
  };
  const SignalStack Stack(Options.Code);
  for (size_t T = 0; T < Teams.size(); ++T)
    if (std::optional<Fault> F = Enqueue(T))
      return F;
  while (!Turns.empty()) {
    const size_t T = Turns.top().second;
    Turns.pop();
    if (Options.Stop && *Options.Stop)
      return Fault{Fault::Interrupted, Teams[T].blocks().front()->index()};
    Teams[T].takeTurn();
    if (std::optional<Fault> F = Teams[T].proceed())
      return F;
    if (std::optional<Fault> F = Enqueue(T))
      return F;
  }
  return std::nullopt;
}

/// Where blocks ask memory: whether any does. If nothing has happened since all
/// asked last, they may ask forever, so steps are taken from them.
bool GridRunner::letPollsAskAgain() {
  uint64_t Polling = 0;
  bool Moved = false;
  for (const ClusterRunner &Team : Teams) {
    Polling += Team.polls();
    Moved |= Team.hasMoved();
  }
  for (ClusterRunner &Team : Teams)
    if (!Moved && Team.polls())
      Team.chargePolls(Polling);
  return Polling != 0;
}

std::optional<Fault> GridRunner::runHeld(const LaunchOptions &Options) {
  while (Teams.size() < Held)
    start(makeTeam(), Options.MaxSteps, 0);
  const unsigned Threads = unsigned(std::min<uint64_t>(
      Options.InOrder ? 1 : std::max(Options.Threads, 1u), Teams.size()));
  for (;;) {
    if (std::optional<Fault> F = runToBarrier(Threads, Options))
      return F;
    if (std::optional<Fault> F = takeTurns(Options))
      return F;
    if (letPollsAskAgain())
      continue;
    if (std::optional<Fault> F = findDeadlock())
      return F;
    bool Ended = true;
    for (auto &B : Blocks)
      Ended &= !B->leaveGrid();
    if (Options.Progress)
      Options.Progress(Ended ? Shape.count() : 0, Shape.count());
    if (Ended)
      break;
  }
  for (size_t T = 0; T < Teams.size(); ++T)
    end(T);
  return std::nullopt;
}

/// Starts the next cluster and runs it as far as it goes.
std::optional<Fault> GridRunner::startNext(const LaunchOptions &Options) {
  if (Idle.empty())
    Idle.push_back(makeTeam());
  const size_t T = Idle.back();
  Idle.pop_back();
  UnderWay[Next] = T;
  start(T, Options.MaxSteps, 0);
  if (std::optional<Fault> F = Teams[T].proceed())
    return F;
  if (!Teams[T].isDone())
    return std::nullopt;
  end(T);
  Idle.push_back(T);
  UnderWay.erase(Next - 1);
  if (Options.Progress)
    Options.Progress(Next - UnderWay.size(), Shape.count());
  return UnderWay.empty() ? std::nullopt : askAgain(Options);
}

/// Lets all that wait ask again.
std::optional<Fault> GridRunner::askAgain(const LaunchOptions &Options) {
  for (auto At = UnderWay.begin(); At != UnderWay.end();) {
    const size_t T = At->second;
    if (std::optional<Fault> F = Teams[T].proceed())
      return F;
    if (!Teams[T].isDone()) {
      ++At;
      continue;
    }
    end(T);
    Idle.push_back(T);
    At = UnderWay.erase(At);
  }
  letPollsAskAgain();
  if (Options.Progress)
    Options.Progress(Next - UnderWay.size(), Shape.count());
  return std::nullopt;
}

std::optional<Fault> GridRunner::runUntil(uint64_t Block,
                                          const LaunchOptions &Options) {
  const uint64_t Cluster = Shape.clusterOf(Block);
  const SignalStack Stack(Options.Code);
  while (Next <= Cluster || UnderWay.contains(Cluster)) {
    if (Options.Stop && *Options.Stop)
      return Fault{Fault::Interrupted, Block};
    if (std::optional<Fault> F =
            canStart() ? startNext(Options) : askAgain(Options))
      return F;
  }
  return std::nullopt;
}

std::optional<Fault> GridRunner::run(const LaunchOptions &Options) {
  if (!runsInOrder(Kernel)) {
    std::optional<Fault> F = runHeld(Options);
    for (size_t T = 0; F && T < Teams.size(); ++T)
      end(T);
    return F;
  }
  std::optional<Fault> F;
  for (uint64_t B = 0; !F && B < Launch.Grid.count(); ++B)
    F = runUntil(B, Options);
  for (const auto &[Cluster, T] : UnderWay)
    end(T);
  return F;
}

} // namespace heddle::exec
