//===- ClusterRunner.h - The thread blocks of a cluster ---------*- C++ -*-===//

#ifndef HEDDLE_EXEC_CLUSTERRUNNER_H
#define HEDDLE_EXEC_CLUSTERRUNNER_H

#include "base/Clusters.h"
#include "exec/Launcher.h"

#include <memory>

namespace heddle::exec {

inline Clusters clustersOf(const BoundLaunch &Launch) {
  return {Launch.Grid, Launch.Cluster};
}

/// Runs the blocks of one cluster by turns on one host thread: each until none
/// of its warps can go on by itself, then the next, by rank. A barrier of the
/// cluster opens when all warps that have not ended have come to it. So what a
/// cluster computes does not depend on the number of host threads.
class ClusterRunner {
public:
  /// Of the blocks of a cluster, by rank; all outlive the runner.
  explicit ClusterRunner(std::vector<BlockRunner *> Blocks)
      : Blocks(std::move(Blocks)) {}

  /// Called before a block has its turn.
  void setOnProceed(std::function<void(uint64_t Block)> Call) {
    OnProceed = std::move(Call);
  }
  /// Until every block has ended or waits for the grid, or, of a cluster that
  /// yields to others, no warp can go on but to ask memory again or, where it
  /// yields turns, to take work.
  std::optional<Fault> proceed();
  void setYields(bool Turns) {
    Yields = true;
    YieldsTurns = Turns;
  }
  bool isDone() const;
  /// Whether a warp ended or came to a barrier or a turn in the last proceed().
  bool hasMoved() const { return HasMoved; }
  bool polls() const;
  void chargePolls(uint64_t Times);
  uint64_t time() const;
  // As of the blocks (Launcher.h).
  std::optional<uint64_t> turn() const;
  bool takeTurn();
  const std::vector<BlockRunner *> &blocks() const { return Blocks; }

private:
  std::optional<Fault> stuck();

  std::vector<BlockRunner *> Blocks;
  std::function<void(uint64_t Block)> OnProceed;
  bool Yields = false, YieldsTurns = false;
  bool HasMoved = false;
};

/// The runners of one cluster after the other, in windows of one host thread.
class ClusterOfBlocks {
public:
  /// \p Worker counts clusters that are held at once. All references outlive
  /// it.
  ClusterOfBlocks(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
                  const DeviceMemory &Memory, unsigned Worker, bool Counters);

  /// Runs cluster \p Index to its end.
  std::optional<Fault> run(uint64_t Index, uint64_t MaxSteps);
  unsigned size() const { return unsigned(Blocks.size()); }
  /// The one of \p Rank.
  BlockRunner &block(unsigned Rank) { return *Blocks[Rank]; }
  ClusterRunner &runner() { return Runner; }

private:
  const Clusters Shape;
  std::vector<std::unique_ptr<BlockRunner>> Blocks;
  ClusterRunner Runner;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_CLUSTERRUNNER_H
