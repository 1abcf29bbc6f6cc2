//===- PollingLoops.cpp - Loops that wait for other warps -----------------===//

#include "heddle/Analysis/PollingLoops.h"

#include "heddle/Analysis/AsyncBarrier.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

static bool isSameInRounds(const Value *V, const Loop &L, unsigned Depth) {
  constexpr unsigned MaxDepth = 16;
  if (L.isLoopInvariant(V))
    return true;
  const auto *I = dyn_cast<Instruction>(V);
  return I && Depth < MaxDepth &&
         isa<GetElementPtrInst, CastInst, BinaryOperator, CmpInst, SelectInst>(
             I) &&
         all_of(
             I->operands(),
             [&](const Use &U) { return isSameInRounds(U, L, Depth + 1); });
}

bool isSameInRounds(const Value *V, const Loop &L) {
  return isSameInRounds(V, L, 0);
}

/// Whether doing it again with the same value leaves what it left before.
static bool isIdempotent(const AtomicRMWInst &RMW) {
  switch (RMW.getOperation()) {
  case AtomicRMWInst::Xchg:
  case AtomicRMWInst::And:
  case AtomicRMWInst::Or:
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    return true;
  case AtomicRMWInst::Add:
  case AtomicRMWInst::Sub:
  case AtomicRMWInst::Xor:
    if (const auto *Amount = dyn_cast<ConstantInt>(RMW.getValOperand()))
      return Amount->isZero();
    return false;
  default:
    return false;
  }
}

/// What says that other warps may have written in between.
static bool isFence(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  if (!Call)
    return isa<FenceInst>(I);
  switch (Call->getIntrinsicID()) {
  case Intrinsic::nvvm_membar_cta:
  case Intrinsic::nvvm_membar_gl:
  case Intrinsic::nvvm_membar_sys:
  case Intrinsic::nvvm_nanosleep:
    return true;
  default:
    return Call->isInlineAsm();
  }
}

/// Whether \p I asks an mbarrier whether a phase has ended.
static bool isPhaseTest(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  const auto Operation = Call ? barrierOperation(*Call) : std::nullopt;
  return Operation && heddleIsPhaseTest(Operation->Action);
}

/// Whether \p Pointer is of the memory of one thread.
static bool isLocal(const Value *Pointer) {
  const Value *Object = getUnderlyingObject(Pointer);
  return isa<AllocaInst>(Object) ||
         Object->getType()->getPointerAddressSpace() ==
             NVPTXAS::ADDRESS_SPACE_LOCAL;
}

/// Whether \p I gets the same answer in \p L until another warp writes it.
/// Local memory belongs to one thread, so no other warp does.
static bool asksAgain(const Instruction &I, const Loop &L) {
  if (const auto *Load = dyn_cast<LoadInst>(&I)) {
    if (!isSameInRounds(Load->getPointerOperand(), L) ||
        isLocal(Load->getPointerOperand()))
      return false;
    return !Load->isSimple() || any_of(L.blocks(), [](const BasicBlock *B) {
      return any_of(*B, isFence);
    });
  }
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return isIdempotent(*RMW) && isSameInRounds(RMW->getPointerOperand(), L) &&
           isSameInRounds(RMW->getValOperand(), L);
  if (isPhaseTest(I))
    return all_of(cast<CallBase>(I).args(),
                  [&](const Use &U) { return isSameInRounds(U, L); });
  const auto *CAS = dyn_cast<AtomicCmpXchgInst>(&I);
  return CAS && all_of(CAS->operands(),
                       [&](const Use &U) { return isSameInRounds(U, L); });
}

/// Whether \p Condition, of \p L, comes from \p Answer and nothing that a round
/// hands to the next.
static bool followsFrom(const Value *Condition, const Instruction &Answer,
                        const Loop &L) {
  SmallSetVector<const Value *, 16> Work;
  Work.insert(Condition);
  bool Follows = false;
  for (unsigned N = 0; N < Work.size(); ++N) {
    const auto *I = dyn_cast<Instruction>(Work[N]);
    if (!I || !L.contains(I))
      continue;
    if (I == &Answer) {
      Follows = true;
      continue;
    }
    const auto *Phi = dyn_cast<PHINode>(I);
    if (Phi && Phi->getParent() == L.getHeader())
      return false;
    // A flag that paths of the round set: the answer may say which path.
    Follows |= Phi && any_of(Phi->operands(),
                             [](const Use &U) { return isa<ConstantInt>(U); });
    for (const Use &U : I->operands())
      Work.insert(U);
  }
  return Follows;
}

static bool decidesEnd(const Instruction &Answer, const Loop &L) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  return any_of(Exiting, [&](const BasicBlock *B) {
    const auto *Br = dyn_cast<BranchInst>(B->getTerminator());
    return Br && Br->isConditional() &&
           followsFrom(Br->getCondition(), Answer, L);
  });
}

SmallVector<PollingLoop, 2> pollingLoops(const Function &Kernel) {
  SmallVector<PollingLoop, 2> Found;
  DominatorTree DT(const_cast<Function &>(Kernel));
  LoopInfo Loops(DT);
  for (const Instruction &I : instructions(Kernel)) {
    if (!isa<LoadInst, AtomicRMWInst, AtomicCmpXchgInst>(I) && !isPhaseTest(I))
      continue;
    const Loop *L = Loops.getLoopFor(I.getParent());
    if (L && asksAgain(I, *L) && decidesEnd(I, *L))
      Found.push_back({L->getHeader(), &I});
  }
  return Found;
}

bool pointsIntoBlock(const Value *Pointer) {
  const unsigned Space =
      getUnderlyingObject(Pointer)->getType()->getPointerAddressSpace();
  return isLocal(Pointer) || Space == NVPTXAS::ADDRESS_SPACE_SHARED ||
         Space == NVPTXAS::ADDRESS_SPACE_SHARED_CLUSTER;
}

bool waitsForBlocks(const Function &Kernel) {
  return any_of(pollingLoops(Kernel), [](const PollingLoop &L) {
    const Value *Pointer = getLoadStorePointerOperand(L.Question);
    if (const auto *RMW = dyn_cast<AtomicRMWInst>(L.Question))
      Pointer = RMW->getPointerOperand();
    else if (const auto *CAS = dyn_cast<AtomicCmpXchgInst>(L.Question))
      Pointer = CAS->getPointerOperand();
    return Pointer && !pointsIntoBlock(Pointer);
  });
}

} // namespace heddle
