//===- IRCodeTable.cpp - LLVM IR as a code table --------------------------===//
//
// Level "ir": the instructions of the IR that cost time, as the hybrid
// estimator counts them (Wang et al., HPCA 2019, section II: arithmetic, memory
// accesses, synchronisation and calls stay; address computation, conversions
// between integers, annotations and phi nodes do not). An instruction that is
// left out passes the registers of its operands on to its users, so that
// dependences stay.
//
//===----------------------------------------------------------------------===//

#include "heddle/PTX/CodeTableBuilder.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/PTX/PTXEmitter.h"
#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallSet.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

namespace {

bool isPruned(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::PHI:
  case Instruction::GetElementPtr:
  case Instruction::Alloca:
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::SExt:
  case Instruction::BitCast:
  case Instruction::AddrSpaceCast:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::ExtractElement:
  case Instruction::InsertElement:
  case Instruction::ShuffleVector:
  case Instruction::ExtractValue:
  case Instruction::InsertValue:
  case Instruction::Freeze:
    return true;
  case Instruction::Br:
    return cast<BranchInst>(I).isUnconditional();
  case Instruction::Call:
    return isa<IntrinsicInst>(I) &&
           cast<IntrinsicInst>(I).isAssumeLikeIntrinsic();
  default:
    return false;
  }
}

HeddleDataType dataType(const Type *Ty) {
  Ty = Ty->getScalarType();
  if (Ty->isHalfTy())
    return HEDDLE_TYPE_F16;
  if (Ty->isBFloatTy())
    return HEDDLE_TYPE_BF16;
  if (Ty->isFloatTy())
    return HEDDLE_TYPE_F32;
  if (Ty->isDoubleTy())
    return HEDDLE_TYPE_F64;
  if (Ty->isPointerTy())
    return HEDDLE_TYPE_I64;
  if (!Ty->isIntegerTy())
    return HEDDLE_TYPE_NONE;
  unsigned Bits = Ty->getIntegerBitWidth();
  return Bits == 1    ? HEDDLE_TYPE_PRED
         : Bits <= 8  ? HEDDLE_TYPE_I8
         : Bits <= 16 ? HEDDLE_TYPE_I16
         : Bits <= 32 ? HEDDLE_TYPE_I32
         : Bits <= 64 ? HEDDLE_TYPE_I64
                      : HEDDLE_TYPE_B128;
}

void describeProduct(const MatrixProduct &P, HeddleInst &Out) {
  const HeddleMatrixShape &S = P.Shape;
  Out.Type = dataTypeOf(S.A);
  Out.Products =
      (S.Flags & HEDDLE_MATRIX_QUADS ? 4 : 1) * S.M * S.N * S.K >> P.IsSparse;
  if (S.D == HEDDLE_MATRIX_F16)
    Out.Flags |= HEDDLE_INST_HALF_SUMS;
}

void describeGroup(const GroupProduct &P, HeddleInst &Out) {
  Out.Type = dataTypeOf(P.Shape.A);
  Out.Products = P.products();
  Out.AccessBytes = P.sharedBytes();
  Out.Flags |= HEDDLE_INST_ASYNC;
  if (P.Shape.D == HEDDLE_MATRIX_F16)
    Out.Flags |= HEDDLE_INST_HALF_SUMS;
}

/// Groups that may be under way behind a fence of \p Call.
uint16_t groupsBehind(const CallBase &Call) {
  const auto *Left = cast<ConstantInt>(Call.getArgOperand(0));
  return uint16_t(
      std::min<uint64_t>(Left->getZExtValue(), HEDDLE_COPY_WAIT_ALL - 1));
}

class IRLevel {
public:
  explicit IRLevel(CodeTableBuilder &Builder)
      : Builder(Builder), Numbering(Builder.numbering()) {}

  KernelCode build();

private:
  void numberRegisters();
  void addRegisters(const Value *V, SmallVectorImpl<uint16_t> &Out,
                    SmallPtrSetImpl<const Value *> &Seen) const;
  HeddleInst translate(const Instruction &I);

  CodeTableBuilder &Builder;
  const KernelNumbering &Numbering;
  DenseMap<const Value *, uint16_t> Registers;
  unsigned NumRegisters = 1;
};

/// One register per value; a phi node and the values that reach it share one,
/// as they will after register allocation.
void IRLevel::numberRegisters() {
  EquivalenceClasses<const Value *> Same;
  for (unsigned N = 1; N <= Numbering.numInsts(); ++N)
    if (const auto *Phi = dyn_cast<PHINode>(Numbering.inst(N)))
      for (const Value *V : Phi->incoming_values())
        if (isa<Instruction>(V))
          Same.unionSets(Phi, V);
  DenseMap<const Value *, uint16_t> OfClass;
  for (unsigned N = 1; N <= Numbering.numInsts(); ++N) {
    const Instruction *I = Numbering.inst(N);
    if (I->getType()->isVoidTy())
      continue;
    const Value *Leader = I;
    if (auto It = Same.findLeader(I); It != Same.member_end())
      Leader = *It;
    // Passing on an operand's register is for values of no class of their own.
    if (isPruned(*I) && Leader == I && !isa<PHINode>(I))
      continue;
    auto [It, New] = OfClass.try_emplace(Leader, 0);
    // A kernel of more values than fit shares the last number.
    if (New)
      It->second = std::min<unsigned>(NumRegisters++, UINT16_MAX);
    Registers[I] = It->second;
  }
  NumRegisters = std::min<unsigned>(NumRegisters, UINT16_MAX + 1u);
}

void IRLevel::addRegisters(const Value *V, SmallVectorImpl<uint16_t> &Out,
                           SmallPtrSetImpl<const Value *> &Seen) const {
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !Seen.insert(I).second)
    return;
  if (auto It = Registers.find(I); It != Registers.end()) {
    if (!is_contained(Out, It->second))
      Out.push_back(It->second);
    return;
  }
  for (const Value *Operand : I->operands())
    addRegisters(Operand, Out, Seen);
}

HeddleInst IRLevel::translate(const Instruction &I) {
  HeddleInst Out = {};
  // A trap ends the thread by itself.
  Out.Class = isa<UnreachableInst>(I) ? HEDDLE_OP_EXIT : classOf(I);
  Out.Issued = 1;
  Out.Memory = Numbering.memoryNumber(&I);
  const Type *Ty = I.getType();
  if (isa<CmpInst>(I))
    Ty = I.getOperand(0)->getType();
  if (const auto *Store = dyn_cast<StoreInst>(&I))
    Ty = Store->getValueOperand()->getType();
  Out.Type = dataType(Ty);
  std::string Name = I.getOpcodeName();
  if (const auto *Call = dyn_cast<CallInst>(&I)) {
    if (const auto P = matrixProduct(*Call))
      describeProduct(*P, Out);
    if (const auto P = groupProduct(*Call))
      describeGroup(*P, Out);
    const uint16_t Change = registerChange(*Call);
    if (isGroupFence(*Call) || Change)
      Out.Flags |= HEDDLE_INST_ASYNC | HEDDLE_INST_WARP_GROUP;
    const auto Action = barrierOperation(*Call);
    const auto Bulk = bulkOperation(*Call);
    const uint16_t Fence = bulkFence(*Call);
    if (asyncCopy(*Call) || isCopyGroup(*Call) || Bulk || Fence || Action)
      Out.Flags |= HEDDLE_INST_ASYNC;
    if (Change)
      Out.Products = Change;
    else if (Action)
      Out.Products = Action->Action;
    else if (Bulk || Fence)
      Out.Products = Bulk ? Bulk->products() : Fence;
    const Intrinsic::ID ID = Call->getIntrinsicID();
    if (ID == Intrinsic::nvvm_cp_async_commit_group ||
        ID == Intrinsic::nvvm_wgmma_commit_group_sync_aligned)
      Out.Products = HEDDLE_COPY_COMMIT;
    else if (ID == Intrinsic::nvvm_wgmma_fence_sync_aligned)
      Out.Products = HEDDLE_GROUP_FENCE;
    else if (ID == Intrinsic::nvvm_cp_async_wait_all)
      Out.Products = HEDDLE_COPY_WAIT_ALL;
    else if (isCopyGroup(*Call) || isGroupFence(*Call))
      Out.Products = groupsBehind(*Call);
    const Function *Callee = Call->getCalledFunction();
    Name = isOpaqueCall(*Call)   ? opaqueOpcode(*Call)
           : Call->isInlineAsm() ? "asm"
                                 : Callee->getName().str();
  }
  if (Out.Memory != HEDDLE_NO_MEMORY) {
    const MemoryRecord &Record = Numbering.memory()[Out.Memory];
    Out.Space = Record.Space;
    Out.AccessBytes = Record.AccessBytes;
    const auto *Load = dyn_cast<LoadInst>(&I);
    const auto *Store = dyn_cast<StoreInst>(&I);
    if ((Load && Load->isVolatile()) || (Store && Store->isVolatile()))
      Out.Flags |= HEDDLE_INST_VOLATILE;
    if (Load && Load->hasMetadata(LLVMContext::MD_invariant_load))
      Out.Flags |= HEDDLE_INST_READ_ONLY;
  } else if (Out.Class == HEDDLE_OP_LOAD) {
    Out.Space = HEDDLE_SPACE_PARAM;
    Out.AccessBytes =
        I.getModule()->getDataLayout().getTypeStoreSize(I.getType());
  }
  if (isGridBarrier(I))
    Out.Flags |= HEDDLE_INST_GRID;
  if (isClusterBarrier(I))
    Out.Products =
        isClusterArrive(I) ? HEDDLE_CLUSTER_ARRIVE : HEDDLE_CLUSTER_WAIT;
  if (const auto Named = namedBarrierOf(I))
    Out.Products = namedBarrier(Named->Arrives, Named->Number, Named->Threads);
  Out.Opcode = Builder.opcode(Name);
  SmallVector<uint16_t, 8> Defs, Uses;
  if (auto It = Registers.find(&I); It != Registers.end())
    Defs.push_back(It->second);
  SmallPtrSet<const Value *, 16> Seen;
  for (const Value *Operand : I.operands())
    addRegisters(Operand, Uses, Seen);
  CodeTableBuilder::setRegisters(Out, Defs, Uses);
  Builder.setSource(Out, I);
  return Out;
}

KernelCode IRLevel::build() {
  numberRegisters();
  std::vector<std::vector<HeddleInst>> Blocks(Numbering.numBlocks());
  for (unsigned B = 0; B != Numbering.numBlocks(); ++B)
    for (const Instruction &I : *Numbering.block(B))
      if (!isPruned(I))
        Blocks[B].push_back(translate(I));
  Builder.code().NumRegisters = NumRegisters;
  return Builder.finish(std::move(Blocks));
}

} // namespace

KernelCode buildIRLevel(CodeTableBuilder &Builder) {
  return IRLevel(Builder).build();
}

} // namespace heddle
