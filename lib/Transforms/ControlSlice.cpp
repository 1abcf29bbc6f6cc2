//===- ControlSlice.cpp - What control and addresses need -----------------===//

#include "heddle/Transforms/ControlSlice.h"

#include "heddle/Analysis/AsyncBarrier.h"
#include "heddle/Analysis/AsyncCopy.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/BulkOperation.h"
#include "heddle/Analysis/DivergencePolicy.h"
#include "heddle/Analysis/KernelInfo.h"
#include "heddle/Analysis/KernelNumbering.h"
#include "heddle/Analysis/MatrixOperation.h"
#include "heddle/Analysis/TextureOperation.h"
#include "heddle/Analysis/WarpGroup.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;

namespace heddle {

static constexpr StringLiteral AddressOnly = "heddle.address.only";

bool isAddressOnly(const Instruction &I) { return I.hasMetadata(AddressOnly); }

namespace {

/// The memory that an access may touch: a space and the objects in it.
struct Touched {
  HeddleMemorySpace Space = HEDDLE_SPACE_GENERIC;
  /// Arguments, variables and allocas; empty if any object of the space.
  SmallVector<const Value *, 2> Objects;
};

enum class Role {
  Pure,    ///< kept if its value is
  Access,  ///< a memory record
  Control, ///< always kept
  Barrier, ///< kept where data flows between warps
  Unknown, ///< may do anything: always kept, and so is what it may read
  Nothing  ///< never kept
};

class Slicer {
public:
  explicit Slicer(Function &F) : F(F), Numbering(F) {}
  ControlSliceCounts run();

private:
  static Role roleOf(const Instruction &I);
  Touched touchedBy(const MemoryRecord &M) const;
  Touched touchedAt(const Value *Pointer, HeddleMemorySpace Space) const;
  bool mayMeet(const Touched &A, const Touched &B) const;
  void keep(Value *V);
  void keepData(Instruction &I);
  void keepWritersOf(const Touched &Read);
  void propagate();
  void propagateCopies();
  bool needsCopiedData() const;
  bool mayMeetOtherBlocks(const Instruction &I) const;
  void strip(Instruction &I);
  void keepLayout(ArrayRef<const GlobalVariable *> Variables);

  Function &F;
  KernelNumbering Numbering;
  SmallPtrSet<Instruction *, 32> Kept;     ///< computed by the slice
  SmallPtrSet<Instruction *, 16> WithData; ///< accesses that still happen
  SmallVector<Instruction *> Work;
  /// What bulk copies carry is needed, so that what they read is too.
  bool FollowsCopies = false;
};

} // namespace

/// An operation of an mbarrier or a bulk copy: it happens, but its effects are
/// known.
static bool isAsynchronous(const Instruction &I) {
  const auto *Call = dyn_cast<CallBase>(&I);
  return Call && (barrierOperation(*Call) || bulkOperation(*Call));
}

Role Slicer::roleOf(const Instruction &I) {
  // Allocas stay, so that local memory is laid out as it was.
  if (I.isTerminator() || isa<AllocaInst>(I))
    return Role::Control;
  if (isa<LoadInst, StoreInst, AtomicRMWInst, AtomicCmpXchgInst>(I))
    return Role::Access;
  if (isa<FenceInst>(I))
    return Role::Barrier;
  const auto *Call = dyn_cast<CallBase>(&I);
  if (!Call)
    return Role::Pure;
  if (isGridBarrier(I))
    return Role::Barrier;
  if (matrixAccess(*Call) || asyncCopy(*Call))
    return Role::Access;
  if (const auto O = textureOperation(*Call))
    return O->isQuestion() ? Role::Pure : Role::Access;
  if (groupProduct(*Call))
    return Role::Pure;
  if (isAsynchronous(I))
    return Role::Control;
  if (isCopyGroup(*Call) || isGroupFence(*Call) || bulkFence(*Call) ||
      registerChange(*Call))
    return Role::Nothing;
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(Call);
  const Function *Callee = Call->getCalledFunction();
  if (Callee && Callee->getName().starts_with("heddle.refused."))
    return Role::Control; // execution stops here, as at a trap
  if (!Intrinsic)
    return Call->doesNotAccessMemory() && Call->doesNotThrow() ? Role::Pure
                                                               : Role::Unknown;
  switch (Intrinsic->getIntrinsicID()) {
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
  case Intrinsic::nvvm_exit:
    return Role::Control;
  case Intrinsic::assume:
  case Intrinsic::donothing:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::nvvm_nanosleep:
  case Intrinsic::nvvm_bar_warp_sync:
  case Intrinsic::prefetch:
    return Role::Nothing;
  default:
    break;
  }
  if (I.isLifetimeStartOrEnd() || I.isDebugOrPseudoInst())
    return Role::Nothing;
  StringRef Name = Intrinsic::getBaseName(Intrinsic->getIntrinsicID());
  if (Name.starts_with("llvm.nvvm.barrier.cta.red"))
    return Role::Control; // its result may decide a branch
  if (Name.starts_with("llvm.nvvm.barrier.") ||
      Name.starts_with("llvm.nvvm.membar.") ||
      Name.starts_with("llvm.nvvm.fence."))
    return Role::Barrier;
  if (Name.starts_with("llvm.nvvm.prefetch") ||
      Name.starts_with("llvm.nvvm.applypriority") ||
      Name.starts_with("llvm.nvvm.discard"))
    return Role::Nothing;
  // Values exchanged between lanes, votes, special registers, arithmetic.
  return I.getType()->isVoidTy() ? Role::Unknown : Role::Pure;
}

/// `extern __shared__` arrays all lie at the same place.
static bool isDynamicShared(const Value *Object) {
  const auto *GV = dyn_cast<GlobalVariable>(Object);
  return GV && GV->getParent()->getDataLayout().getTypeAllocSize(
                   GV->getValueType()) == 0;
}

Touched Slicer::touchedBy(const MemoryRecord &M) const {
  if (!M.Pointer->getType()->isPointerTy())
    return {}; // texels may be any global memory
  // What is remote for one block is another one's own shared memory.
  return touchedAt(M.Pointer, M.Space == HEDDLE_SPACE_CLUSTER
                                  ? HEDDLE_SPACE_SHARED
                                  : M.Space);
}

Touched Slicer::touchedAt(const Value *Pointer, HeddleMemorySpace Space) const {
  Touched T;
  T.Space = Space;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(Pointer, Objects, nullptr, /*MaxLookup=*/0);
  for (const Value *Object : Objects) {
    if (!isa<Argument, GlobalVariable, AllocaInst>(Object) ||
        isDynamicShared(Object))
      return {T.Space, {}};
    T.Objects.push_back(Object);
  }
  return T;
}

bool Slicer::mayMeet(const Touched &A, const Touched &B) const {
  if (A.Space != B.Space && A.Space != HEDDLE_SPACE_GENERIC &&
      B.Space != HEDDLE_SPACE_GENERIC)
    return false;
  if (A.Objects.empty() || B.Objects.empty())
    return true;
  return any_of(A.Objects,
                [&](const Value *O) { return is_contained(B.Objects, O); });
}

void Slicer::keep(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I)
    return;
  if (roleOf(*I) == Role::Access)
    return keepData(*I);
  if (Kept.insert(I).second)
    Work.push_back(I);
}

/// Keeps an access with all that it reads and writes.
void Slicer::keepData(Instruction &I) {
  if (!WithData.insert(&I).second)
    return;
  Kept.insert(&I);
  Work.push_back(&I);
}

void Slicer::keepWritersOf(const Touched &Read) {
  for (const MemoryRecord &M : Numbering.memory())
    if (M.IsStore && mayMeet(touchedBy(M), Read))
      keepData(const_cast<Instruction &>(*M.Inst));
}

void Slicer::propagate() {
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    for (Value *Op : I->operands())
      keep(Op);
    unsigned Record = Numbering.memoryNumber(I);
    const auto *Call = dyn_cast<CallBase>(I);
    const auto Bulk = Call ? bulkOperation(*Call) : std::nullopt;
    if (Bulk && Bulk->Shape.Rank)
      keepWritersOf(touchedAt(Bulk->operand(HEDDLE_BULK_GLOBAL),
                              HEDDLE_SPACE_GENERIC)); // the tensor map
    if (Bulk && !FollowsCopies)
      continue;
    if (Record != HEDDLE_NO_MEMORY && I->mayReadFromMemory())
      keepWritersOf(touchedBy(Numbering.memory()[Record]));
  }
}

/// Whether control depends on memory that bulk copies write, or on products of
/// what they have copied.
bool Slicer::needsCopiedData() const {
  bool Any = false, WriteGlobal = false;
  for (const Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      if (groupProduct(*Call) && Kept.contains(&I))
        return true;
      if (const auto Bulk = bulkOperation(*Call)) {
        Any = true;
        WriteGlobal |= Bulk->writesGlobal();
      }
    }
  // Parameters have no record.
  return Any && any_of(WithData, [&](const Instruction *I) {
           const unsigned Record = Numbering.memoryNumber(I);
           if (Record == HEDDLE_NO_MEMORY || isAsynchronous(*I) ||
               !I->mayReadFromMemory())
             return false;
           const auto Space = Numbering.memory()[Record].Space;
           return Space == HEDDLE_SPACE_GLOBAL ? WriteGlobal
                                               : Space != HEDDLE_SPACE_LOCAL;
         });
}

/// Keeps what bulk copies and products of warp groups read, if it is needed.
void Slicer::propagateCopies() {
  propagate();
  FollowsCopies = needsCopiedData();
  if (!FollowsCopies)
    return;
  keepWritersOf({});
  for (Instruction &I : instructions(F))
    if (isAsynchronous(I))
      Work.push_back(&I);
  propagate();
}

/// Whether \p I, an access with data, may write what other blocks read.
bool Slicer::mayMeetOtherBlocks(const Instruction &I) const {
  if (!I.mayWriteToMemory())
    return false;
  if (const auto *Call = dyn_cast<CallBase>(&I)) {
    if (asyncCopy(*Call))
      return false;
    if (const auto Bulk = bulkOperation(*Call))
      return Bulk->writesGlobal() && FollowsCopies;
  }
  const HeddleMemorySpace Space =
      Numbering.memory()[Numbering.memoryNumber(&I)].Space;
  return Space != HEDDLE_SPACE_SHARED && Space != HEDDLE_SPACE_CLUSTER &&
         Space != HEDDLE_SPACE_LOCAL;
}

/// Takes the data away from an access that stays for its address.
void Slicer::strip(Instruction &I) {
  auto poison = [&](unsigned Operand) {
    I.setOperand(Operand, PoisonValue::get(I.getOperand(Operand)->getType()));
  };
  if (isa<StoreInst>(I)) {
    poison(0);
  } else if (isa<AtomicRMWInst>(I)) {
    poison(1);
  } else if (isa<AtomicCmpXchgInst>(I)) {
    poison(1);
    poison(2);
  } else if (const auto *Call = dyn_cast<CallBase>(&I);
             Call && matrixAccess(*Call)) { // stmatrix
    for (unsigned N = 1; N < Call->arg_size(); ++N)
      poison(N);
  } else if (const auto O = Call ? textureOperation(*Call) : std::nullopt) {
    for (size_t N = 0; N < O->Data.size(); ++N) // the last arguments
      poison(Call->arg_size() - 1 - unsigned(N));
  }
  I.setMetadata(AddressOnly, MDNode::get(I.getContext(), {}));
}

/// A shared variable that nothing uses any more would move those behind it.
void Slicer::keepLayout(ArrayRef<const GlobalVariable *> Variables) {
  std::vector<const GlobalVariable *> Left = globalsOf(F);
  IRBuilder<> B(&*F.getEntryBlock().getFirstInsertionPt());
  for (const GlobalVariable *GV : Variables)
    if (!is_contained(Left, GV))
      CastInst::Create(Instruction::PtrToInt, const_cast<GlobalVariable *>(GV),
                       B.getInt64Ty(), "placed", B.GetInsertPoint());
}

ControlSliceCounts Slicer::run() {
  fixLeavingSides(F);
  ControlSliceCounts Counts;
  Counts.Instructions = Numbering.numInsts();
  Counts.Accesses = Numbering.memory().size();
  bool AnyUnknown = false;
  for (Instruction &I : instructions(F)) {
    switch (roleOf(I)) {
    case Role::Unknown:
      AnyUnknown = true;
      [[fallthrough]];
    case Role::Control:
      keep(&I);
      break;
    default:
      break;
    }
  }
  for (const MemoryRecord &M : Numbering.memory())
    keep(const_cast<Value *>(M.Pointer));
  for (Instruction &I : instructions(F))
    if (const auto *Call = dyn_cast<CallBase>(&I)) {
      if (const auto Copy = asyncCopy(*Call); Copy && Copy->Read)
        keep(const_cast<Value *>(Copy->Read)); // which lanes read at all
      if (const auto O = textureOperation(*Call))
        for (const Value *V : O->placeOperands())
          keep(const_cast<Value *>(V));
    }
  // An access with unknown effects may read anything.
  if (AnyUnknown)
    keepWritersOf({});
  propagateCopies();

  Counts.BlocksMeet = AnyUnknown;
  Counts.KeepsBarriers = any_of(instructions(F), isAsynchronous);
  for (const Instruction *I : WithData) {
    Counts.KeepsBarriers |= I->mayWriteToMemory();
    Counts.BlocksMeet |= mayMeetOtherBlocks(*I);
  }
  if (Counts.KeepsBarriers)
    for (Instruction &I : instructions(F))
      if (roleOf(I) == Role::Barrier)
        keep(&I);
  propagate();

  SmallVector<Instruction *> Dead;
  for (Instruction &I : instructions(F)) {
    if (Kept.contains(&I)) {
      ++Counts.Kept;
      continue;
    }
    if (Numbering.memoryNumber(&I) == HEDDLE_NO_MEMORY) {
      Dead.push_back(&I);
      continue;
    }
    ++Counts.AddressesOnly;
    strip(I);
  }
  const std::vector<const GlobalVariable *> Variables = globalsOf(F);
  for (Instruction *I : Dead)
    if (!I->getType()->isVoidTy())
      I->replaceAllUsesWith(PoisonValue::get(I->getType()));
  for (Instruction *I : Dead)
    I->eraseFromParent();
  keepLayout(Variables);
  return Counts;
}

ControlSliceCounts sliceToControl(Function &Kernel) {
  return Slicer(Kernel).run();
}

ControlSlice makeControlSlice(const Function &Kernel) {
  ControlSlice Slice;
  ValueToValueMapTy Map;
  Slice.Module =
      CloneModule(*Kernel.getParent(), Map, [&](const GlobalValue *GV) {
        return GV == &Kernel || isa<GlobalVariable>(GV);
      });
  Slice.Kernel = cast<Function>(Map[&Kernel]);
  Slice.Counts = sliceToControl(*Slice.Kernel);
  return Slice;
}

PreservedAnalyses ControlSlicePass::run(Module &M, ModuleAnalysisManager &) {
  for (Function &F : M)
    if (F.getCallingConv() == CallingConv::PTX_Kernel && !F.isDeclaration())
      sliceToControl(F);
  return PreservedAnalyses::none();
}

} // namespace heddle
