//===- GroupFlow.cpp - Fences and registers of warp groups ----------------===//

#include "timing/stages/WarpFlow.h"

#include <bit>

using namespace heddle;
using namespace heddle::timing;

/// When its products end is known at issue. The state is the one that NVIDIA's
/// forum names for the instruction that waits (WARPGROUP.DEPBAR).
void WarpFlow::enterGroupFence(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  const DecodedInst &I = S.M.Code[W.BookedAt];
  if (heddleSetsRegisters(I.Groups))
    return changeRegisters(Slot, Now);
  Cycle Done = 0;
  if (I.Groups == HEDDLE_COPY_COMMIT)
    S.Products[Slot].commit();
  else if (I.Groups != HEDDLE_GROUP_FENCE)
    Done = S.Products[Slot].endOfAllBut(I.Groups);
  settle(Slot, W, Now, std::max(Now + I.Latency, Done),
         Done > Now + I.Latency ? Stall::Barrier : Stall::Wait);
}

/// setmaxnreg. Nsight's documentation does not name the state of a warp that
/// waits for registers; that of a barrier is a guess.
void WarpFlow::changeRegisters(unsigned Slot, Cycle Now) {
  Warp &W = S.Warps[Slot];
  const DecodedInst &I = S.M.Code[W.BookedAt];
  if (!S.Shares.change(W.Block, Slot, I.Groups)) {
    W.Phase = WarpPhase::Fence;
    S.Schedulers[W.Scheduler].Policy->warpBlocked(Slot, Stall::Barrier);
    return;
  }
  settle(Slot, W, Now, Now + I.Latency, Stall::Wait);
  for (uint64_t Left = S.Blocks.Slots[W.Block].Warps; Left; Left &= Left - 1) {
    const unsigned Other = std::countr_zero(Left);
    if (awaitsRegisters(Other) &&
        S.Shares.change(W.Block, Other,
                        S.M.Code[S.Warps[Other].BookedAt].Groups))
      leaveFence(Other, Stall::Barrier, Now, Now);
  }
}

bool WarpFlow::awaitsRegisters(unsigned Slot) const {
  const Warp &W = S.Warps[Slot];
  if (W.Phase != WarpPhase::Fence)
    return false;
  const DecodedInst &I = S.M.Code[W.BookedAt];
  return I.Kind == InstKind::GroupFence && heddleSetsRegisters(I.Groups);
}
