//===- LaneShapes.cpp - How the lanes of a value differ -------------------===//

#include "LaneShapes.h"

#include "SpecialRegisters.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle {

WarpGeometry::WarpGeometry(std::array<uint32_t, 3> Dim) : BlockDim(Dim) {
  if (!isKnown())
    return;
  if (Dim[0] % 32 == 0 || (Dim[1] == 1 && Dim[2] == 1))
    Segments = 1;
  else if (Dim[0] == 16 || Dim[0] == 8)
    Segments = 32 / Dim[0];
}

LaneShapes::LaneShapes(Function &F, const WarpGeometry &Geometry)
    : F(F), Geometry(Geometry), Flow(F) {
  DominatorTree DT(F);
  LoopInfo LI(DT);
  AssumptionCache AC(F);
  TargetLibraryInfoImpl TLII(F.getParent()->getTargetTriple());
  TargetLibraryInfo TLI(TLII);
  ScalarEvolution Evolution(F, TLI, AC, DT, LI);
  SE = &Evolution;
  // Shapes only ever widen, so repeating until nothing changes terminates.
  bool Changed = true;
  while (Changed) {
    propagate();
    Changed = false;
    // A value that depends on nothing but itself (a phi of undefined values).
    for (Instruction &I : instructions(F))
      if (!I.getType()->isVoidTy() && of(&I).Kind == Shape::Unset) {
        Shapes[&I] = {Shape::Lanes, 0};
        Changed = true;
        break;
      }
    if (Changed)
      continue;
    for (BasicBlock &B : F)
      if (auto *Br = dyn_cast<BranchInst>(B.getTerminator()))
        if (Br->isConditional() && Br->getSuccessor(0) != Br->getSuccessor(1) &&
            !isUniform(Br->getCondition()))
          Changed |= Flow.addDivergent(&B);
    if (Changed)
      Flow.update();
  }
  SE = nullptr;
}

Shape LaneShapes::of(const Value *V) const {
  if (isa<Constant>(V) || isa<Argument>(V) || isa<MetadataAsValue>(V))
    return {Shape::Uniform, 0};
  return Shapes.lookup(V);
}

Shape LaneShapes::affine(int64_t Stride) const {
  if (Geometry.Segments == 1 && Stride == 0)
    return {Shape::Uniform, 0};
  return {Shape::Affine, Stride};
}

bool LaneShapes::allUniform(const Instruction &I) const {
  return all_of(I.operands(), [&](const Use &U) {
    return isa<BasicBlock>(U) || isa<Function>(U) || isUniform(U.get());
  });
}

void LaneShapes::propagate() {
  ReversePostOrderTraversal<Function *> RPOT(&F);
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (BasicBlock *B : RPOT)
      for (Instruction &I : *B) {
        if (I.getType()->isVoidTy())
          continue;
        Shape Old = Shapes.lookup(&I);
        if (Old.Kind == Shape::Lanes)
          continue;
        Shape New = Flow.isOverrun(B) ? Shape{Shape::Lanes, 0} : compute(I);
        if (New.Kind == Shape::Unset || New == Old)
          continue;
        // Affine with another stride, or back to a narrower shape because a
        // phi was optimistic: give up.
        if (New.Kind < Old.Kind ||
            (Old.Kind == Shape::Affine && New.Kind == Shape::Affine))
          New = {Shape::Lanes, 0};
        Shapes[&I] = New;
        Changed = true;
      }
  }
}

Shape LaneShapes::computePhi(const PHINode &Phi) const {
  // (The value of a phi with one input may be of another round of a loop.)
  if (Flow.isMixed(Phi.getParent()) &&
      !isa_and_nonnull<Constant, Argument>(Phi.hasConstantValue()))
    return {Shape::Lanes, 0};
  Shape Joined;
  for (const Value *In : Phi.incoming_values()) {
    Shape S = of(In);
    if (isa<UndefValue>(In) || S.Kind == Shape::Unset)
      continue;
    if (Joined.Kind == Shape::Unset)
      Joined = S;
    else if (Joined != S)
      return {Shape::Lanes, 0};
  }
  return Joined;
}

/// Sums base and scaled indices of an address.
Shape LaneShapes::computeGEP(const Instruction &I) const {
  const auto &GEP = cast<GEPOperator>(I);
  if (!GEP.getType()->isPointerTy())
    return {allUniform(I) ? Shape::Uniform : Shape::Lanes, 0};
  const DataLayout &DL = F.getParent()->getDataLayout();
  Shape Base = of(GEP.getPointerOperand());
  if (Base.Kind == Shape::Unset || Base.Kind == Shape::Lanes)
    return Base;
  bool Uniform = Base.Kind == Shape::Uniform;
  int64_t Stride = Base.Stride;
  for (auto It = gep_type_begin(GEP), E = gep_type_end(GEP); It != E; ++It) {
    if (It.isStruct())
      continue;
    Shape Index = of(It.getOperand());
    if (Index.Kind == Shape::Unset || Index.Kind == Shape::Lanes)
      return Index;
    // A narrow index is sign-extended, which an affine one may not survive.
    if (Index.Stride && It.getOperand()->getType()->getIntegerBitWidth() < 64)
      return {Shape::Lanes, 0};
    Uniform &= Index.Kind == Shape::Uniform;
    Stride += Index.Stride * int64_t(It.getSequentialElementStride(DL));
  }
  return Uniform ? Shape{Shape::Uniform, 0} : affine(Stride);
}

/// A sign or zero extension commutes with the steps between lanes if these do
/// not wrap around: the values of all lanes stay in a range that leaves out
/// more values than the lanes span.
Shape LaneShapes::computeExtension(const CastInst &I) const {
  const Value *From = I.getOperand(0);
  Shape S = of(From);
  if (S.Kind != Shape::Affine || S.Stride == 0)
    return S;
  bool Signed = isa<SExtInst>(I);
  if (!Signed && I.hasNonNeg())
    return S;
  // No unsigned wrap is a promise for the lanes that are active: the others
  // may lie below zero, as in `if (t >= step) x = a[t - step + k]`.
  if (const auto *Op = dyn_cast<OverflowingBinaryOperator>(From);
      Op && Signed && Op->hasNoSignedWrap())
    return S;
  const SCEV *Value = SE->getSCEV(const_cast<llvm::Value *>(From));
  ConstantRange Range =
      Signed ? SE->getSignedRange(Value) : SE->getUnsignedRange(Value);
  unsigned Width = From->getType()->getIntegerBitWidth();
  uint64_t Span = uint64_t(std::abs(S.Stride)) * Geometry.lanesPerSegment();
  if (Range.isFullSet() ||
      (Signed ? Range.isSignWrappedSet() : Range.isWrappedSet()) ||
      Width > 32 || Span >= (1ull << Width) ||
      Range.isSizeLargerThan((1ull << Width) - Span - 1))
    return {Shape::Lanes, 0};
  return S;
}

/// Whether the lanes of a warp hold 32 consecutive numbers of which the first
/// is a multiple of 32: threadIdx.x where a row of threads is whole warps.
bool LaneShapes::countsFromWarp(const Value *V) const {
  while (isa<SExtInst, ZExtInst>(V))
    V = cast<CastInst>(V)->getOperand(0);
  const auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Geometry.Segments == 1 &&
         Call->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_tid_x;
}

/// `threadIdx.x < 32` and the like, of which all lanes of a warp make the same.
bool LaneShapes::partsBetweenWarps(const ICmpInst &I) const {
  const auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
  if (!C || !countsFromWarp(I.getOperand(0)) || C->getValue().isNegative())
    return false;
  switch (I.getUnsignedPredicate()) {
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_UGE:
    return C->getZExtValue() % 32 == 0;
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_ULE:
    return C->getZExtValue() % 32 == 31;
  default:
    return false;
  }
}

/// Integer arithmetic on values whose lanes are evenly spaced.
Shape LaneShapes::computeInteger(const Instruction &I) const {
  Shape A = of(I.getOperand(0)), B = of(I.getOperand(1));
  if (A.Kind == Shape::Unset || B.Kind == Shape::Unset)
    return {};
  if (A.Kind == Shape::Lanes || B.Kind == Shape::Lanes)
    return {Shape::Lanes, 0};
  bool Uniform = A.Kind == Shape::Uniform && B.Kind == Shape::Uniform;
  auto result = [&](int64_t Stride) {
    return Uniform ? Shape{Shape::Uniform, 0} : affine(Stride);
  };
  const auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
  bool Small = C && C->getValue().getSignificantBits() <= 32;
  switch (I.getOpcode()) {
  case Instruction::Add:
    return result(A.Stride + B.Stride);
  case Instruction::Sub:
    return result(A.Stride - B.Stride);
  case Instruction::Or:
    if (cast<PossiblyDisjointInst>(I).isDisjoint())
      return result(A.Stride + B.Stride);
    break;
  case Instruction::Mul:
    if (Small && std::abs(A.Stride) < (1ll << 24))
      return result(A.Stride * C->getSExtValue());
    break;
  case Instruction::Shl:
    if (Small && C->getZExtValue() < 32 && std::abs(A.Stride) < (1ll << 24))
      return result(A.Stride * (1ll << C->getZExtValue()));
    break;
  case Instruction::LShr: // the number of the warp
    if (Small && C->getZExtValue() >= 5 && countsFromWarp(I.getOperand(0)))
      return {Shape::Uniform, 0};
    break;
  case Instruction::And: // the number in the warp
    if (Small && C->getZExtValue() % 32 == 31 &&
        countsFromWarp(I.getOperand(0)))
      return affine(1);
    break;
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    // A segment without active lanes may hold a zero divisor.
    if (!Uniform && !C)
      return {Shape::Lanes, 0};
    break;
  default:
    break;
  }
  if (A.Stride || B.Stride)
    return {Shape::Lanes, 0};
  return result(0);
}

Shape LaneShapes::computeCall(const CallBase &I) const {
  Shape Lanes = {Shape::Lanes, 0}, Uniform = {Shape::Uniform, 0};
  const auto *Call = dyn_cast<IntrinsicInst>(&I);
  switch (Call ? Call->getIntrinsicID() : Intrinsic::not_intrinsic) {
  case Intrinsic::nvvm_read_ptx_sreg_tid_x:
    return Geometry.Segments ? Shape{Shape::Affine, 1} : Lanes;
  case Intrinsic::nvvm_read_ptx_sreg_tid_y:
  case Intrinsic::nvvm_read_ptx_sreg_tid_z:
    return Geometry.Segments ? affine(0) : Lanes;
  case Intrinsic::nvvm_read_ptx_sreg_laneid:
    return Geometry.Segments ? Shape{Shape::Affine, 1} : Lanes;
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_eq:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_le:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_lt:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_ge:
  case Intrinsic::nvvm_read_ptx_sreg_lanemask_gt:
  case Intrinsic::nvvm_match_any_sync_i32:
  case Intrinsic::nvvm_match_any_sync_i64:
  case Intrinsic::nvvm_elect_sync:
    return Lanes;
  // What all active lanes vote on, they all get.
  case Intrinsic::nvvm_activemask:
  case Intrinsic::nvvm_vote_all:
  case Intrinsic::nvvm_vote_any:
  case Intrinsic::nvvm_vote_uni:
  case Intrinsic::nvvm_vote_ballot:
    return Uniform;
  case Intrinsic::nvvm_vote_all_sync:
  case Intrinsic::nvvm_vote_any_sync:
  case Intrinsic::nvvm_vote_uni_sync:
  case Intrinsic::nvvm_vote_ballot_sync:
  case Intrinsic::nvvm_redux_sync_add:
  case Intrinsic::nvvm_redux_sync_and:
  case Intrinsic::nvvm_redux_sync_or:
  case Intrinsic::nvvm_redux_sync_xor:
  case Intrinsic::nvvm_redux_sync_max:
  case Intrinsic::nvvm_redux_sync_min:
  case Intrinsic::nvvm_redux_sync_umax:
  case Intrinsic::nvvm_redux_sync_umin:
    return Uniform;
  default:
    break;
  }
  if (isSpecialRegister(I))
    return Uniform;
  if (Call && Intrinsic::getBaseName(Call->getIntrinsicID())
                  .starts_with("llvm.nvvm.barrier.cta.red"))
    return Uniform;
  if (isCrossLane(I))
    return Lanes;
  // Rows at the border of an image: what is one value in each segment.
  if (isa<MinMaxIntrinsic>(I) && all_of(I.args(), [&](const Use &U) {
        const Shape S = of(U);
        return S.Kind == Shape::Uniform || (S == Shape{Shape::Affine, 0});
      }))
    return allUniform(I) ? Uniform : affine(0);
  return allUniform(I) ? Uniform : Lanes;
}

Shape LaneShapes::compute(const Instruction &I) const {
  for (const Use &U : I.operands())
    if (!isa<PHINode>(I) && isa<Instruction>(U) && of(U).Kind == Shape::Unset)
      return {};
  switch (I.getOpcode()) {
  case Instruction::PHI:
    return computePhi(cast<PHINode>(I));
  case Instruction::Alloca:
  case Instruction::AtomicRMW:
  case Instruction::AtomicCmpXchg:
    return {Shape::Lanes, 0};
  case Instruction::Load:
    return {isUniform(I.getOperand(0)) ? Shape::Uniform : Shape::Lanes, 0};
  case Instruction::GetElementPtr:
    return computeGEP(I);
  case Instruction::Call:
    return computeCall(cast<CallBase>(I));
  case Instruction::AddrSpaceCast:
  case Instruction::IntToPtr:
  case Instruction::PtrToInt:
  case Instruction::Freeze:
  case Instruction::Trunc: {
    Shape S = of(I.getOperand(0));
    // Pointers of another width than integers would have to be extended.
    bool Wide = I.getType()->isIntOrPtrTy() &&
                I.getOperand(0)->getType()->isIntOrPtrTy();
    if (S.Kind == Shape::Affine &&
        (!Wide || (isa<IntToPtrInst>(I) &&
                   !I.getOperand(0)->getType()->isIntegerTy(64))))
      return {Shape::Lanes, 0};
    return S;
  }
  case Instruction::SExt:
  case Instruction::ZExt: {
    Shape S = of(I.getOperand(0));
    if (S.Kind == Shape::Affine)
      return I.getType()->isIntegerTy() &&
                     !I.getOperand(0)->getType()->isIntegerTy(1)
                 ? computeExtension(cast<CastInst>(I))
                 : Shape{Shape::Lanes, 0};
    return S;
  }
  case Instruction::ICmp:
    if (partsBetweenWarps(cast<ICmpInst>(I)))
      return {Shape::Uniform, 0};
    break;
  default:
    break;
  }
  if (isa<BinaryOperator>(I) && I.getType()->isIntegerTy() &&
      !I.getType()->isIntegerTy(1))
    return computeInteger(I);
  return {allUniform(I) ? Shape::Uniform : Shape::Lanes, 0};
}

/// A + Scale * B.
static std::optional<LaneShapes::Steps> sum(std::optional<LaneShapes::Steps> A,
                                            std::optional<LaneShapes::Steps> B,
                                            int64_t Scale) {
  // Strides must stay small.
  if (!A || !B || std::abs(Scale) >= 1ll << 24)
    return std::nullopt;
  // A subtracted extension is seldom, as are several that may wrap around.
  const bool Both = A->Extension && B->Extension,
             Subtracted = Scale < 0 && B->Extension;
  LaneShapes::Steps Sum = {nullptr, A->Stride + Scale * B->Stride,
                           A->Guess || B->Guess || Both || Subtracted};
  if (!Sum.Guess)
    Sum.Extension = A->Extension ? A->Extension : B->Extension;
  return Sum;
}

std::optional<LaneShapes::Steps> LaneShapes::steps(const Value *V) const {
  return Geometry.Segments ? steps(V, 0) : std::nullopt;
}

std::optional<LaneShapes::Steps> LaneShapes::steps(const Value *V,
                                                   unsigned Depth) const {
  constexpr unsigned MaxDepth = 8; // an address is a few operations
  const Shape S = of(V);
  if (S.Kind == Shape::Uniform || S.Kind == Shape::Affine)
    return Steps{nullptr, S.Stride};
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || Depth == MaxDepth)
    return std::nullopt;
  auto Of = [&](unsigned N) { return steps(I->getOperand(N), Depth + 1); };
  auto Constant = [&]() -> std::optional<int64_t> {
    const auto *C = dyn_cast<ConstantInt>(I->getOperand(1));
    return C && C->getValue().isSignedIntN(32)
               ? std::optional(C->getSExtValue())
               : std::nullopt;
  };
  switch (I->getOpcode()) {
  case Instruction::SExt:
  case Instruction::ZExt: {
    const Shape From = of(I->getOperand(0));
    if (!I->getType()->isIntegerTy(64))
      return std::nullopt;
    if (From.Kind == Shape::Affine)
      return Steps{cast<CastInst>(I), From.Stride};
    const auto Inner = Of(0);
    return Inner ? std::optional(Steps{nullptr, Inner->Stride, true})
                 : std::nullopt;
  }
  case Instruction::Add:
    return sum(Of(0), Of(1), 1);
  case Instruction::Sub:
    return sum(Of(0), Of(1), -1);
  case Instruction::Mul:
    return Constant() ? sum(Steps(), Of(0), *Constant()) : std::nullopt;
  case Instruction::Shl:
    return Constant() && *Constant() < 24
               ? sum(Steps(), Of(0), int64_t(1) << *Constant())
               : std::nullopt;
  case Instruction::IntToPtr:
    return I->getOperand(0)->getType()->isIntegerTy(64) ? Of(0) : std::nullopt;
  case Instruction::AddrSpaceCast:
    return Of(0);
  case Instruction::GetElementPtr:
    break;
  default:
    return stepsInRange(*I, Depth);
  }
  const DataLayout &DL = F.getParent()->getDataLayout();
  std::optional<Steps> Sum = Of(0);
  for (auto It = gep_type_begin(I), E = gep_type_end(I); It != E; ++It) {
    const Value *Index = It.getOperand();
    if (It.isStruct())
      continue;
    if (!isUniform(Index) && !Index->getType()->isIntegerTy(64))
      return std::nullopt; // it is extended as well
    Sum = sum(Sum, steps(Index, Depth + 1),
              int64_t(It.getSequentialElementStride(DL)));
  }
  return Sum;
}

/// Of an operation that keeps an index between bounds, where most lanes go on
/// as they would without it.
std::optional<LaneShapes::Steps>
LaneShapes::stepsInRange(const Instruction &I, unsigned Depth) const {
  auto Of = [&](const Value *V) {
    const auto S = steps(V, Depth + 1);
    return S && S->Stride ? std::optional(Steps{nullptr, S->Stride, true})
                          : std::nullopt;
  };
  if (isa<MinMaxIntrinsic, SelectInst>(I)) {
    const unsigned First = isa<SelectInst>(I) ? 1 : 0;
    const auto A = Of(I.getOperand(First));
    return A ? A : Of(I.getOperand(First + 1));
  }
  const unsigned Op = I.getOpcode();
  const bool Bounds = Op == Instruction::And || Op == Instruction::URem ||
                      Op == Instruction::SRem;
  return Bounds && isUniform(I.getOperand(1)) ? Of(I.getOperand(0))
                                              : std::nullopt;
}

} // namespace heddle
