//===- VectorWidth.cpp - How wide the host's vectors are ------------------===//

#include "VectorWidth.h"

#include "LaneLoops.h"

#include "heddle/ABI/WarpKernel.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

static const Value *pointerOf(const Instruction &I) {
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return RMW->getPointerOperand();
  return getLoadStorePointerOperand(&I);
}

/// Whether all lanes of a warp, if need be, run a loop around \p B one by one.
static bool runsLaneByLane(const BasicBlock *B, const LoopInfo &LI,
                           const LaneLoops &Loops) {
  for (const Loop *L = LI.getLoopFor(B); L; L = L->getParentLoop()) {
    const LaneLoop *Lanes = Loops.at(L->getHeader());
    if (Lanes && Lanes->MaxLanes == HEDDLE_WARP_SIZE)
      return true;
  }
  return false;
}

/// Weighs what does not depend on the width, `Same`, against operations on
/// whole warps, which take about twice as long on 256 bits, in units of one of
/// the latter. On Cascade Lake and Skylake servers the clock is 2.6 GHz with
/// and 3.05 GHz without 512 bits: narrow vectors gain a sixth of all.
bool prefersNarrowVectors(Function &F, const LaneShapes &Shapes,
                          const LaneLoops &Loops) {
  // How often a loop goes round, as is usual where nothing is known; two cache
  // lines from memory, in vector operations.
  constexpr uint64_t Rounds = 8, MostDepth = 8, StreamCost = 12;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  uint64_t Vector = 0, Same = 0;
  for (const BasicBlock &B : F) {
    uint64_t Weight = 1;
    for (unsigned D = std::min<uint64_t>(LI.getLoopDepth(&B), MostDepth); D;
         --D)
      Weight *= Rounds;
    bool Alone = runsLaneByLane(&B, LI, Loops);
    for (const Instruction &I : B) {
      if (isa<PHINode, BranchInst>(I) || I.isDebugOrPseudoInst())
        continue;
      // Lanes change places fastest in 512 bits.
      const auto *Call = dyn_cast<CallBase>(&I);
      if (Call && Call->isConvergent())
        return false;
      const Value *Pointer = pointerOf(I);
      if (Alone)
        Same += Weight;
      else if (!Pointer)
        Vector += Shapes.of(&I).Kind == Shape::Lanes ? Weight : 0;
      else if (Shapes.of(Pointer).Kind == Shape::Lanes)
        Vector += Weight;
      else if (LI.empty() && Shapes.of(Pointer).Kind == Shape::Affine)
        Same += StreamCost;
    }
  }
  return Same > 5 * Vector;
}

} // namespace heddle
