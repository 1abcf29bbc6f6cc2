//===- BlockSupply.h - Which block an SM starts next ------------*- C++ -*-===//

#ifndef HEDDLE_INTERVAL_BLOCKSUPPLY_H
#define HEDDLE_INTERVAL_BLOCKSUPPLY_H

#include "base/Clusters.h"
#include "interval/BlockIntake.h"

#include <deque>
#include <vector>

namespace heddle::interval {

/// Hands out the blocks of a launch, cluster by cluster: the blocks of one go
/// to the SMs of one group, by rank. Without clusters a group is an SM, and
/// each takes the next block of the grid.
class BlockSupply {
public:
  BlockSupply(BlockIntake &Intake, const IntervalProfile &Profile)
      : Intake(Intake), Groups(Profile.Groups),
        Shape{Profile.Launch.Grid, Profile.Launch.Cluster},
        Total(Profile.Launch.Grid.count()), Coming(Groups.sms()) {}

  /// What a group has to do, in warp instructions.
  struct Share {
    uint64_t Insts = 0;
    uint64_t Chain = 0; ///< of warps one after the other, on the SM with most
    std::vector<uint64_t> Slots; ///< of Insts, in each of its CTA slots
  };
  /// Reads all blocks and assigns them beforehand, each cluster to whichever of
  /// a group's \p SlotsPerSM CTA slots would be free first if every instruction
  /// took the same time; as many as the profile's groups say, if they do. Adds
  /// the instructions of each block to \p BlockInsts.
  Result<std::vector<Share>> assignAll(unsigned SlotsPerSM,
                                       std::vector<uint32_t> &BlockInsts);

  uint64_t total() const { return Total; }
  /// Blocks that were drawn so far, of the whole launch.
  uint64_t drawn() const { return Drawn; }
  /// Whether blocks are assigned to \p SM that it has not started.
  bool awaits(unsigned SM) const { return !Coming[SM].empty(); }
  /// The next block of \p SM: one that is assigned, else the next of all.
  Result<void> next(unsigned SM, HeldBlock &Out);
  /// Reads the block that is drawn as number \p N. Numbers go up.
  Result<void> read(uint64_t N, HeldBlock &Out) {
    const unsigned Size = Groups.Size;
    return Intake.read(Shape.block(N / Size, unsigned(N % Size)), Out);
  }

private:
  BlockIntake &Intake;
  const arch::SMGroups Groups;
  const Clusters Shape;
  const uint64_t Total;
  uint64_t Drawn = 0;
  std::vector<std::deque<HeldBlock>> Coming; ///< by SM
};

} // namespace heddle::interval

#endif // HEDDLE_INTERVAL_BLOCKSUPPLY_H
