//===- BranchPlan.h - Where the threads of a clone go -----------*- C++ -*-===//

#ifndef HEDDLE_SYNTHESIS_BRANCHPLAN_H
#define HEDDLE_SYNTHESIS_BRANCHPLAN_H

#include "synthesis/IndexPlan.h"
#include "synthesis/PlannedCode.h"

namespace heddle::synthesis {

/// How a block ends. Without Taken it returns, without Other it goes to Taken.
struct Decision {
  unsigned Taken = behavior::None, Other = behavior::None;
  std::string Predicate; ///< lanes that hold it go to Taken, unless Negated
  bool Negated = false;
};

/// Decides each branch by the cases of the paper: counted loops, the first N of
/// some index, the same way always, or a share per execution.
class BranchPlan {
public:
  BranchPlan(const ClonePlan &Plan, ChainBlocks &Blocks, PlannedCode &Code,
             const IndexPlan &Indices)
      : Plan(Plan), P(Plan.Profile), Blocks(Blocks), Code(Code),
        Indices(Indices), Decisions(P.Blocks.size()) {}
  Result<void> plan();
  const Decision &decision(unsigned B) const { return Decisions[B]; }

private:
  bool inLoop(unsigned Block, unsigned L) const;
  unsigned chooseExit(unsigned L) const;
  void planExit(unsigned B, unsigned L);
  bool decidesLanes(unsigned B, const behavior::Branch &Branch);
  void planShare(unsigned B, const behavior::Branch &Branch);
  void planBoth(unsigned B, const behavior::Branch &Branch);
  void planFixed(unsigned B, const behavior::Branch &Branch);
  /// A predicate that the jump of \p B can use; it replaces the comparison that
  /// computes it in the original.
  std::string predicate(unsigned B);
  void compare(unsigned B, const std::string &Comparison);

  const ClonePlan &Plan;
  const behavior::Profile &P;
  ChainBlocks &Blocks;
  PlannedCode &Code;
  const IndexPlan &Indices;
  std::vector<Decision> Decisions;
  /// Pseudo-random numbers of lanes and their steps, by branch; of some
  /// together.
  std::map<unsigned, std::pair<std::string, uint32_t>> LaneStates;
};

} // namespace heddle::synthesis

#endif // HEDDLE_SYNTHESIS_BRANCHPLAN_H
