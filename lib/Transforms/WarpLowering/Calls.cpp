//===- Calls.cpp - Intrinsics, special registers and math -----------------===//

#include "WarpBuilder.h"

#include "SpecialRegisters.h"

#include "heddle/ABI/AddressMap.h"
#include "heddle/ABI/DeviceMath.h"
#include "heddle/ABI/DevicePrint.h"
#include "heddle/Analysis/Barriers.h"
#include "heddle/Analysis/ClusterRegisters.h"
#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

#include <cstddef>

using namespace llvm;

namespace heddle {

/// Calls that compute nothing here.
bool WarpBuilder::lowerNothing(CallInst &I, StringRef Name) {
  if (I.isLifetimeStartOrEnd() || I.isDebugOrPseudoInst())
    return true;
  switch (I.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::nvvm_nanosleep:
  case Intrinsic::nvvm_bar_warp_sync:
  case Intrinsic::donothing:
    return true;
  default:
    break;
  }
  if (Name.starts_with("llvm.nvvm.prefetch") ||
      Name.starts_with("llvm.nvvm.applypriority") ||
      Name.starts_with("llvm.nvvm.discard") ||
      Name.starts_with("llvm.prefetch"))
    return true;
  if (Name.starts_with("llvm.nvvm.membar.") ||
      Name.starts_with("llvm.nvvm.fence.")) {
    B.CreateFence(AtomicOrdering::SequentiallyConsistent);
    return true;
  }
  return false;
}

bool WarpBuilder::lowerSpecialRegister(CallInst &I) {
  StringRef Name = specialRegister(I);
  if (Name.empty())
    return false;
  auto Field = [&](size_t Offset) { return loadField(Offset, I32); };
  auto dimension = [&](StringRef Prefix) -> std::optional<unsigned> {
    StringRef Rest = Name;
    if (!Rest.consume_front(Prefix) || Rest.size() != 1)
      return std::nullopt;
    if (Rest[0] < 'x' || Rest[0] > 'z')
      return std::nullopt;
    return Rest[0] - 'x';
  };
  auto uniform = [&](Value *V) {
    if (V->getType() != I.getType())
      V = B.CreateZExtOrTrunc(V, I.getType());
    set(I, {V});
    return true;
  };
  if (auto D = dimension("tid.")) {
    size_t Row = offsetof(HeddleWarp, TidX) + *D * sizeof(HeddleWarp::TidX);
    if (shape(&I).Kind == Shape::Lanes) {
      setLanes(I, loadField(Row, lanesOf(I32)));
      return true;
    }
    Parts Bases;
    unsigned N = shape(&I).Kind == Shape::Uniform ? 1 : Geometry.Segments;
    for (unsigned S = 0; S < N; ++S)
      Bases.push_back(Field(Row + S * Geometry.lanesPerSegment() * 4));
    set(I, Bases);
    return true;
  }
  if (auto D = dimension("ntid.")) {
    if (Geometry.isKnown())
      return uniform(B.getInt32(Geometry.BlockDim[*D]));
    return uniform(Field(offsetof(HeddleWarp, BlockDim) + 4 * *D));
  }
  if (auto D = dimension("ctaid."))
    return uniform(Field(offsetof(HeddleWarp, BlockIdx) + 4 * *D));
  if (auto D = dimension("nctaid."))
    return uniform(Field(offsetof(HeddleWarp, GridDim) + 4 * *D));
  if (auto D = dimension("globaloffset."))
    return uniform(Field(offsetof(HeddleWarp, GlobalOffset) + 4 * *D));
  if (auto Offset = clusterRegister(Name))
    return uniform(Field(*Offset));
  if (Name == "is_explicit_cluster")
    return uniform(
        B.CreateIsNotNull(Field(offsetof(HeddleWarp, ExplicitCluster))));
  if (Name == "workdim")
    return uniform(Field(offsetof(HeddleWarp, WorkDim)));
  if (Name == "warpid")
    return uniform(Field(offsetof(HeddleWarp, WarpInBlock)));
  // One processor that runs everything, one block at a time.
  if (Name == "smid" || Name == "gridid" || Name.starts_with("envreg"))
    return uniform(B.getInt32(0));
  if (Name == "nwarpid")
    return uniform(B.getInt32(HEDDLE_NWARPID));
  if (Name == "nsmid")
    return uniform(B.getInt32(1));
  if (isClock(I))
    return uniform(B.CreateNeg(B.CreateLoad(I64, StepsSlot)));
  if (Name == "warpsize")
    return uniform(B.getInt32(HEDDLE_WARP_SIZE));
  if (Name == "dynamic.smem.size" || Name == "dynamic_smem_size")
    return uniform(Field(offsetof(HeddleWarp, DynamicSharedBytes)));
  if (Name == "total_smem_size")
    return uniform(Field(offsetof(HeddleWarp, SharedBytes)));
  if (Name == "laneid") {
    if (shape(&I).Kind != Shape::Lanes && Geometry.Segments) {
      Parts Bases;
      for (unsigned S = 0; S < Geometry.Segments; ++S)
        Bases.push_back(B.getInt32(S * Geometry.lanesPerSegment()));
      set(I, Bases);
      return true;
    }
    setLanes(I, laneConstants([](unsigned L) { return L; }));
    return true;
  }
  if (Name.consume_front("lanemask.")) {
    setLanes(I, laneConstants([&](unsigned L) -> uint32_t {
               uint32_t Own = 1u << L, Below = Own - 1;
               return Name == "eq"   ? Own
                      : Name == "lt" ? Below
                      : Name == "le" ? Below | Own
                      : Name == "gt" ? ~(Below | Own)
                                     : ~Below;
             }));
    return true;
  }
  return false;
}

Constant *WarpBuilder::laneConstants(function_ref<uint32_t(unsigned)> Of) {
  SmallVector<Constant *> Elements;
  for (unsigned L = 0; L < HEDDLE_WARP_SIZE; ++L)
    Elements.push_back(ConstantInt::get(I32, Of(L)));
  return ConstantVector::get(Elements);
}

/// llvm.minnum and llvm.maxnum with -0 less than +0, as PTX has it. Numbers
/// that compare equal differ in the sign of zero at most, which 'and' and 'or'
/// of the bits choose.
static Value *minMaxNum(IRBuilder<> &B, Value *X, Value *Y, bool Max) {
  Value *Second = Max ? B.CreateFCmpOGT(Y, X) : B.CreateFCmpOLT(Y, X);
  Value *R =
      B.CreateSelect(B.CreateFCmpUNO(X, X), Y, B.CreateSelect(Second, Y, X));
  auto IsZero = [](Value *V) {
    const auto *C = dyn_cast<Constant>(V);
    return !C || C->isZeroValue() || C->isNegativeZeroValue();
  };
  if (!IsZero(X) || !IsZero(Y))
    return R;
  Type *Bits = X->getType()->getWithNewType(
      B.getIntNTy(X->getType()->getScalarSizeInBits()));
  Value *XBits = B.CreateBitCast(X, Bits), *YBits = B.CreateBitCast(Y, Bits);
  Value *Both = Max ? B.CreateAnd(XBits, YBits) : B.CreateOr(XBits, YBits);
  return B.CreateSelect(B.CreateFCmpOEQ(X, Y),
                        B.CreateBitCast(Both, X->getType()), R);
}

/// The host operation for an elementwise intrinsic; null if there is none.
/// Nothing that rounds may depend on the host's math library.
static Value *applyIntrinsic(IRBuilder<> &B, Intrinsic::ID ID,
                             ArrayRef<Value *> Ops, Type *ResultTy) {
  auto same = [&](Intrinsic::ID Which) {
    return B.CreateIntrinsic(Which, {Ops[0]->getType()}, Ops);
  };
  switch (ID) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
  case Intrinsic::nvvm_fma_rn_f:
  case Intrinsic::nvvm_fma_rn_d:
    return same(Intrinsic::fma);
  case Intrinsic::sqrt:
  case Intrinsic::nvvm_sqrt_f:
  case Intrinsic::nvvm_sqrt_rn_f:
  case Intrinsic::nvvm_sqrt_rn_d:
  case Intrinsic::nvvm_sqrt_approx_f:
    return same(Intrinsic::sqrt);
  case Intrinsic::nvvm_add_rn_f:
  case Intrinsic::nvvm_add_rn_d:
    return B.CreateFAdd(Ops[0], Ops[1]);
  case Intrinsic::nvvm_mul_rn_f:
  case Intrinsic::nvvm_mul_rn_d:
    return B.CreateFMul(Ops[0], Ops[1]);
  case Intrinsic::nvvm_div_rn_f:
  case Intrinsic::nvvm_div_rn_d:
  case Intrinsic::nvvm_div_approx_f:
  case Intrinsic::nvvm_div_full:
    return B.CreateFDiv(Ops[0], Ops[1]);
  case Intrinsic::nvvm_rsqrt_approx_f:
  case Intrinsic::nvvm_rsqrt_approx_ftz_f:
    return B.CreateFDiv(ConstantFP::get(ResultTy, 1.0), same(Intrinsic::sqrt));
  case Intrinsic::nvvm_rcp_approx_ftz_f:
  case Intrinsic::nvvm_rcp_rn_f:
  case Intrinsic::nvvm_rcp_rn_d:
    return B.CreateFDiv(ConstantFP::get(ResultTy, 1.0), Ops[0]);
  case Intrinsic::nvvm_fabs:
    return same(Intrinsic::fabs);
  case Intrinsic::nvvm_mulhi_i:
  case Intrinsic::nvvm_mulhi_ui: {
    bool Signed = ID == Intrinsic::nvvm_mulhi_i;
    Type *Wide = ResultTy->getWithNewBitWidth(64);
    auto extend = [&](Value *V) {
      return Signed ? B.CreateSExt(V, Wide) : B.CreateZExt(V, Wide);
    };
    return B.CreateTrunc(
        B.CreateLShr(B.CreateMul(extend(Ops[0]), extend(Ops[1])),
                     ConstantInt::get(Wide, 32)),
        ResultTy);
  }
  case Intrinsic::minnum:
  case Intrinsic::maxnum:
    return minMaxNum(B, Ops[0], Ops[1], ID == Intrinsic::maxnum);
  case Intrinsic::fabs:
  case Intrinsic::floor:
  case Intrinsic::ceil:
  case Intrinsic::trunc:
  case Intrinsic::roundeven:
  case Intrinsic::copysign:
  case Intrinsic::minimum:
  case Intrinsic::maximum:
  case Intrinsic::smin:
  case Intrinsic::smax:
  case Intrinsic::umin:
  case Intrinsic::umax:
  case Intrinsic::ctpop:
  case Intrinsic::bswap:
  case Intrinsic::bitreverse:
  case Intrinsic::fshl:
  case Intrinsic::fshr:
  case Intrinsic::sadd_sat:
  case Intrinsic::ssub_sat:
  case Intrinsic::uadd_sat:
  case Intrinsic::usub_sat:
    return same(ID);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
    return same(Intrinsic::roundeven);
  case Intrinsic::round: { // halves away from zero, which hosts do not have
    Value *Whole = B.CreateUnaryIntrinsic(Intrinsic::trunc, Ops[0]);
    Value *Rest =
        B.CreateUnaryIntrinsic(Intrinsic::fabs, B.CreateFSub(Ops[0], Whole));
    Value *Away = B.CreateFAdd(
        Whole, B.CreateBinaryIntrinsic(Intrinsic::copysign,
                                       ConstantFP::get(ResultTy, 1.0), Ops[0]));
    return B.CreateSelect(B.CreateFCmpOGE(Rest, ConstantFP::get(ResultTy, 0.5)),
                          Away, Whole);
  }
  case Intrinsic::abs:
  case Intrinsic::ctlz:
  case Intrinsic::cttz:
    return B.CreateIntrinsic(ID, {Ops[0]->getType()}, {Ops[0], B.getFalse()});
  case Intrinsic::fptosi_sat:
  case Intrinsic::fptoui_sat:
    return B.CreateIntrinsic(ResultTy, ID, {Ops[0]});
  case Intrinsic::expect:
  case Intrinsic::ssa_copy:
    return Ops[0];
  default:
    return nullptr;
  }
}

/// Elementwise intrinsics that are a few host instructions.
bool WarpBuilder::lowerInlineIntrinsic(CallInst &I, StringRef Name) {
  Intrinsic::ID ID = I.getIntrinsicID();
  if (ID == Intrinsic::not_intrinsic || I.getType()->isVoidTy())
    return false;
  if (isa<MinMaxIntrinsic>(I) && shape(&I).Kind == Shape::Affine) {
    Parts Result;
    for (auto [A, C] :
         zip(bases(I.getArgOperand(0)), bases(I.getArgOperand(1))))
      Result.push_back(B.CreateBinaryIntrinsic(ID, A, C));
    set(I, Result);
    return true;
  }
  // llvm.is.fpclass has a constant that must stay one.
  if (ID == Intrinsic::is_fpclass) {
    auto test = [&](Value *V) {
      return B.createIsFPClass(
          V, cast<ConstantInt>(I.getArgOperand(1))->getZExtValue());
    };
    if (shape(&I).Kind == Shape::Uniform)
      set(I, {test(scalar(I.getArgOperand(0)))});
    else
      setLanes(I, test(lanes(I.getArgOperand(0))));
    return true;
  }
  if (Name.starts_with("llvm.nvvm.isspacep.")) {
    uint64_t Low = 0, High = 0;
    bool Inside = true;
    if (Name.ends_with("shared.cluster"))
      Low = HEDDLE_SHARED_BASE, High = HEDDLE_LOCAL_BASE;
    else if (Name.ends_with("local"))
      Low = HEDDLE_LOCAL_BASE, High = HEDDLE_ARENA_END;
    else if (Name.ends_with("global"))
      Low = HEDDLE_SHARED_BASE, High = HEDDLE_ARENA_END, Inside = false;
    else
      return false;
    auto test = [&](Value *P) {
      Type *Ty = P->getType()->getWithNewType(I64);
      Value *A =
          B.CreateSub(B.CreatePtrToInt(P, Ty), ConstantInt::get(Ty, Low));
      Value *Size = ConstantInt::get(Ty, High - Low);
      return Inside ? B.CreateICmpULT(A, Size) : B.CreateICmpUGE(A, Size);
    };
    if (shape(&I).Kind == Shape::Uniform)
      set(I, {test(scalar(I.getArgOperand(0)))});
    else
      setLanes(I, test(lanes(I.getArgOperand(0))));
    return true;
  }
  if (shape(&I).Kind == Shape::Uniform) {
    SmallVector<Value *, 3> Ops;
    for (Value *Arg : I.args())
      Ops.push_back(scalar(Arg));
    Value *V = applyIntrinsic(B, ID, Ops, hostType(I.getType()));
    if (V)
      set(I, {V});
    return V;
  }
  SmallVector<Parts, 3> Args;
  for (Value *Arg : I.args())
    Args.push_back(allLanes(Arg));
  Parts Result;
  unsigned N = 0;
  for (const Leaf &L : leavesOf(I.getType())) {
    SmallVector<Value *, 3> Ops;
    for (Parts &P : Args)
      Ops.push_back(P[P.size() == 1 ? 0 : N]);
    Value *V = applyIntrinsic(B, ID, Ops, lanesOf(L.Ty));
    if (!V)
      return false;
    Result.push_back(V);
    ++N;
  }
  set(I, Result);
  return true;
}

/// llvm.*.with.overflow: the result and a bit.
bool WarpBuilder::lowerOverflowIntrinsic(CallInst &I) {
  if (!isa<WithOverflowInst>(I))
    return false;
  bool Uniform = shape(&I).Kind == Shape::Uniform;
  auto operand = [&](unsigned N) {
    return Uniform ? scalar(I.getArgOperand(N)) : lanes(I.getArgOperand(N));
  };
  Value *A = operand(0), *C = operand(1);
  Value *Pair = B.CreateIntrinsic(I.getIntrinsicID(), {A->getType()}, {A, C});
  if (Uniform)
    set(I, {Pair});
  else
    set(I, {B.CreateExtractValue(Pair, 0), B.CreateExtractValue(Pair, 1)});
  return true;
}

bool WarpBuilder::lowerMath(Instruction &I, ArrayRef<Value *> Args,
                            StringRef Name) {
  const HeddleMathEntry *Entry = heddleFindMath(Name.str().c_str());
  // 16-bit floating point goes through f32, component by component.
  if (!Entry && (Name.ends_with(".f16") || Name.ends_with(".bf16")))
    Entry = heddleFindMath(
        (Name.substr(0, Name.rfind('.')) + ".f32").str().c_str());
  StringRef Signature = Entry ? Entry->Signature : "";
  if (!Entry || Signature.size() != Args.size() + 1)
    return false;
  auto tableType = [&](char Letter) -> Type * {
    switch (Letter) {
    case 'b':
      return I8;
    case 's':
      return I16;
    case 'i':
      return I32;
    case 'l':
      return I64;
    case 'h':
      return I16;
    case 'd':
      return B.getDoubleTy();
    default:
      return B.getFloatTy();
    }
  };
  auto toTable = [&](Value *V, char Letter) {
    Type *To = lanesOf(tableType(Letter));
    Type *From = V->getType();
    if (From == To)
      return V;
    if (From->isFPOrFPVectorTy() && To->isFPOrFPVectorTy())
      return B.CreateFPExt(V, To);
    if (Letter == 'b')
      return B.CreateZExt(V, To);
    return B.CreateBitCast(V, To);
  };
  auto fromTable = [&](Value *V, Type *LeafTy) {
    Type *To = lanesOf(LeafTy);
    if (V->getType() == To)
      return V;
    if (V->getType()->isFPOrFPVectorTy() && To->isFPOrFPVectorTy())
      return B.CreateFPTrunc(V, To);
    if (LeafTy == I1)
      return B.CreateTrunc(V, To);
    return B.CreateBitCast(V, To);
  };
  SmallVector<Parts, 3> In;
  for (Value *Arg : Args)
    In.push_back(allLanes(Arg));
  Parts Result;
  unsigned N = 0;
  for (const Leaf &L : leavesOf(I.getType())) {
    AllocaInst *Out = entryAlloca(
        ArrayType::get(tableType(Signature[0]), HEDDLE_WARP_SIZE), "math", 64);
    SmallVector<Value *, 4> Call = {Out};
    for (unsigned A = 0; A < 3; ++A) {
      if (A >= In.size()) {
        Call.push_back(ConstantPointerNull::get(B.getPtrTy()));
        continue;
      }
      Value *V = toTable(In[A][In[A].size() == 1 ? 0 : N], Signature[A + 1]);
      Call.push_back(spillLanes(V));
    }
    callHost(hostFunction((Twine("heddle.math.") + Entry->Name).str(),
                          Entry->Function),
             B.getVoidTy(), Call);
    Result.push_back(
        fromTable(B.CreateLoad(lanesOf(tableType(Signature[0])), Out), L.Ty));
    ++N;
  }
  if (shape(&I).Kind != Shape::Uniform) {
    set(I, Result);
    return true;
  }
  Value *Whole = Constant::getNullValue(hostType(I.getType()));
  for (unsigned C = 0; C < Result.size(); ++C) {
    Value *Element = B.CreateExtractElement(Result[C], uint64_t(0));
    Whole = I.getType()->isVectorTy() ? B.CreateInsertElement(Whole, Element, C)
                                      : Element;
  }
  set(I, {Whole});
  return true;
}

bool WarpBuilder::lowerPrint(CallInst &I, const Function &Callee) {
  if (!Callee.hasFnAttribute("heddle-format"))
    return false;
  unsigned Words = std::max(I.arg_size(), 1u);
  AllocaInst *Arguments = entryAlloca(
      ArrayType::get(I64, uint64_t(Words) * HEDDLE_WARP_SIZE), "print", 64);
  for (unsigned A = 0; A < I.arg_size(); ++A)
    B.CreateStore(lanes(I.getArgOperand(A)),
                  B.CreateConstInBoundsGEP1_64(I64, Arguments,
                                               uint64_t(A) * HEDDLE_WARP_SIZE));
  callHost(hostFunction("heddlePrint", heddlePrint), B.getVoidTy(),
           {Warp,
            B.CreateGlobalString(
                Callee.getFnAttribute("heddle-format").getValueAsString()),
            Mask, Arguments});
  return true;
}

void WarpBuilder::lowerCall(CallInst &I) {
  const Function *Callee = I.getCalledFunction();
  if (lowerMatrix(I) || lowerWarpGroup(I) || lowerAsyncCopy(I) ||
      lowerAsyncBarrier(I) || lowerTexture(I))
    return;
  if (I.isInlineAsm())
    return fail(I, "inline assembly that is not executed");
  if (!Callee)
    return fail(I, "call through a pointer");
  StringRef Name = Callee->getName();
  if (isBarrier(I))
    return lowerBarrier(I);
  switch (I.getIntrinsicID()) {
  case Intrinsic::trap:
  case Intrinsic::debugtrap:
  case Intrinsic::ubsantrap:
    failAtRunTime(HEDDLE_ERROR_TRAP, &I);
    B.SetInsertPoint(BasicBlock::Create(Ctx, "dead", Fn));
    return;
  case Intrinsic::nvvm_exit:
    lowerReturn(I.getParent());
    B.SetInsertPoint(BasicBlock::Create(Ctx, "dead", Fn));
    return;
  default:
    break;
  }
  if (Name.starts_with("heddle.refused.")) {
    failAtRunTime(HEDDLE_ERROR_UNSUPPORTED, &I);
    B.SetInsertPoint(BasicBlock::Create(Ctx, "dead", Fn));
    if (I.getType()->isVoidTy())
      return;
    if (shape(&I).Kind == Shape::Uniform)
      set(I, {Constant::getNullValue(I.getType())});
    else
      setLanes(I, Constant::getNullValue(lanesOf(I.getType())));
    return;
  }
  if (lowerPrint(I, *Callee) || lowerNothing(I, Name) ||
      lowerSpecialRegister(I) || lowerClusterAddress(I) ||
      lowerOverflowIntrinsic(I) || lowerInlineIntrinsic(I, Name))
    return;
  StringRef Short = Name;
  if (Short.consume_front("llvm.nvvm.") && lowerCrossLane(I, Short))
    return;
  const DeviceCall Device = deviceCall(I);
  SmallVector<Value *, 3> Args;
  for (unsigned N : Device.Arguments)
    Args.push_back(I.getArgOperand(N));
  if (lowerMath(I, Args, Device.Name))
    return;
  // llvm.sin.f32, heddle.math.sin.f32 and llvm.sin.v4f32 are sin.f32.
  Short = Name;
  if (Short.consume_front("heddle.math.") || Short.consume_front("llvm.")) {
    if (lowerMath(I, Args, Short))
      return;
    Type *Scalar = I.getType()->getScalarType();
    StringRef Suffix = Scalar->isDoubleTy()   ? ".f64"
                       : Scalar->isFloatTy()  ? ".f32"
                       : Scalar->isHalfTy()   ? ".f16"
                       : Scalar->isBFloatTy() ? ".bf16"
                                              : "";
    if (!Suffix.empty() &&
        lowerMath(I, Args, (Short.split('.').first + Suffix).str()))
      return;
  }
  fail(I, "call of '" + Name + "', which is not lowered");
}

} // namespace heddle
