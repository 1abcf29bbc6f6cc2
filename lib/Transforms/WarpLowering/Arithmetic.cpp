//===- Arithmetic.cpp - What happens in each lane by itself ---------------===//
//
// Flags that make an out-of-range result poison are dropped: every engine and
// every run must see the same. Division takes a zero divisor as one, shifts by
// the width or more give zero (or the sign), conversions to integers saturate.
//
//===----------------------------------------------------------------------===//

#include "WarpBuilder.h"

#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace heddle {

/// 32-bit division through f64, whose quotient of two 32-bit numbers never
/// rounds across an integer: one vector instruction instead of 32 scalar ones.
static Value *divideByDoubles(IRBuilder<> &B, Value *A, Value *D, bool Signed) {
  Type *Doubles =
      VectorType::get(B.getDoubleTy(), cast<VectorType>(A->getType()));
  auto extend = [&](Value *V) {
    return Signed ? B.CreateSIToFP(V, Doubles) : B.CreateUIToFP(V, Doubles);
  };
  Value *Q = B.CreateFDiv(extend(A), extend(D));
  return Signed ? B.CreateFPToSI(Q, A->getType())
                : B.CreateFPToUI(Q, A->getType());
}

Value *WarpBuilder::divide(Instruction &I, Value *A, Value *D) {
  unsigned Opcode = I.getOpcode();
  bool Signed = Opcode == Instruction::SDiv || Opcode == Instruction::SRem;
  bool Rem = Opcode == Instruction::SRem || Opcode == Instruction::URem;
  auto Op = Instruction::BinaryOps(Opcode);
  Type *Ty = D->getType();
  const auto *C = dyn_cast<ConstantInt>(I.getOperand(1));
  if (C && !C->isZero() && !C->isMinusOne())
    return B.CreateBinOp(Op, A, D);

  Value *One = ConstantInt::get(Ty, 1), *Zero = ConstantInt::get(Ty, 0);
  Value *Safe = B.CreateICmpEQ(D, Zero);
  if (Ty->isVectorTy())
    Safe = B.CreateOr(Safe, B.CreateNot(MaskVector));
  Value *Negate = nullptr;
  if (Signed) { // the smallest number by -1 traps on the host
    Negate = B.CreateICmpEQ(D, ConstantInt::getAllOnesValue(Ty));
    Safe = B.CreateOr(Safe, Negate);
  }
  D = B.CreateSelect(Safe, One, B.CreateFreeze(D));
  unsigned Width = Ty->getScalarSizeInBits();
  Value *Result;
  if (Ty->isVectorTy() && Width <= 32) {
    Type *Wide = Ty->getWithNewBitWidth(32);
    A = B.CreateFreeze(A);
    Value *WideA = Signed ? B.CreateSExt(A, Wide) : B.CreateZExt(A, Wide);
    Value *WideD = Signed ? B.CreateSExt(D, Wide) : B.CreateZExt(D, Wide);
    Value *Q = divideByDoubles(B, WideA, WideD, Signed);
    Result = Rem ? B.CreateSub(WideA, B.CreateMul(Q, WideD)) : Q;
    Result = B.CreateTrunc(Result, Ty);
  } else {
    Result = B.CreateBinOp(Op, B.CreateFreeze(A), D);
  }
  if (Negate)
    Result = B.CreateSelect(Negate, Rem ? Zero : B.CreateNeg(A), Result);
  return Result;
}

Value *WarpBuilder::shift(Instruction &I, Value *A, Value *Amount) {
  auto Op = Instruction::BinaryOps(I.getOpcode());
  if (isa<ConstantInt>(I.getOperand(1)) &&
      cast<ConstantInt>(I.getOperand(1))
          ->getValue()
          .ult(A->getType()->getScalarSizeInBits()))
    return B.CreateBinOp(Op, A, Amount);
  unsigned Width = A->getType()->getScalarSizeInBits();
  Type *Ty = A->getType();
  Value *InRange = B.CreateICmpULT(Amount, ConstantInt::get(Ty, Width));
  if (Op == Instruction::AShr) {
    Value *Last = ConstantInt::get(Ty, Width - 1);
    return B.CreateAShr(A, B.CreateSelect(InRange, Amount, Last));
  }
  return B.CreateSelect(InRange, B.CreateBinOp(Op, A, Amount),
                        ConstantInt::get(Ty, 0));
}

/// Out of range saturates. NaN becomes 0, and only the top bit where one of the
/// two types has 64 bits (PTX ISA, "cvt").
Value *WarpBuilder::convertToInteger(const Instruction &I, Value *V,
                                     Type *ResultTy) {
  const unsigned Bits = ResultTy->getScalarSizeInBits();
  Value *R = B.CreateIntrinsic(ResultTy,
                               I.getOpcode() == Instruction::FPToSI
                                   ? Intrinsic::fptosi_sat
                                   : Intrinsic::fptoui_sat,
                               {V});
  if (Bits != 64 && !V->getType()->getScalarType()->isDoubleTy())
    return R;
  Value *Top = ConstantInt::get(ResultTy, APInt::getSignMask(Bits));
  return B.CreateSelect(B.CreateFCmpUNO(V, V), Top, R);
}

/// \p I on host values, scalars or vectors alike.
Value *WarpBuilder::apply(Instruction &I, ArrayRef<Value *> Ops,
                          Type *ResultTy) {
  switch (I.getOpcode()) {
  case Instruction::UDiv:
  case Instruction::SDiv:
  case Instruction::URem:
  case Instruction::SRem:
    return divide(I, Ops[0], Ops[1]);
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr:
    return shift(I, Ops[0], Ops[1]);
  case Instruction::FNeg:
    return B.CreateFNeg(Ops[0]);
  case Instruction::ICmp:
  case Instruction::FCmp:
    return B.CreateCmp(cast<CmpInst>(I).getPredicate(), Ops[0], Ops[1]);
  case Instruction::Freeze:
    return B.CreateFreeze(Ops[0]);
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return convertToInteger(I, Ops[0], ResultTy);
  case Instruction::AddrSpaceCast:
    return Ops[0];
  default:
    break;
  }
  if (I.isBinaryOp())
    return B.CreateBinOp(Instruction::BinaryOps(I.getOpcode()), Ops[0], Ops[1]);
  if (I.isCast())
    return B.CreateCast(Instruction::CastOps(I.getOpcode()), Ops[0], ResultTy);
  llvm_unreachable("callers pass only what is handled here");
}

void WarpBuilder::lowerElementwise(Instruction &I) {
  if (I.getOpcode() == Instruction::FRem) {
    Type *Ty = I.getType()->getScalarType();
    StringRef Name = Ty->isDoubleTy() ? "fmod.f64" : "fmod.f32";
    if (!Ty->isDoubleTy() && !Ty->isFloatTy())
      return fail(I, "remainder of this type");
    if (!lowerMath(I, {I.getOperand(0), I.getOperand(1)}, Name))
      fail(I, "remainder of this type");
    return;
  }
  if (shape(&I).Kind == Shape::Uniform) {
    SmallVector<Value *, 2> Ops;
    for (Value *Op : I.operands())
      Ops.push_back(scalar(Op));
    // Scalar code is as picky about vectors of the kernel as about its own.
    if (I.getType()->isVectorTy() && I.isIntDivRem()) {
      Value *Result = Constant::getNullValue(hostType(I.getType()));
      for (unsigned N = 0, E = leavesOf(I.getType()).size(); N < E; ++N)
        Result =
            B.CreateInsertElement(Result,
                                  divide(I, B.CreateExtractElement(Ops[0], N),
                                         B.CreateExtractElement(Ops[1], N)),
                                  N);
      return set(I, {Result});
    }
    return set(I, {apply(I, Ops, hostType(I.getType()))});
  }
  SmallVector<Parts, 2> Ops;
  for (Value *Op : I.operands())
    Ops.push_back(allLanes(Op));
  Parts Result;
  unsigned N = 0;
  for (const Leaf &L : leavesOf(I.getType())) {
    SmallVector<Value *, 2> Each;
    for (Parts &P : Ops)
      Each.push_back(P[N]);
    Result.push_back(apply(I, Each, lanesOf(L.Ty)));
    ++N;
  }
  set(I, Result);
}

/// Integer arithmetic on the bases of segments. Steps between lanes are in the
/// shape already.
void WarpBuilder::lowerAffine(Instruction &I) {
  SmallVector<Parts, 2> Ops;
  for (Value *Op : I.operands())
    Ops.push_back(bases(Op));
  Parts Result;
  for (unsigned S = 0; S < Geometry.Segments; ++S) {
    SmallVector<Value *, 2> Each;
    for (Parts &P : Ops)
      Each.push_back(P[S]);
    // Bits that are disjoint in active lanes need not be so in the base.
    if (I.getOpcode() == Instruction::Or &&
        cast<PossiblyDisjointInst>(I).isDisjoint())
      Result.push_back(B.CreateAdd(Each[0], Each[1]));
    else if (I.getOpcode() == Instruction::ZExt && I.hasNonNeg())
      Result.push_back(B.CreateSExt(Each[0], I.getType()));
    else
      Result.push_back(apply(I, Each, hostType(I.getType())));
  }
  set(I, Result);
}

/// Addresses: base plus one index times a size where possible, the form that
/// gather instructions take.
void WarpBuilder::lowerGEP(GetElementPtrInst &I) {
  if (!I.getType()->isPointerTy())
    return fail(I, "vector of addresses");
  const DataLayout &KernelDL = Clone.function().getParent()->getDataLayout();
  struct Term {
    Value *Index;
    int64_t Scale;
  };
  SmallVector<Term, 4> Terms;
  int64_t Offset = 0;
  for (auto It = gep_type_begin(I), E = gep_type_end(I); It != E; ++It) {
    if (StructType *S = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
      Offset += KernelDL.getStructLayout(S)->getElementOffset(Field);
      continue;
    }
    int64_t Scale = It.getSequentialElementStride(KernelDL);
    if (auto *C = dyn_cast<ConstantInt>(It.getOperand()))
      Offset += Scale * C->getSExtValue();
    else
      Terms.push_back({It.getOperand(), Scale});
  }
  Value *Base = I.getPointerOperand();
  auto extend = [&](Value *V) {
    return B.CreateSExtOrTrunc(V, V->getType()->getWithNewBitWidth(64));
  };
  auto scalarAddress = [&](Value *P, function_ref<Value *(Value *)> IndexOf,
                           bool Varying) {
    for (const Term &T : Terms)
      if (isUniform(T.Index) || Varying)
        P = B.CreateGEP(
            I8, P, B.CreateMul(extend(IndexOf(T.Index)), B.getInt64(T.Scale)));
    return Offset ? B.CreateConstGEP1_64(I8, P, Offset) : P;
  };
  Shape S = shape(&I);
  if (S.Kind == Shape::Uniform)
    return set(I,
               {scalarAddress(
                   scalar(Base), [&](Value *V) { return scalar(V); }, true)});
  if (S.Kind == Shape::Affine) {
    Parts Bases = bases(Base), Result;
    SmallVector<Parts, 2> Indices;
    for (unsigned N = 0; N < Geometry.Segments; ++N)
      Result.push_back(
          scalarAddress(Bases[N], [&](Value *V) { return bases(V)[N]; }, true));
    return set(I, Result);
  }
  if (isUniform(Base)) {
    // Uniform terms join the scalar base.
    Value *P =
        scalarAddress(scalar(Base), [&](Value *V) { return scalar(V); }, false);
    SmallVector<Term, 2> Varying;
    for (const Term &T : Terms)
      if (!isUniform(T.Index))
        Varying.push_back(T);
    if (Varying.size() == 1) {
      const Term &T = Varying[0];
      Value *Index = extend(lanes(T.Index));
      if (T.Scale == 1 || T.Scale == 2 || T.Scale == 4 || T.Scale == 8)
        return setLanes(I, B.CreateGEP(B.getIntNTy(T.Scale * 8), P, Index));
      return setLanes(
          I,
          B.CreateGEP(I8, P, B.CreateMul(Index, splat(B.getInt64(T.Scale)))));
    }
    Value *Sum = nullptr;
    for (const Term &T : Varying) {
      Value *Bytes =
          B.CreateMul(extend(lanes(T.Index)), splat(B.getInt64(T.Scale)));
      Sum = Sum ? B.CreateAdd(Sum, Bytes) : Bytes;
    }
    // A GEP of uniform parts whose result is kept by lane.
    return Sum ? setLanes(I, B.CreateGEP(I8, P, Sum)) : set(I, {P});
  }
  Value *P = lanes(Base);
  for (const Term &T : Terms)
    P = B.CreateGEP(
        I8, P, B.CreateMul(extend(lanes(T.Index)), splat(B.getInt64(T.Scale))));
  if (Offset)
    P = B.CreateGEP(I8, P, splat(B.getInt64(Offset)));
  setLanes(I, P);
}

void WarpBuilder::lowerSelect(SelectInst &I) {
  Value *Condition = I.getCondition(), *True = I.getTrueValue(),
        *False = I.getFalseValue();
  if (shape(&I).Kind == Shape::Uniform)
    return set(I, {B.CreateSelect(B.CreateFreeze(scalar(Condition)),
                                  scalar(True), scalar(False))});
  Parts Conditions = allLanes(Condition), T = allLanes(True),
        F = allLanes(False), Result;
  for (unsigned N = 0; N < T.size(); ++N) {
    Value *C = Conditions[Conditions.size() == 1 ? 0 : N];
    Result.push_back(B.CreateSelect(B.CreateFreeze(C), T[N], F[N]));
  }
  set(I, Result);
}

/// Bitcasts regroup the components: through one integer for each lane.
void WarpBuilder::lowerBitCast(BitCastInst &I) {
  Value *From = I.getOperand(0);
  if (shape(&I).Kind == Shape::Uniform)
    return set(I, {B.CreateBitCast(scalar(From), hostType(I.getType()))});
  Parts In = allLanes(From), Out;
  auto To = leavesOf(I.getType());
  if (In.size() == To.size()) {
    for (unsigned N = 0; N < In.size(); ++N)
      Out.push_back(B.CreateBitCast(In[N], lanesOf(To[N].Ty)));
    return set(I, Out);
  }
  unsigned Total = DL.getTypeSizeInBits(hostType(I.getType()));
  auto *Wide = lanesOf(B.getIntNTy(Total));
  Value *Whole = Constant::getNullValue(Wide);
  unsigned Bits = Total / In.size();
  for (unsigned N = 0; N < In.size(); ++N) {
    Value *Part =
        B.CreateZExt(B.CreateBitCast(In[N], lanesOf(B.getIntNTy(Bits))), Wide);
    Whole = B.CreateOr(
        Whole, B.CreateShl(Part, ConstantInt::get(Wide, uint64_t(N) * Bits)));
  }
  Bits = Total / To.size();
  for (unsigned N = 0; N < To.size(); ++N) {
    Value *Part =
        B.CreateLShr(Whole, ConstantInt::get(Wide, uint64_t(N) * Bits));
    Out.push_back(B.CreateBitCast(
        B.CreateTrunc(Part, lanesOf(B.getIntNTy(Bits))), lanesOf(To[N].Ty)));
  }
  set(I, Out);
}

/// Vectors and structs of the kernel, component by component.
bool WarpBuilder::lowerAggregate(Instruction &I) {
  if (!isa<ExtractElementInst, InsertElementInst, ShuffleVectorInst,
           ExtractValueInst, InsertValueInst>(I))
    return false;
  if (isUniform(&I) && (Single || !Flow.isOverrun(I.getParent()))) {
    SmallVector<Value *> Ops;
    for (Value *Op : I.operands())
      Ops.push_back(scalar(Op));
    if (auto *E = dyn_cast<ExtractValueInst>(&I))
      set(I, {B.CreateExtractValue(Ops[0], E->getIndices())});
    else if (auto *E = dyn_cast<InsertValueInst>(&I))
      set(I, {B.CreateInsertValue(Ops[0], Ops[1], E->getIndices())});
    else if (auto *E = dyn_cast<ShuffleVectorInst>(&I))
      set(I, {B.CreateShuffleVector(Ops[0], Ops[1], E->getShuffleMask())});
    else if (isa<ExtractElementInst>(I))
      set(I, {B.CreateExtractElement(Ops[0], Ops[1])});
    else
      set(I, {B.CreateInsertElement(Ops[0], Ops[1], Ops[2])});
    return true;
  }
  Parts In = allLanes(I.getOperand(0));
  if (auto *Shuffle = dyn_cast<ShuffleVectorInst>(&I)) {
    In.append(allLanes(I.getOperand(1)));
    Parts Out;
    for (int Index : Shuffle->getShuffleMask())
      Out.push_back(Index < 0 ? Constant::getNullValue(In[0]->getType())
                              : In[Index]);
    set(I, Out);
    return true;
  }
  if (isa<ExtractElementInst, InsertElementInst>(I)) {
    bool Insert = isa<InsertElementInst>(I);
    Value *Index = I.getOperand(Insert ? 2 : 1);
    if (auto *C = dyn_cast<ConstantInt>(Index)) {
      uint64_t N = std::min<uint64_t>(C->getZExtValue(), In.size() - 1);
      if (Insert)
        In[N] = lanes(I.getOperand(1));
      set(I, Insert ? In : Parts{In[N]});
      return true;
    }
    Value *At = lanes(Index), *Found = In[0];
    for (unsigned N = 0; N < In.size(); ++N) {
      Value *Here = B.CreateICmpEQ(At, ConstantInt::get(At->getType(), N));
      if (Insert)
        In[N] = B.CreateSelect(Here, lanes(I.getOperand(1)), In[N]);
      else
        Found = B.CreateSelect(Here, In[N], Found);
    }
    set(I, Insert ? In : Parts{Found});
    return true;
  }
  // Leaves below the indices are consecutive.
  bool Insert = isa<InsertValueInst>(I);
  ArrayRef<unsigned> Indices = Insert ? cast<InsertValueInst>(I).getIndices()
                                      : cast<ExtractValueInst>(I).getIndices();
  auto Leaves = leavesOf(I.getOperand(0)->getType());
  Parts Inner, Out = In;
  if (Insert)
    Inner = allLanes(I.getOperand(1));
  unsigned Next = 0;
  Parts Picked;
  for (unsigned N = 0; N < Leaves.size(); ++N)
    if (ArrayRef<unsigned>(Leaves[N].Path).take_front(Indices.size()) ==
        Indices) {
      if (Insert)
        Out[N] = Inner[Next++];
      else
        Picked.push_back(In[N]);
    }
  set(I, Insert ? Out : Picked);
  return true;
}

} // namespace heddle
