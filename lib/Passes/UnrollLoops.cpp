//===- UnrollLoops.cpp - Loops unrolled as nvcc does ----------------------===//
//
// nvcc and plain Clang unroll by different rules, and code that ptxas sees from
// one has more loads at once, or arrays in registers that the other keeps in
// local memory. The rules here come from small kernels that nvcc 13.0 compiled
// to PTX: bodies of 0 to 64 operations, 2 to 1001 iterations, counted at run
// time or not, nested, with barriers, exits and arrays (docs/Frontends.md).
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "heddle/Analysis/Barriers.h"

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/CodeMetrics.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/UniformityAnalysis.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Support/NVPTXAddrSpace.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

namespace {

/// Instructions that all iterations of a loop may take when each has its own
/// code, the same where they index an array of the thread, and those of a group
/// of iterations that repeats. Sizes are LLVM's without the test at the end.
constexpr unsigned Whole = 400, WholeWithArray = 2430, Group = 200;
constexpr unsigned MostCopies = 32;
/// Instructions of an iteration for groups of four and two where their number
/// is computed in front of the loop.
constexpr unsigned MostForFour = 50, MostForTwo = 93;
/// Up to so many iterations, counting and testing is known not to be needed;
/// for more, if groups of them come to so many.
constexpr unsigned MostAnalyzed = 10;

class Unroller {
public:
  Unroller(Function &F, FunctionAnalysisManager &FAM)
      : LI(FAM.getResult<LoopAnalysis>(F)),
        DT(FAM.getResult<DominatorTreeAnalysis>(F)),
        SE(FAM.getResult<ScalarEvolutionAnalysis>(F)),
        AC(FAM.getResult<AssumptionAnalysis>(F)),
        TTI(FAM.getResult<TargetIRAnalysis>(F)),
        ORE(FAM.getResult<OptimizationRemarkEmitterAnalysis>(F)),
        AA(FAM.getResult<AAManager>(F)) {
    findLoopsOfLanes(F, FAM);
  }

  bool run(Function &F);

private:
  void findLoopsOfLanes(Function &F, FunctionAnalysisManager &FAM);
  unsigned copiesOf(const Loop &L) const;
  unsigned tripCount(const Loop &L) const;
  const SCEV *stepOf(const Loop &L) const;
  bool countsAtRunTime(const Loop &L) const;
  uint64_t sizeOf(const Loop &L) const;
  bool indexesArray(const Loop &L) const;
  bool unroll(Loop &L, unsigned Copies, bool Asked);

  LoopInfo &LI;
  DominatorTree &DT;
  ScalarEvolution &SE;
  AssumptionCache &AC;
  TargetTransformInfo &TTI;
  OptimizationRemarkEmitter &ORE;
  AAResults &AA;
  /// Loops around barriers or other convergent calls that lanes may leave apart
  /// from each other: in a group of iterations they would wait at different
  /// barriers.
  SmallPtrSet<const Loop *, 4> OfLanes;
};

} // namespace

/// Whether \p V is computed from what is the same for all threads of a block
/// and from counters of \p L. To LLVM blockDim differs from lane to lane, as
/// all calls do.
static bool isSameInBlock(const Value *V, const Loop &L,
                          SmallPtrSetImpl<const Value *> &Known) {
  if (isa<Constant, Argument>(V) || !Known.insert(V).second)
    return true;
  auto Same = [&](const Use &U) { return isSameInBlock(U, L, Known); };
  if (const auto *Call = dyn_cast<IntrinsicInst>(V)) {
    const StringRef Name = Call->getCalledFunction()->getName();
    StringRef Register = Name;
    if (Register.consume_front("llvm.nvvm.read.ptx.sreg."))
      return Register.starts_with("ntid.") || Register.starts_with("ctaid.") ||
             Register.starts_with("nctaid.");
    return isa<MinMaxIntrinsic>(Call) && all_of(Call->args(), Same);
  }
  if (const auto *Phi = dyn_cast<PHINode>(V))
    return Phi->getParent() == L.getHeader() &&
           all_of(Phi->incoming_values(), Same);
  return isa<BinaryOperator, CmpInst, CastInst>(V) &&
         all_of(cast<User>(V)->operands(), Same);
}

void Unroller::findLoopsOfLanes(Function &F, FunctionAnalysisManager &FAM) {
  UniformityInfo &UI = FAM.getResult<UniformityInfoAnalysis>(F);
  auto IsConvergent = [](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return Call && Call->isConvergent();
  };
  for (const Loop *L : LI.getLoopsInPreorder()) {
    SmallVector<BasicBlock *, 4> Exiting;
    L->getExitingBlocks(Exiting);
    if (any_of(Exiting,
               [&](const BasicBlock *B) {
                 SmallPtrSet<const Value *, 16> Known;
                 const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
                 return UI.hasDivergentTerminator(*B) &&
                        !(Branch &&
                          isSameInBlock(Branch->getCondition(), *L, Known));
               }) &&
        any_of(L->blocks(),
               [&](const BasicBlock *B) { return any_of(*B, IsConvergent); }))
      OfLanes.insert(L);
  }
}

/// Of the exit that is taken first; 0 if no exit has a known count.
unsigned Unroller::tripCount(const Loop &L) const {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  unsigned Least = 0;
  for (BasicBlock *B : Exiting)
    if (const unsigned Count = SE.getSmallConstantTripCount(&L, B))
      Least = Least ? std::min(Least, Count) : Count;
  return Least;
}

/// Whether the source says "#pragma unroll" of a loop.
static bool isAsked(const Loop &L) {
  return getBooleanLoopAttribute(&L, "llvm.loop.unroll.enable");
}

/// By what \p L counts, if it does.
const SCEV *Unroller::stepOf(const Loop &L) const {
  if (const ICmpInst *Test = L.getLatchCmpInst())
    for (Value *Side : Test->operands()) {
      const auto *Counter = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Side));
      if (Counter && Counter->getLoop() == &L)
        return Counter->getStepRecurrence(SE);
    }
  return nullptr;
}

/// Whether \p I is inline assembly in the source, or in a header of the
/// toolkit, which has all arithmetic of halves so.
static bool isAssembly(const Instruction &I) {
  auto IsHalf = [](const Type *T) {
    return T->getScalarType()->isHalfTy() || T->getScalarType()->isBFloatTy();
  };
  const bool Computes = I.isBinaryOp() || isa<UnaryOperator, FCmpInst>(I) ||
                        (isa<CastInst>(I) && !isa<BitCastInst>(I)) ||
                        isa<IntrinsicInst>(I);
  const auto *Call = dyn_cast<CallInst>(&I);
  return (Call && Call->isInlineAsm()) ||
         (Computes &&
          (IsHalf(I.getType()) || any_of(I.operands(), [&](const Use &U) {
             return IsHalf(U->getType());
           })));
}

/// Whether the number of iterations can be computed in front of the loop. Where
/// a loop counts by more than one, nvcc needs to know that the counter does not
/// wrap, and that what the loop calls returns, which it knows of barriers only;
/// of assembly it does not if the step is no constant, which might be zero.
bool Unroller::countsAtRunTime(const Loop &L) const {
  if (OfLanes.contains(&L) || !L.getExitingBlock() ||
      L.getExitingBlock() != L.getLoopLatch() ||
      isa<SCEVCouldNotCompute>(SE.getBackedgeTakenCount(&L)))
    return false;
  const SCEV *Step = stepOf(L);
  if (Step && (Step->isOne() || Step->isAllOnesValue()))
    return true;
  const bool IsConstant = isa_and_nonnull<SCEVConstant>(Step);
  auto MayNotReturn = [&](const Instruction &I) {
    const auto *Call = dyn_cast<CallBase>(&I);
    return (Call && Call->isConvergent() && !isBarrier(I)) ||
           (!IsConstant && isAssembly(I));
  };
  return !getBooleanLoopAttribute(&L, WrappingCounter) &&
         none_of(L.blocks(),
                 [&](const BasicBlock *B) { return any_of(*B, MayNotReturn); });
}

/// Whether \p L accesses an array of the thread at places that its counter
/// gives: in registers once each iteration has its own code.
bool Unroller::indexesArray(const Loop &L) const {
  auto MovesWithLoop = [&](Value *Address) {
    const auto *A = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Address));
    while (A && A->getLoop() != &L)
      A = dyn_cast<SCEVAddRecExpr>(A->getStart());
    return A != nullptr;
  };
  for (const BasicBlock *B : L.blocks())
    for (const Instruction &I : *B)
      if (const Value *Address = getLoadStorePointerOperand(&I))
        if (const auto *Array =
                dyn_cast<AllocaInst>(getUnderlyingObject(Address));
            Array && Array->isStaticAlloca() &&
            MovesWithLoop(const_cast<Value *>(Address)))
          return true;
  return false;
}

/// The largest power of two that divides \p Trips and makes a group.
static unsigned groupOf(uint64_t Size, unsigned Trips) {
  unsigned Copies = MostCopies;
  while (Copies > 1 && (Trips % Copies || Size * Copies > Group))
    Copies /= 2;
  return Copies;
}

/// Whether all \p Trips iterations get code of their own.
static bool isWhole(uint64_t Size, unsigned Trips, bool IndexesArray) {
  if (IndexesArray)
    return (Size - 1) * Trips <= WholeWithArray;
  const unsigned Saved = Trips <= MostAnalyzed                          ? 3
                         : Trips / groupOf(Size, Trips) <= MostAnalyzed ? 2
                                                                        : 0;
  return (Size - std::min<uint64_t>(Size, Saved)) * Trips <= Whole;
}

/// Whether \p I accesses shared memory at a constant distance from another
/// address. To nvcc such an address is an instruction of its own.
static bool isAtDistanceInShared(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  const auto *From = dyn_cast_or_null<GEPOperator>(Address);
  return From && From->hasAllConstantIndices() &&
         !isa<Constant>(From->getPointerOperand()) &&
         From->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
}

/// Whether each access through \p Pointer is a load or store at a constant
/// distance, so that an array of the thread becomes registers.
static bool isPromotable(const Value &Pointer) {
  return all_of(Pointer.users(), [&](const User *U) {
    if (const auto *Store = dyn_cast<StoreInst>(U))
      return Store->getPointerOperand() == &Pointer;
    if (const auto *Address = dyn_cast<GEPOperator>(U))
      return Address->hasAllConstantIndices() && isPromotable(*Address);
    if (isa<AddrSpaceCastInst>(U))
      return isPromotable(*U);
    const auto *Call = dyn_cast<IntrinsicInst>(U);
    return isa<LoadInst>(U) ||
           (Call && (Call->isLifetimeStartOrEnd() || isa<MemSetInst>(Call)));
  });
}

/// Accesses of arrays that are registers by the time at which nvcc looks at
/// this loop: it has unrolled the loops inside before.
static bool willBeRegister(const Instruction &I) {
  const Value *Address = getLoadStorePointerOperand(&I);
  const auto *Array = dyn_cast_or_null<AllocaInst>(
      Address ? getUnderlyingObject(Address) : nullptr);
  return Array && Array->isStaticAlloca() && isPromotable(*Array);
}

namespace {
struct MathSize {
  StringLiteral Name;
  int Single, Double;
};

constexpr MathSize MathSizes[] = {
#define HEDDLE_MATH_SIZE(Name, Single, Double) {Name, Single, Double},
#include "MathSizes.def"
};
} // namespace

/// The row of the function of the device library that \p I calls, if it does.
static const MathSize *mathSizeOf(const Instruction &I) {
  const auto *Call = dyn_cast<CallInst>(&I);
  const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
  StringRef Name = Callee ? Callee->getName() : "";
  if (!Name.consume_front("llvm.") && !Name.consume_front("heddle.math."))
    return nullptr;
  const auto *Row = find_if(MathSizes, [&](const MathSize &M) {
    return M.Name == Name.rsplit('.').first;
  });
  return Row == std::end(MathSizes) ? nullptr : Row;
}

/// Whether \p I calls a function that has a loop inside: the slow path of large
/// angles, or of quotients with many digits.
static bool callsLoop(const Instruction &I) {
  const MathSize *Row = mathSizeOf(I);
  return Row && I.getType()->isFloatTy() &&
         is_contained({"sin", "cos", "tan", "fmod", "remainder"}, Row->Name);
}

/// What \p I costs nvcc beyond what it costs LLVM. From loops of N products
/// beside one or four of each operation, of which nvcc 12.4 takes four or two
/// iterations together up to some N.
static int extraCost(const Instruction &I) {
  if (const MathSize *Row = mathSizeOf(I))
    return I.getType()->isDoubleTy() ? Row->Double : Row->Single;
  if (const auto *Call = dyn_cast<IntrinsicInst>(&I))
    switch (Call->getIntrinsicID()) {
    case Intrinsic::nvvm_shfl_sync_bfly_f32:
    case Intrinsic::nvvm_shfl_sync_down_f32:
    case Intrinsic::nvvm_shfl_sync_idx_f32:
    case Intrinsic::nvvm_shfl_sync_up_f32:
    case Intrinsic::abs:
      return 2;
    case Intrinsic::smax:
    case Intrinsic::smin:
    case Intrinsic::umax:
    case Intrinsic::umin:
      return 1;
    default:
      return 0;
    }
  Value *A = nullptr;
  if (match(&I, m_Trunc(m_LShr(m_Mul(m_Value(A), m_Value()),
                               m_SpecificInt(32))))) // __mulhi
    return -2;
  const bool IsWide = I.getType()->isIntegerTy(64);
  auto IsInShared = [](const User *U) { // where addresses have 32 bits
    const auto *Address = dyn_cast<GEPOperator>(U);
    return Address &&
           Address->getPointerAddressSpace() == NVPTXAS::ADDRESS_SPACE_SHARED;
  };
  if (IsWide && isa<SExtInst, ZExtInst>(I) && all_of(I.users(), IsInShared))
    return -1;
  if (IsWide && match(&I, m_c_Or(m_Shl(m_Value(A), m_SpecificInt(32)),
                                 m_Value()))) // of two words
    return -4;
  if (IsWide && I.isBinaryOp() && !I.isShift() && !I.isIntDivRem() &&
      I.getOpcode() != Instruction::Sub)
    return -1;
  return I.getOpcode() == Instruction::FDiv && I.hasApproxFunc() ? -3 : 0;
}

/// Without the test at the end; 0: it cannot be unrolled.
uint64_t Unroller::sizeOf(const Loop &L) const {
  constexpr unsigned TestAtEnd = 2;
  SmallPtrSet<const Value *, 32> Ephemeral;
  CodeMetrics::collectEphemeralValues(&L, &AC, Ephemeral);
  const UnrollCostEstimator Cost(&L, TTI, Ephemeral, TestAtEnd);
  if (!L.isLoopSimplifyForm() || !Cost.canUnroll())
    return 0;
  int64_t Size = Cost.getRolledLoopSize() - TestAtEnd;
  for (const BasicBlock *B : L.blocks()) {
    Size += count_if(*B, isAtDistanceInShared);
    Size -= count_if(*B, willBeRegister);
    for (const Instruction &I : *B)
      Size += extraCost(I);
  }
  return std::max<int64_t>(Size, 1);
}

/// How many iterations stand in a row afterwards; 1: as it is.
unsigned Unroller::copiesOf(const Loop &L) const {
  const uint64_t Size = sizeOf(L);
  if (!Size)
    return 1;
  const unsigned Trips = tripCount(L);
  if (Trips && isWhole(Size, Trips, indexesArray(L)))
    return Trips;
  if (!L.isInnermost() || any_of(L.blocks(), [](const BasicBlock *B) {
        return any_of(*B, callsLoop);
      }))
    return 1;
  if (Trips && Trips % 2 == 0)
    return groupOf(Size, Trips);
  // An odd number of iterations leaves from the middle of a group.
  if (Trips)
    return Size * 4 <= Group ? 4 : Size * 2 <= Group ? 2 : 1;
  if (!countsAtRunTime(L))
    return 1;
  return isAsked(L) || Size <= MostForFour ? 4 : Size <= MostForTwo ? 2 : 1;
}

bool Unroller::unroll(Loop &L, unsigned Copies, bool Asked) {
  UnrollLoopOptions Options = {};
  Options.Count = Copies;
  // A group that does not divide the known number is left in the middle.
  const unsigned Trips = tripCount(L);
  Options.Runtime = Trips % Copies != 0 || !Trips;
  Options.AllowExpensiveTripCount = true;
  // What is left over has no loop of its own inside of another.
  Options.UnrollRemainder = L.getParentLoop();
  Options.SCEVExpansionBudget = ~0u;
  const LoopUnrollResult Result =
      UnrollLoop(&L, Options, &LI, &SE, &DT, &AC, &TTI, &ORE,
                 /*PreserveLCSSA=*/true, nullptr, &AA);
  if (Asked && Result == LoopUnrollResult::PartiallyUnrolled)
    L.setLoopAlreadyUnrolled();
  return Result != LoopUnrollResult::Unmodified;
}

/// Whether barriers and assembly are said to end: without that, no loop around
/// one has a known count. Passes that move code may not rely on it.
static void sayThatCallsEnd(Function &F, bool End) {
  for (Instruction &I : instructions(F))
    if (isBarrier(I) || isAssemblyMark(I)) {
      auto &Call = cast<CallBase>(I);
      if (End)
        Call.addFnAttr(Attribute::WillReturn);
      else
        Call.removeFnAttr(Attribute::WillReturn);
    }
}

bool Unroller::run(Function &F) {
  bool Changed = false;
  for (Loop *L : LI) {
    Changed |= simplifyLoop(L, &DT, &LI, &SE, &AC, nullptr, false);
    Changed |= formLCSSARecursively(*L, DT, &LI, &SE);
  }
  sayThatCallsEnd(F, true);
  SE.forgetAllLoops();
  // Inner loops first.
  SmallVector<Loop *> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) {
    // Factors of the source, and what it asks for of a known number of
    // iterations, are left to LLVM's own passes.
    const bool Asked = isAsked(*L) && !tripCount(*L);
    if (!Asked && hasUnrollTransformation(L) != TM_Unspecified)
      continue;
    if (const unsigned Copies = copiesOf(*L); Copies > 1)
      Changed |= unroll(*L, Copies, Asked);
  }
  sayThatCallsEnd(F, false);
  SE.forgetAllLoops();
  return Changed;
}

PreservedAnalyses UnrollLoopsPass::run(Function &F,
                                       FunctionAnalysisManager &FAM) {
  return preserved(Unroller(F, FAM).run(F));
}

} // namespace heddle
