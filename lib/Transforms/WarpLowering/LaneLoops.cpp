//===- LaneLoops.cpp - Loops that may run one lane at a time --------------===//

#include "LaneLoops.h"

#include "SpecialRegisters.h"

#include "heddle/ABI/WarpKernel.h"
#include "heddle/Analysis/KernelInfo.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

/// Intrinsics that are a few host instructions for one lane as for 32.
static bool isPlainIntrinsic(const CallBase &Call) {
  if (isa<WithOverflowInst>(Call) || Call.isLifetimeStartOrEnd() ||
      Call.isDebugOrPseudoInst())
    return true;
  switch (Call.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::sqrt:
  case Intrinsic::fabs:
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::abs:
  case Intrinsic::ctpop:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    return true;
  default:
    return false;
  }
}

/// Types that a lane's value can be put together from its components.
static bool isSimple(const Type *Ty) {
  return Ty->isVoidTy() || Ty->isIntOrPtrTy() || Ty->isFloatingPointTy() ||
         (isa<FixedVectorType>(Ty) && !Ty->getScalarType()->isIntegerTy(1));
}

SmallSetVector<Instruction *, 8> LaneLoop::liveIns() const {
  SmallSetVector<Instruction *, 8> Result;
  auto use = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    if (I && !contains(I->getParent()))
      Result.insert(I);
  };
  for (PHINode &Phi : Blocks.front()->phis())
    Result.insert(&Phi);
  for (BasicBlock *B : Blocks)
    for (Instruction &I : *B) {
      auto *Phi = dyn_cast<PHINode>(&I);
      for (Use &U : I.operands())
        if (!Phi || contains(Phi->getIncomingBlock(U)))
          use(U.get());
    }
  for (PHINode &Phi : Exit->phis())
    for (Use &U : Phi.incoming_values())
      if (contains(Phi.getIncomingBlock(U)))
        use(U.get());
  return Result;
}

/// Whether two writes to one place leave the same there in any order.
static bool commute(const Instruction &A, const Instruction &B) {
  const auto *RMWA = dyn_cast<AtomicRMWInst>(&A),
             *RMWB = dyn_cast<AtomicRMWInst>(&B);
  if (RMWA && RMWB)
    return RMWA->getOperation() == RMWB->getOperation() &&
           RMWA->getType() == RMWB->getType();
  const auto *StoreA = dyn_cast<StoreInst>(&A),
             *StoreB = dyn_cast<StoreInst>(&B);
  return StoreA && StoreB &&
         StoreA->getValueOperand() == StoreB->getValueOperand();
}

/// Whether \p I writes so that lanes may come in any order: a value that all
/// of them share, or an atomic operation that commutes.
static bool isUnordered(const Instruction &I, const LaneLoop &L,
                        const LaneShapes &Shapes, const DataLayout &DL) {
  if (const auto *Store = dyn_cast<StoreInst>(&I)) {
    const Value *V = Store->getValueOperand();
    const auto *Def = dyn_cast<Instruction>(V);
    return Store->isSimple() && Shapes.isUniform(V) &&
           !(Def && L.contains(Def->getParent())) &&
           Store->getAlign().value() >= DL.getTypeStoreSize(V->getType());
  }
  const auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return RMW && commutes(*RMW);
}

/// Whether \p I is nothing but a computation of its lane.
static bool isComputation(const Instruction &I, const LaneShapes &Shapes) {
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return isPlainIntrinsic(*Call) ||
           (isSpecialRegister(*Call) && Shapes.isUniform(Call));
  return isa<PHINode, BranchInst, BinaryOperator, UnaryOperator, CmpInst,
             CastInst, SelectInst, GetElementPtrInst, FreezeInst,
             ExtractValueInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst>(I) &&
         I.getOpcode() != Instruction::FRem;
}

/// What the loop \p L reads and writes; nothing if it has an operation between
/// lanes, or one that a lane alone cannot do.
std::optional<LaneLoops::Accesses>
LaneLoops::accessesOf(const LaneLoop &L) const {
  const DataLayout &DL = F.getParent()->getDataLayout();
  Accesses Found;
  for (const BasicBlock *B : L.Blocks)
    for (const Instruction &I : *B) {
      if (!isSimple(I.getType()) && !isa<WithOverflowInst>(I))
        return std::nullopt;
      if (const auto *Load = dyn_cast<LoadInst>(&I)) {
        if (!Load->isSimple())
          return std::nullopt;
        if (!Load->hasMetadata(LLVMContext::MD_invariant_load))
          getUnderlyingObjects(Load->getPointerOperand(), Found.Reads);
      } else if (isa<StoreInst, AtomicRMWInst>(I)) {
        const auto *Store = dyn_cast<StoreInst>(&I);
        const auto *RMW = dyn_cast<AtomicRMWInst>(&I);
        if (Store ? !Store->isSimple() : !commutes(*RMW))
          return std::nullopt;
        Found.Ordered |= !isUnordered(I, L, Shapes, DL);
        Found.Writes.push_back({&I, {}});
        getUnderlyingObjects(RMW ? RMW->getPointerOperand()
                                 : getLoadStorePointerOperand(&I),
                             Found.Writes.back().second);
      } else if (!isComputation(I, Shapes)) {
        return std::nullopt;
      }
    }
  return Found;
}

/// Whether lanes may run the loop in any order: what one of them writes no
/// other reads or overwrites with something else.
bool LaneLoops::isIndependent(LaneLoop &L, const Accesses &A) const {
  if (A.Ordered)
    return false;
  // Objects that are surely different, or arguments to be compared when run.
  auto apart = [&](ArrayRef<const Value *> These,
                   ArrayRef<const Value *> Those) {
    for (const Value *This : These)
      for (const Value *That : Those) {
        // Dynamic shared memory may have several names.
        auto isKnown = [](const Value *V) {
          const auto *GV = dyn_cast<GlobalVariable>(V);
          return isa<Argument>(V) || (GV && !GV->isDeclaration());
        };
        if (This == That || !isKnown(This) ||
            !(isKnown(That) || isa<AllocaInst>(That)))
          return false;
        if (isa<Argument>(This) && isa<Argument>(That)) {
          if (ArgumentsOverlap)
            return false;
          L.Differ.insert({This, That});
        }
      }
    return true;
  };
  for (const auto &[I, Objects] : A.Writes) {
    if (!apart(Objects, A.Reads))
      return false;
    for (const auto &[Other, OtherObjects] : A.Writes)
      if (!commute(*I, *Other) && !apart(Objects, OtherObjects))
        return false;
  }
  return true;
}

/// Whether \p I accesses neighbouring elements unless an index wraps around.
static bool isRow(const Instruction &I, const Value &Pointer,
                  const LaneShapes &Shapes, const DataLayout &DL) {
  const auto Steps = Shapes.steps(&Pointer);
  return Steps && isa<LoadInst, StoreInst>(I) &&
         Steps->Stride == int64_t(DL.getTypeStoreSize(getLoadStoreType(&I)));
}

/// Compares a round of all lanes with one of a lane alone, in quarters of a
/// cycle of a recent x86 core, which starts up to four operations a cycle: an
/// element of a gather takes two cycles with indices of 32 bits and almost four
/// with pointers, a vector operation one for each of its host registers. A lane
/// that comes alone pays for a mispredicted branch, spread over the few rounds
/// that it stays. Where only a nearly full warp would go together, no lane
/// does: the first few rounds in lockstep gain less than the change costs.
void LaneLoops::weigh(LaneLoop &L) const {
  const unsigned ScatteredCost = 400, VectorCost = 12, BranchCost = 32,
                 AloneCost = 2, EnterCost = 20,
                 NearlyFull = HEDDLE_WARP_SIZE * 7 / 8;
  const DataLayout &DL = F.getParent()->getDataLayout();
  unsigned Together = 0, Alone = EnterCost, Scattered = 0;
  for (const BasicBlock *B : L.Blocks)
    for (const Instruction &I : *B) {
      if (isa<PHINode>(I) || I.isDebugOrPseudoInst())
        continue;
      Alone += AloneCost;
      const Value *Pointer = getLoadStorePointerOperand(&I);
      if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
        Pointer = RMW->getPointerOperand();
      if (Pointer && Shapes.of(Pointer).Kind == Shape::Lanes &&
          !isRow(I, *Pointer, Shapes, DL)) {
        ++Scattered;
        Together += ScatteredCost;
      } else if (isa<BranchInst>(I)) {
        Together += Shapes.flow().branch(B) ? BranchCost : 4;
      } else {
        Together +=
            Pointer || Shapes.of(&I).Kind == Shape::Lanes ? VectorCost : 4;
      }
    }
  L.MaxLanes =
      Scattered ? std::min(Together / Alone, unsigned(HEDDLE_WARP_SIZE)) : 0;
  if (L.MaxLanes >= NearlyFull)
    L.MaxLanes = HEDDLE_WARP_SIZE;
}

/// Whether a phi of the header depends on itself by a load or by arithmetic on
/// floating-point numbers, which take several cycles each.
bool LaneLoops::isChained(const LaneLoop &L) const {
  const BasicBlock *Header = L.Blocks.front();
  auto isOfRound = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I->getParent()) &&
           !(isa<PHINode>(I) && I->getParent() == Header);
  };
  for (const PHINode &Phi : Header->phis()) {
    SmallSetVector<const Value *, 16> After;
    for (const User *U : Phi.users())
      if (isOfRound(U))
        After.insert(U);
    for (unsigned N = 0; N < After.size(); ++N)
      for (const User *U : After[N]->users())
        if (isOfRound(U))
          After.insert(U);
    SmallSetVector<const Value *, 16> Before;
    for (const Use &In : Phi.incoming_values())
      if (L.contains(Phi.getIncomingBlock(In)) && isOfRound(In))
        Before.insert(In);
    for (unsigned N = 0; N < Before.size(); ++N) {
      const auto *I = cast<Instruction>(Before[N]);
      if (After.contains(I) &&
          (isa<LoadInst>(I) || (I->getType()->isFPOrFPVectorTy() &&
                                isa<BinaryOperator, CallBase>(I))))
        return true;
      for (const Value *Op : I->operands())
        if (isOfRound(Op))
          Before.insert(Op);
    }
  }
  return false;
}

/// Whether the values that enter and leave can be taken apart by lane.
bool LaneLoops::isCarried(const LaneLoop &L) const {
  return all_of(L.liveIns(),
                [](const Instruction *I) { return isSimple(I->getType()); }) &&
         all_of(L.Exit->phis(), [&](const PHINode &Phi) {
           return Shapes.of(&Phi).Kind != Shape::Affine &&
                  isSimple(Phi.getType());
         });
}

void LaneLoops::consider(const Loop &L) {
  for (const Loop *Inner : L)
    consider(*Inner);
  constexpr unsigned MostBlocks = 32, MostInstructions = 256;
  BasicBlock *Exit = L.getUniqueExitBlock();
  if (!Exit || L.getNumBlocks() > MostBlocks)
    return;
  LaneLoop Found;
  Found.Exit = Exit;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
    if (L.contains(B))
      Found.Blocks.push_back(B);
  size_t Size = 0;
  bool Diverges = false;
  for (BasicBlock *B : Found.Blocks) {
    Size += B->size();
    Diverges |= L.isLoopExiting(B) && Shapes.flow().branch(B);
  }
  // Where all lanes leave together, few seldom stay.
  if (!Diverges || Size > MostInstructions)
    return;
  weigh(Found);
  if (Found.MaxLanes < 2 || !isCarried(Found))
    return;
  const std::optional<Accesses> A = accessesOf(Found);
  if (!A)
    return;
  if (isIndependent(Found, *A)) {
    Found.InTurns = isChained(Found);
  } else { // the last lane that is left does what it does in lockstep
    Found.MaxLanes = 1;
    Found.Differ.clear();
  }
  Loops[L.getHeader()] = std::move(Found);
}

LaneLoops::LaneLoops(Function &F, const LaneShapes &Shapes,
                     bool ArgumentsOverlap)
    : F(F), Shapes(Shapes), ArgumentsOverlap(ArgumentsOverlap) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (const Loop *L : LI)
    consider(*L);
}

} // namespace heddle
