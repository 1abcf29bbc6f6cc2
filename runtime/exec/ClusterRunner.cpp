//===- ClusterRunner.cpp - The thread blocks of a cluster -----------------===//

#include "exec/ClusterRunner.h"

#include <algorithm>

namespace heddle::exec {

std::optional<Fault> ClusterRunner::proceed() {
  HasMoved = false;
  for (;;) {
    bool Moved = false, Left = false;
    for (BlockRunner *B : Blocks) {
      if (B->isDone() || B->waitsForGrid())
        continue;
      if (OnProceed)
        OnProceed(B->index());
      if (std::optional<Fault> F = B->proceedInCluster())
        return F;
      Moved |= B->hasMoved();
    }
    uint64_t Phases = UINT64_MAX;
    for (const BlockRunner *B : Blocks)
      Phases = std::min(Phases, B->clusterArrivals());
    for (BlockRunner *B : Blocks) {
      Moved |= B->openCluster(Phases);
      Left |= !B->isDone() && !B->waitsForGrid();
    }
    HasMoved |= Moved;
    if (!Left)
      return std::nullopt;
    if (Moved)
      continue;
    if (YieldsTurns && turn())
      return std::nullopt;
    if (takeTurn())
      continue;
    if (Yields && polls())
      return std::nullopt;
    if (std::optional<Fault> F = stuck())
      return F;
  }
}

bool ClusterRunner::isDone() const {
  return std::ranges::all_of(Blocks, &BlockRunner::isDone);
}

bool ClusterRunner::polls() const {
  return std::ranges::any_of(Blocks, &BlockRunner::polls);
}

void ClusterRunner::chargePolls(uint64_t Times) {
  for (BlockRunner *B : Blocks)
    B->chargePolls(Times);
}

uint64_t ClusterRunner::time() const {
  uint64_t Latest = 0;
  for (const BlockRunner *B : Blocks)
    Latest = std::max(Latest, B->time());
  return Latest;
}

std::optional<uint64_t> ClusterRunner::turn() const {
  std::optional<uint64_t> Least;
  for (const BlockRunner *B : Blocks)
    if (const auto At = B->turn(); At && (!Least || *At < *Least))
      Least = At;
  return Least;
}

bool ClusterRunner::takeTurn() {
  const std::optional<uint64_t> Least = turn();
  if (!Least)
    return false;
  return (*std::ranges::find_if(
              Blocks, [&](const BlockRunner *B) { return B->turn() == Least; }))
      ->takeTurn();
}

/// Nothing has happened for a whole turn. Warps that ask memory may still find
/// what they wait for in global memory, until their steps run out.
std::optional<Fault> ClusterRunner::stuck() {
  bool Polls = false;
  for (BlockRunner *B : Blocks)
    Polls |= B->chargePolls();
  if (Polls)
    return std::nullopt;
  for (auto Why : {&BlockRunner::phaseDeadlock, &BlockRunner::clusterDeadlock,
                   &BlockRunner::barrierDeadlock})
    for (const BlockRunner *B : Blocks)
      if (std::optional<Fault> F = (B->*Why)())
        return F;
  return Fault{Fault::GridDeadlock, Blocks.front()->index()};
}

static std::vector<BlockRunner *>
pointers(const std::vector<std::unique_ptr<BlockRunner>> &Blocks) {
  std::vector<BlockRunner *> To;
  for (const auto &B : Blocks)
    To.push_back(B.get());
  return To;
}

static std::vector<std::unique_ptr<BlockRunner>>
makeRunners(const HeddleWarpKernel &Kernel, const BoundLaunch &Launch,
            const DeviceMemory &Memory, unsigned Worker, bool Counters) {
  std::vector<std::unique_ptr<BlockRunner>> Blocks;
  const unsigned Size = clustersOf(Launch).blocksPerCluster();
  for (unsigned Rank = 0; Rank < Size; ++Rank)
    Blocks.push_back(std::make_unique<BlockRunner>(
        Kernel, Launch, Memory, Worker * Size + Rank, Counters));
  return Blocks;
}

ClusterOfBlocks::ClusterOfBlocks(const HeddleWarpKernel &Kernel,
                                 const BoundLaunch &Launch,
                                 const DeviceMemory &Memory, unsigned Worker,
                                 bool Counters)
    : Shape(clustersOf(Launch)),
      Blocks(makeRunners(Kernel, Launch, Memory, Worker, Counters)),
      Runner(pointers(Blocks)) {}

std::optional<Fault> ClusterOfBlocks::run(uint64_t Index, uint64_t MaxSteps) {
  for (unsigned Rank = 0; Rank < size(); ++Rank)
    Blocks[Rank]->start(Shape.block(Index, Rank), MaxSteps);
  for (;;) {
    if (std::optional<Fault> F = Runner.proceed())
      return F;
    // A barrier of the grid is one of the cluster: it is the only one.
    bool Waits = false;
    for (auto &B : Blocks)
      Waits |= B->leaveGrid();
    if (!Waits)
      return std::nullopt;
  }
}

} // namespace heddle::exec
