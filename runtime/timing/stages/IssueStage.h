//===- IssueStage.h - Sends ready instructions to the pipes -----*- C++ -*-===//

#ifndef HEDDLE_TIMING_STAGES_ISSUESTAGE_H
#define HEDDLE_TIMING_STAGES_ISSUESTAGE_H

#include "timing/stages/MemoryStage.h"
#include "timing/stages/WarpFlow.h"

namespace heddle::timing {

/// Each cycle every scheduler takes one warp whose next instruction has its
/// operands and finds its pipe free, and issues one or (dual issue) more of
/// its instructions. Books what the warp waited for before.
class IssueStage {
public:
  IssueStage(SMState &S, WarpFlow &Flow, MemoryStage &Memory)
      : S(S), Flow(Flow), Memory(Memory) {}

  void cycle(Cycle Now);
  /// The next cycle in which a warp that is ready now may issue.
  Cycle nextIssue(Cycle Now) const;

private:
  bool issueFrom(unsigned Scheduler, Cycle Now);
  /// Issues the warp's instruction number \p Position of this cycle; returns
  /// whether the next one goes along.
  bool issue(unsigned Slot, Cycle Now, unsigned Position);
  bool canFollow(unsigned Slot, unsigned PreviousPipe, Cycle Now);
  void bookWait(unsigned Slot, const DecodedInst &I, Cycle Now);

  SMState &S;
  WarpFlow &Flow;
  MemoryStage &Memory;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_ISSUESTAGE_H
