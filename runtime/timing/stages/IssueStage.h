//===- IssueStage.h - Sends ready instructions to the pipes -----*- C++ -*-===//

#ifndef HEDDLE_TIMING_STAGES_ISSUESTAGE_H
#define HEDDLE_TIMING_STAGES_ISSUESTAGE_H

#include "timing/stages/CollectStage.h"
#include "timing/stages/MemoryStage.h"
#include "timing/stages/WarpFlow.h"

namespace heddle::timing {

/// Each cycle every scheduler takes one warp whose next instruction has its
/// operands and finds its pipe free, and issues one or (dual issue) more of
/// its instructions. Books what the warp waited for before.
class IssueStage {
public:
  IssueStage(SMState &S, WarpFlow &Flow, MemoryStage &Memory,
             CollectStage &Collect);

  void cycle(Cycle Now);
  /// The next cycle in which a warp that is ready now may issue.
  Cycle nextIssue(Cycle Now) const;

  /// Of a saved state: nothing changes here.
  template <class Archive> void serialize(Archive &) {
    [[maybe_unused]] auto &[S, Flow, Memory, Collect, MaxIssue, ReadCycles,
                            OneReadInTime, NumSchedulers, NumTurns, ByTurns,
                            Record] = *this;
  }

private:
  bool issueFrom(unsigned Index, Cycle Now);
  /// Issues the instruction of a warp that is the \p Issued th of this cycle;
  /// returns whether the next one goes along.
  bool issue(unsigned Slot, Warp &W, Scheduler &Own, Cycle Now,
             unsigned Issued);
  bool canFollow(unsigned Slot, const Warp &W, const Scheduler &Own,
                 unsigned PreviousPipe, Cycle Now);
  void startInPipe(unsigned Slot, const DecodedInst &I, Scheduler &Own,
                   bool Last, Cycle Now);
  Cycle readOperands(unsigned Slot, const DecodedInst &I, Scheduler &Own,
                     Cycle Now) const;
  void bookWait(unsigned Slot, const Warp &W, const Scheduler &Own, Cycle Now);

  SMState &S;
  WarpFlow &Flow;
  MemoryStage &Memory;
  CollectStage &Collect;
  const unsigned MaxIssue;
  const Cycle ReadCycles;
  /// A scheduler issues once a cycle, and an instruction has time for one
  /// operand of a bank.
  const bool OneReadInTime;
  const unsigned NumSchedulers;
  const unsigned NumTurns; ///< until the same scheduler is first again
  const Divider ByTurns;
  const bool Record;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_ISSUESTAGE_H
