//===- GridRunner.cpp - Thread blocks that wait for each other ------------===//

#include "exec/GridRunner.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <thread>

namespace heddle::exec {

Result<std::unique_ptr<GridRunner>>
GridRunner::create(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
                   DeviceMemory &Memory, bool Counters) {
  const uint64_t Count = Launch.Grid.count();
  if (Count > DeviceMemory::MaxWindows)
    return fail(fmt::format(
        "too many blocks in cooperative launch: the kernel has a barrier of "
        "the grid, so all {} blocks must be held at once; {} can be",
        Count, DeviceMemory::MaxWindows));
  const Clusters Shape = clustersOf(Launch);
  const unsigned PerCluster = Shape.blocksPerCluster();
  if (auto Ok = Memory.makeWindows(unsigned(Shape.count()), Launch.SharedBytes,
                                   localBytesPerBlock(Launch), PerCluster);
      !Ok)
    return std::unexpected(Ok.error());
  std::unique_ptr<GridRunner> Grid(new GridRunner);
  for (uint64_t B = 0; B < Count; ++B)
    Grid->Blocks.push_back(std::make_unique<BlockRunner>(
        Kernel, Launch, Memory,
        unsigned(Shape.clusterOf(B) * PerCluster + Shape.rankOf(B)), Counters));
  for (uint64_t C = 0; C < Shape.count(); ++C) {
    std::vector<BlockRunner *> Members;
    for (unsigned Rank = 0; Rank < PerCluster; ++Rank)
      Members.push_back(&Grid->block(Shape.block(C, Rank)));
    Grid->Teams.emplace_back(std::move(Members));
  }
  return Grid;
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
  return Fault{Fault::GridDeadlock, uint64_t(It - Blocks.begin()), 0,
               (*It)->warp(0).ErrorBlock};
}

std::optional<Fault> GridRunner::run(const LaunchOptions &Options) {
  const unsigned Threads = unsigned(std::min<uint64_t>(
      Options.InOrder ? 1 : std::max(Options.Threads, 1u), Teams.size()));
  for (ClusterRunner &Team : Teams)
    Team.setOnProceed(OnProceed);
  for (uint64_t B = 0; B < Blocks.size(); ++B)
    Blocks[B]->start(B, Options.MaxSteps);
  for (;;) {
    if (std::optional<Fault> F = runToBarrier(Threads, Options))
      return F;
    if (std::optional<Fault> F = findDeadlock())
      return F;
    bool Ended = true;
    for (auto &B : Blocks)
      Ended &= !B->leaveGrid();
    if (Options.Progress)
      Options.Progress(Ended ? Blocks.size() : 0, Blocks.size());
    if (Ended)
      return std::nullopt;
  }
}

} // namespace heddle::exec
