//===- GridRunner.h - Thread blocks that run at the same time ---*- C++ -*-===//

#ifndef HEDDLE_EXEC_GRIDRUNNER_H
#define HEDDLE_EXEC_GRIDRUNNER_H

#include "exec/ClusterRunner.h"
#include "exec/FaultGuard.h"

#include <map>

namespace heddle::exec {

/// Whether blocks of the launch run at the same time: they may wait for each
/// other at barriers of the grid (CUDA's cooperative launch) or by asking
/// memory, or take work from one counter. A grid of one block is run as any
/// other.
inline bool blocksMeet(const HeddleWarpKernel &Kernel,
                       const BoundLaunch &Launch) {
  return (Kernel.HasGridBarrier || Kernel.SharesWork ||
          Kernel.WaitsForBlocks) &&
         Launch.Grid.count() > 1;
}

/// Runs the blocks of a launch at the same time. Each block that is held has a
/// runner and windows of memory of its own. The result does not depend on the
/// number of host threads.
/// - Barriers of the grid: all blocks run until they wait for it or have ended,
///   then all go on.
/// - Work from a counter: the warp of all blocks has the next turn that has
///   executed the fewest basic blocks, as if each took the same time.
/// - Blocks that only ask memory for each other start in order, each when none
///   of those before it can go on; when all have started, they ask again.
class GridRunner {
public:
  /// Makes the windows. An error if the kernel has barriers of the grid and the
  /// grid more blocks than can be held at once. In other kernels blocks start
  /// as held ones end. All references outlive the runner.
  static Result<std::unique_ptr<GridRunner>>
  create(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
         DeviceMemory &Memory, bool Counters);

  /// Whether a read of one block does not run all of them.
  static bool runsInOrder(const HeddleWarpKernel &Kernel) {
    return !Kernel.HasGridBarrier && !Kernel.SharesWork;
  }

  BlockRunner &block(uint64_t Runner) { return *Blocks[Runner]; }
  /// Called when a runner has been made; they are numbered from 0.
  void setOnMake(std::function<void(uint64_t Runner)> Call) {
    OnMake = std::move(Call);
  }
  /// Called before a block starts or goes on, from the thread that runs it.
  void setOnProceed(std::function<void(uint64_t Block)> Call) {
    OnProceed = std::move(Call);
  }
  /// Called from the thread of run() when the block of a runner has ended, and
  /// for all that are held when one has failed.
  void setOnEnd(std::function<void(uint64_t Runner)> Call) {
    OnEnd = std::move(Call);
  }

  /// Runs all blocks to their ends: Threads, MaxSteps, InOrder, Stop, Code
  /// and Progress of \p Options count. The fault is that of the lowest block
  /// that failed before the next barrier, or of the first that did in a turn.
  std::optional<Fault> run(const LaunchOptions &Options);

  /// Runs blocks until \p Block has ended, of kernels that run in order; to be
  /// called with growing numbers.
  std::optional<Fault> runUntil(uint64_t Block, const LaunchOptions &Options);

private:
  GridRunner(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
             DeviceMemory &Memory, bool Counters);
  std::optional<Fault> runHeld(const LaunchOptions &Options);
  std::optional<Fault> runToBarrier(unsigned Threads,
                                    const LaunchOptions &Options);
  std::optional<Fault> takeTurns(const LaunchOptions &Options);
  std::optional<Fault> renew(size_t Team, const LaunchOptions &Options);
  std::optional<Fault> findDeadlock() const;
  bool letPollsAskAgain();
  bool canStart() const {
    return Next < Shape.count() && (!Idle.empty() || Teams.size() < Held);
  }
  std::optional<Fault> startNext(const LaunchOptions &Options);
  std::optional<Fault> askAgain(const LaunchOptions &Options);
  size_t makeTeam();
  void start(size_t Team, uint64_t MaxSteps, uint64_t Time);
  void end(size_t Team);

  const HeddleWarpKernel &Kernel;
  const BoundLaunch &Launch;
  DeviceMemory &Memory;
  const bool Counters;
  const Clusters Shape;
  uint64_t Held = 0; ///< clusters that are held at once, at most
  std::vector<std::unique_ptr<BlockRunner>> Blocks;
  std::vector<ClusterRunner> Teams; ///< the clusters, of one block or several
  uint64_t Next = 0;                ///< cluster to start
  std::vector<size_t> Idle;         ///< teams whose cluster has ended
  std::map<uint64_t, size_t> UnderWay; ///< teams by cluster, in order
  std::function<void(uint64_t Runner)> OnMake;
  std::function<void(uint64_t Block)> OnProceed;
  std::function<void(uint64_t Runner)> OnEnd;
  FaultGuard Guard;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_GRIDRUNNER_H
