//===- GridRunner.h - Thread blocks that wait for each other ----*- C++ -*-===//

#ifndef HEDDLE_EXEC_GRIDRUNNER_H
#define HEDDLE_EXEC_GRIDRUNNER_H

#include "exec/ClusterRunner.h"
#include "exec/FaultGuard.h"

namespace heddle::exec {

/// Whether blocks of the launch may wait for each other (CUDA's cooperative
/// launch). A grid of one block is run as any other.
inline bool blocksMeet(const HeddleWarpKernel &Kernel,
                       const BoundLaunch &Launch) {
  return Kernel.HasGridBarrier && Launch.Grid.count() > 1;
}

/// Runs the blocks of a launch whose kernel has a barrier of the grid. Each
/// block has a runner and windows of memory of its own. All run until they wait
/// for the grid or have ended, then all go on. So the result does not depend on
/// the number of host threads.
class GridRunner {
public:
  /// Makes the windows. An error if the grid has more blocks than can be held
  /// at once. All references outlive the runner.
  static Result<std::unique_ptr<GridRunner>>
  create(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
         DeviceMemory &Memory, bool Counters);

  uint64_t size() const { return Blocks.size(); }
  BlockRunner &block(uint64_t Index) { return *Blocks[Index]; }
  /// Called before a block starts or goes on, from the thread that runs it.
  void setOnProceed(std::function<void(uint64_t Block)> Call) {
    OnProceed = std::move(Call);
  }

  /// Runs all blocks to their ends: Threads, MaxSteps, InOrder, Stop, Code
  /// and Progress of \p Options count. The fault is that of the lowest block
  /// that failed before the next barrier.
  std::optional<Fault> run(const LaunchOptions &Options);

private:
  GridRunner() = default;
  std::optional<Fault> runToBarrier(unsigned Threads,
                                    const LaunchOptions &Options);
  std::optional<Fault> findDeadlock() const;

  std::vector<std::unique_ptr<BlockRunner>> Blocks;
  std::vector<ClusterRunner> Teams; ///< the clusters, of one block or several
  std::function<void(uint64_t Block)> OnProceed;
  FaultGuard Guard;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_GRIDRUNNER_H
