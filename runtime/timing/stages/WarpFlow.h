//===- WarpFlow.h - Takes warps from one instruction to the next -*- C++ -*-==//

#ifndef HEDDLE_TIMING_STAGES_WARPFLOW_H
#define HEDDLE_TIMING_STAGES_WARPFLOW_H

#include "timing/units/FetchUnit.h"
#include "timing/units/SMState.h"

namespace heddle::timing {

/// The life of a warp: start, next instruction, barrier, end. Fetches
/// instructions and finds out when their operands are ready.
class WarpFlow {
public:
  explicit WarpFlow(SMState &S)
      : S(S), Fetch(S.M.Spec, S.M.Code.size(), S.Port) {}

  /// Starts blocks that wait for a CTA slot, if it is time
  /// (BlockTable::NextStart).
  void startBlocks(Cycle Now);

  /// The warps that the wheel wakes now.
  void wake(uint64_t Due, Cycle Now);
  /// Fetches for the warps that ask for it, as many as the machine can.
  void fetch(Cycle Now);
  /// Whether fetch() has something to do.
  bool wantsFetch() const { return Fetch.wanted(); }
  /// Lines of the instruction cache are there.
  void linesArrived(const Flight &F, Cycle Now);
  const FetchUnit &fetchUnit() const { return Fetch; }

  /// The instruction at PC has been issued for the last time: moves to the
  /// next one. False if the warp ended or waits for a barrier or fence, which
  /// has been taken care of then.
  bool step(unsigned Slot, Warp &W, Cycle Now) {
    if (!W.Inst->Straight)
      return stepAside(Slot, Now);
    W.Since = Now + 1;
    W.Buffered -= W.Buffered != 0;
    ++W.Inst;
    ++W.PC;
    return true;
  }
  /// Puts a warp that has a new PC where it belongs. \p Earliest is the first
  /// cycle in which it may issue, \p Why the reason it may not before.
  void settle(unsigned Slot, Warp &W, Cycle Now, Cycle Earliest, Stall Why) {
    if (W.Buffered)
      evaluate(Slot, W, Now, Earliest, Why);
    else
      supply(Slot, Now, Earliest, Why);
  }
  /// The instruction at PC, which has its operands, takes another issue slot,
  /// at \p At (after \p Now) or later.
  void again(unsigned Slot, Warp &W, Cycle Now, Cycle At) {
    W.Phase = WarpPhase::Timed;
    W.Reason = Stall::Wait;
    W.ReadyAt = At;
    S.Wheel.add(Slot, At, Now);
  }
  /// The operands of the warp may have become ready.
  void recheck(unsigned Slot, Cycle Now);
  /// All blocks of the grid have come to its barrier.
  void openGridBarrier(Cycle Now);
  /// Barriers of clusters open.
  void openClusters(Cycle Now);
  /// A copy of \p Group is in shared memory at \p At.
  void copyDone(unsigned Slot, uint8_t Group, Cycle Now, Cycle At);
  /// Of a bulk copy to global memory: all of its shared memory was read; the
  /// memory has answered.
  void bulkRead(unsigned Slot, uint8_t Group, Cycle Now);
  void bulkDone(unsigned Slot, uint8_t Group, Cycle Now, Cycle At);
  /// One more of the warp's memory accesses is done.
  void accessDone(unsigned Slot, Cycle Now);
  /// Counts a store that leaves L1 at \p At; returns its owner for storeDone().
  uint32_t storeSent(unsigned Slot, Cycle At);
  void storeDone(uint32_t Owner, Cycle Now);
  /// Whether the warp waits in setmaxnreg.inc.
  bool awaitsRegisters(unsigned Slot) const;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[S, Fetch, Jumped] = *this;
    A(Fetch, Jumped);
  }

private:
  void arrive(unsigned Slot, Cycle Now);
  bool awaitsAccesses(unsigned Slot) const;
  void enterFence(unsigned Slot, Cycle Now);
  void leaveFence(unsigned Slot, Stall Why, Cycle Now, Cycle At);
  void enterCopyFence(unsigned Slot, Cycle Now);
  bool awaitsCopies(unsigned Slot) const;
  void enterGroupFence(unsigned Slot, Cycle Now);
  void changeRegisters(unsigned Slot, Cycle Now);
  CopyGroups &awaited(unsigned Slot, uint16_t Groups) const;
  void recheckCopies(unsigned Slot, Cycle Now, Cycle At);
  void startWarp(unsigned Slot, unsigned BlockSlot, unsigned InBlock,
                 Cycle Now);
  bool nextRun(unsigned Slot);
  bool advance(unsigned Slot);
  bool stepAside(unsigned Slot, Cycle Now);
  bool awaitOthers(unsigned Slot, InstKind Kind, uint32_t Inst, Cycle Now);
  bool skipFolded(unsigned Slot, Cycle Now);
  void evaluate(unsigned Slot, Warp &W, Cycle Now, Cycle Earliest, Stall Why);
  void makeReady(unsigned Slot, Warp &W);
  void waitForMemory(unsigned Slot, Warp &W, Cycle Earliest);
  void finish(unsigned Slot, Cycle Now);
  void end(unsigned Slot, Cycle Now);
  void releaseBarrier(ResidentBlock &B, Cycle Now);
  void letGo(ResidentBlock &B, Cycle Now);
  void passBarrier(unsigned Slot, Cycle Now);
  bool meetCluster(unsigned Slot, Cycle Now);
  bool meetSome(unsigned Slot, Cycle Now);
  void tellCluster(ResidentBlock &B, Cycle Now);
  void openCluster(ResidentBlock &B, uint64_t Times, Cycle Now);
  void enterGridBarrier(unsigned Slot, Cycle Now);
  void arriveAtGrid(ResidentBlock &B, Cycle Now);
  bool holdLine(unsigned Slot, Cycle Now);
  void fetchOne(unsigned Slot, Cycle Now);
  void supply(unsigned Slot, Cycle Now, Cycle Earliest, Stall Why);

  SMState &S;
  FetchUnit Fetch;
  bool Jumped = false;
};

// What every instruction passes stands here, so that the issue stage takes it
// in without calls.

/// When can the instruction at PC issue, given that it may not before
/// \p Earliest because of \p Why?
inline void WarpFlow::evaluate(unsigned Slot, Warp &W, Cycle Now,
                               Cycle Earliest, Stall Why) {
  const ReadyTime Ready =
      S.Registers.latest(Slot, *W.Inst, S.Registers.at(Earliest, Why));
  W.Reason = Ready.reason();
  if (Ready.isPending()) {
    waitForMemory(Slot, W, Earliest);
    return;
  }
  W.ReadyAt = S.Registers.time(Ready);
  if (W.ReadyAt <= Now) {
    W.ReadyAt = std::max(W.ReadyAt, W.Since);
    makeReady(Slot, W);
    return;
  }
  W.Phase = WarpPhase::Timed;
  S.Wheel.add(Slot, W.ReadyAt, Now);
}

} // namespace heddle::timing

#endif // HEDDLE_TIMING_STAGES_WARPFLOW_H
