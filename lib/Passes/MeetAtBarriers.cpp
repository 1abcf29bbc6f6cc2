//===- MeetAtBarriers.cpp - Lanes meet in front of a shared barrier -------===//
//
//   if (t == 0 && n != 2)
//     ...;
//   if (n == 1)
//     __syncthreads();
//
// The optimiser sends the lanes for which it knows the second condition past
// it, so that the first branch has a way around the barrier and its lanes would
// meet only behind it. A GPU makes the warp wait for its lanes at the barrier;
// here its lanes meet where the source says: LLVM's structurizer gives each
// part of the code one way in again.
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/Analysis/DivergencePolicy.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Transforms/Scalar/StructurizeCFG.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"

using namespace llvm;

namespace heddle {

/// The barrier that lanes come to which may have parted at a branch before it.
static const Instruction *barrierOfBothSides(Function &F,
                                             FunctionAnalysisManager &AM) {
  const auto Branches = branchesBeforeOneBarrier(F);
  if (Branches.empty())
    return nullptr;
  const auto &UI = AM.getResult<UniformityInfoAnalysis>(F);
  const auto At = find_if(Branches, [&](const auto &Of) {
    return UI.isDivergent(Of.first->getCondition());
  });
  return At == Branches.end() ? nullptr : At->second;
}

PreservedAnalyses MeetAtBarriersPass::run(Function &F,
                                          FunctionAnalysisManager &AM) {
  if (F.getCallingConv() != CallingConv::PTX_Kernel)
    return PreservedAnalyses::all();
  const Instruction *Barrier = barrierOfBothSides(F, AM);
  if (!Barrier)
    return PreservedAnalyses::all();
  const DebugLoc &Where = Barrier->getDebugLoc();
  F.addFnAttr(MeetsAtBarrier, Where ? utostr(Where.getLine()) : "");
  FixIrreduciblePass().run(F, AM);
  AM.invalidate(F, PreservedAnalyses::none());
  StructurizeCFGPass().run(F, AM);
  return PreservedAnalyses::none();
}

} // namespace heddle
