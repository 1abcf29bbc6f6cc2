//===- GridRunner.h - Thread blocks that run at the same time ---*- C++ -*-===//

#ifndef HEDDLE_EXEC_GRIDRUNNER_H
#define HEDDLE_EXEC_GRIDRUNNER_H

#include "exec/ClusterRunner.h"
#include "exec/FaultGuard.h"

namespace heddle::exec {

/// Whether blocks of the launch must run at the same time: they may wait for
/// each other (CUDA's cooperative launch), or take work from one counter. A
/// grid of one block is run as any other.
inline bool blocksMeet(const HeddleWarpKernel &Kernel,
                       const BoundLaunch &Launch) {
  return (Kernel.HasGridBarrier || Kernel.SharesWork) &&
         Launch.Grid.count() > 1;
}

/// Runs the blocks of a launch at the same time. Each block has a runner and
/// windows of memory of its own. All run until they wait for the grid or have
/// ended, then all go on. Where warps take work from a counter, the one of all
/// blocks has the next turn that has executed the fewest basic blocks, as if
/// each took the same time. So the result does not depend on the number of host
/// threads.
class GridRunner {
public:
  /// Makes the windows. An error if blocks may wait for each other and the grid
  /// has more than can be held at once. Where they only share work, the others
  /// start as held ones end. All references outlive the runner.
  static Result<std::unique_ptr<GridRunner>>
  create(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
         DeviceMemory &Memory, bool Counters);

  /// Blocks that are held at once.
  uint64_t size() const { return Blocks.size(); }
  BlockRunner &block(uint64_t Runner) { return *Blocks[Runner]; }
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

private:
  explicit GridRunner(const Clusters &Shape) : Shape(Shape) {}
  std::optional<Fault> runHeld(const LaunchOptions &Options);
  std::optional<Fault> runToBarrier(unsigned Threads,
                                    const LaunchOptions &Options);
  std::optional<Fault> takeTurns(const LaunchOptions &Options);
  std::optional<Fault> renew(size_t Team, const LaunchOptions &Options);
  std::optional<Fault> findDeadlock() const;
  void start(size_t Team, uint64_t MaxSteps, uint64_t Time);
  void end(size_t Team);

  const Clusters Shape;
  std::vector<std::unique_ptr<BlockRunner>> Blocks;
  std::vector<ClusterRunner> Teams; ///< the clusters, of one block or several
  uint64_t Next = 0;                ///< cluster to start
  std::function<void(uint64_t Block)> OnProceed;
  std::function<void(uint64_t Runner)> OnEnd;
  FaultGuard Guard;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_GRIDRUNNER_H
