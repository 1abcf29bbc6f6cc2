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
  if (auto Ok = Memory.makeWindows(unsigned(Count), Launch.SharedBytes,
                                   localBytesPerBlock(Launch));
      !Ok)
    return std::unexpected(Ok.error());
  std::unique_ptr<GridRunner> Grid(new GridRunner);
  for (uint64_t B = 0; B < Count; ++B)
    Grid->Blocks.push_back(std::make_unique<BlockRunner>(
        Kernel, Launch, Memory, unsigned(B), Counters));
  return Grid;
}

/// Lets every block that has not ended run until it has or waits.
std::optional<Fault> GridRunner::runToBarrier(unsigned Threads,
                                              const std::atomic<bool> *Stop) {
  std::atomic<uint64_t> Next = 0, End = Blocks.size();
  std::mutex Lock; // of what follows
  std::optional<Fault> Failed;
  std::exception_ptr Failure;
  auto Work = [&] {
    try {
      SignalStack Stack;
      for (uint64_t B; (B = Next++) < End;) {
        std::optional<Fault> F;
        if (Stop && *Stop) {
          F = Fault{Fault::Interrupted, B};
        } else {
          if (OnProceed)
            OnProceed(B);
          F = Blocks[B]->proceed();
        }
        if (!F)
          continue;
        std::lock_guard Guard(Lock);
        if (!Failed || F->Block < Failed->Block)
          Failed = F;
        End = std::min<uint64_t>(End, F->Block);
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
      Options.InOrder ? 1 : std::max(Options.Threads, 1u), Blocks.size()));
  for (uint64_t B = 0; B < Blocks.size(); ++B)
    Blocks[B]->start(B, Options.MaxSteps);
  for (;;) {
    if (std::optional<Fault> F = runToBarrier(Threads, Options.Stop))
      return F;
    if (std::optional<Fault> F = findDeadlock())
      return F;
    const bool Ended = !Blocks.front()->waitsForGrid();
    if (Options.Progress)
      Options.Progress(Ended ? Blocks.size() : 0, Blocks.size());
    if (Ended)
      return std::nullopt;
  }
}

} // namespace heddle::exec
