//===- GuardedBlocks.cpp - Short branches without a jump ------------------===//
//
// In a loop that runs for one lane at a time, `if (a < b) atomicMin(p, a);`
// makes the host mispredict about as often as lanes differ. A short block
// beside its join is therefore executed always, and its accesses go to a dummy
// location where the lane would not have reached it.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace heddle {

/// Whether the instruction is cheap and harmless where it is not wanted, given
/// that guarded() moves its access away.
static bool isHarmless(const Instruction &I) {
  if (const auto *Op = dyn_cast<BinaryOperator>(&I))
    return !Op->isIntDivRem() && Op->getOpcode() != Instruction::FDiv &&
           Op->getOpcode() != Instruction::FRem;
  return isa<CastInst, CmpInst, SelectInst, GetElementPtrInst, LoadInst,
             StoreInst, FreezeInst, UnaryOperator>(I);
}

/// Whether \p Side, where some lanes of \p From go before \p Join, is short and
/// can be executed by all.
bool WarpBuilder::isGuardable(const BasicBlock *From, const BasicBlock *Side,
                              const BasicBlock *Join) const {
  constexpr unsigned MostInstructions = 12, MostAccesses = 2;
  const LaneLoop &L = Single->State.Loop;
  if (Side == L.Blocks.front() || !L.contains(Side) || !L.contains(Join) ||
      Side->getSinglePredecessor() != From ||
      Side->getSingleSuccessor() != Join || Side->size() > MostInstructions ||
      !Flow.branch(From))
    return false;
  unsigned Accesses = 0;
  for (const Instruction &I : *Side) {
    if (I.isTerminator() || I.isDebugOrPseudoInst())
      continue;
    Accesses += I.mayReadOrWriteMemory();
    // A locked operation costs more than a wrong prediction.
    if (isa<AtomicRMWInst>(I) ? isShared(I) : !isHarmless(I))
      return false;
  }
  return Accesses <= MostAccesses;
}

/// The pointer or, where the guard does not hold, one to a location of its own:
/// operations on a common one would have to wait for each other.
Value *WarpBuilder::guarded(Value *Pointer, Type *Ty) {
  if (!Single || !Single->Guard)
    return Pointer;
  AllocaInst *Nowhere = entryAlloca(Ty, "nowhere");
  new StoreInst(Constant::getNullValue(Ty), Nowhere, Entry);
  return unpredictable(Single->Guard, Pointer, Nowhere);
}

/// A select that must not become a branch.
Value *WarpBuilder::unpredictable(Value *Guard, Value *True, Value *False) {
  Value *V = B.CreateSelect(Guard, True, False);
  if (auto *Select = dyn_cast<SelectInst>(V))
    Select->setMetadata(LLVMContext::MD_unpredictable, MDNode::get(Ctx, {}));
  return V;
}

/// Lowers the branch together with the side that it goes around, if there is
/// one that can be executed anyway.
bool WarpBuilder::lowerGuarded(BranchInst &Br) {
  BasicBlock *From = Br.getParent(), *Side = Br.getSuccessor(0),
             *Join = Br.getSuccessor(1);
  bool Inverted = !isGuardable(From, Side, Join);
  if (Inverted) {
    std::swap(Side, Join);
    if (!isGuardable(From, Side, Join))
      return false;
  }
  Value *Guard = B.CreateFreeze(scalar(Br.getCondition()));
  if (Inverted)
    Guard = B.CreateNot(Guard);
  EdgeWrites Around, Through;
  collectEdge(From, Join, Around);
  Single->Guard = Guard;
  for (Instruction &I : *Side)
    if (!I.isTerminator())
      lower(I);
  Single->Guard = nullptr;
  collectEdge(Side, Join, Through);
  for (auto [Write, Other] : zip_equal(Through, Around))
    Write.Incoming[0] =
        unpredictable(Guard, Write.Incoming[0], Other.Incoming[0]);
  writeEdge(Through, Mask);
  Single->Merged.insert(Side);
  jump(From, Join);
  return true;
}

} // namespace heddle
