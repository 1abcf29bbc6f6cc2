//===- KernelExpressions.cpp - The values of a kernel as formulas ---------===//

#include "heddle/Analysis/KernelExpressions.h"

#include "heddle/Analysis/DeviceCall.h"
#include "heddle/Analysis/KernelInfo.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/GetElementPtrTypeIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace heddle {

static constexpr unsigned MaxDepth = 300;

AnalysisKey KernelExpressionsAnalysis::Key;

KernelExpressions KernelExpressionsAnalysis::run(Function &F,
                                                 FunctionAnalysisManager &AM) {
  return KernelExpressions(F, AM.getResult<DominatorTreeAnalysis>(F),
                           AM.getResult<LoopAnalysis>(F),
                           AM.getResult<ScalarEvolutionAnalysis>(F));
}

bool KernelExpressions::invalidate(Function &, const PreservedAnalyses &PA,
                                   FunctionAnalysisManager::Invalidator &) {
  return !PA.areAllPreserved();
}

std::string sourceLineOf(const Instruction &I) {
  const DebugLoc &Loc = I.getDebugLoc();
  if (!Loc || !Loc.getLine())
    return {};
  return Loc->getFilename().str() + ":" + std::to_string(Loc.getLine());
}

KernelExpressions::KernelExpressions(Function &Kernel, DominatorTree &DT,
                                     LoopInfo &LI, ScalarEvolution &SE)
    : F(&Kernel), DT(&DT), LI(&LI), SE(&SE) {
  for (const KernelArgument &A : analyzeKernel(Kernel).Arguments)
    Names.Arguments.push_back(A.Name);
  for (const Loop *L : LI.getLoopsInPreorder()) {
    Numbers[L] = Loops.size();
    Loops.push_back(L);
  }
}

std::string KernelExpressions::nameOfValue(const Value *V) const {
  const Value *Object = getUnderlyingObject(V);
  if (const auto *Arg = dyn_cast<Argument>(Object))
    return Arg->getArgNo() < Names.Arguments.size()
               ? Names.Arguments[Arg->getArgNo()]
               : "arg" + std::to_string(Arg->getArgNo());
  if (isa<GlobalVariable>(Object) || isa<AllocaInst>(Object))
    return variableName(*Object);
  return "pointer";
}

const Expr *KernelExpressions::opaque(const Value *V, StringRef Label) {
  Type *T = V->getType();
  bool IsFloat = T->isHalfTy() || T->isFloatTy() || T->isDoubleTy();
  unsigned Bits = T->isIntegerTy()
                      ? std::clamp(T->getIntegerBitWidth(), 1u, 64u)
                  : IsFloat ? unsigned(T->getPrimitiveSizeInBits())
                            : 64;
  ExprOp Op =
      isa<LoadInst>(V) || isa<AtomicRMWInst>(V) || isa<AtomicCmpXchgInst>(V)
          ? ExprOp::Load
          : ExprOp::Opaque;
  const Expr *E = Pool->leaf(Op, 0, Bits, IsFloat, V);
  std::string Name = Label.str();
  if (Name.empty() && V->hasName())
    Name = V->getName().str();
  Pool->setLabel(E, Name.empty() ? "value" : Name);
  return E;
}

/// Whether formulas can say anything about values of this type.
static bool isSimple(const Type *T) {
  return T->isPointerTy() || T->isHalfTy() || T->isFloatTy() ||
         T->isDoubleTy() || (T->isIntegerTy() && T->getIntegerBitWidth() <= 64);
}

const Expr *KernelExpressions::get(const Value *V) {
  if (auto It = Memo.find(V); It != Memo.end())
    return It->second;
  // Values that depend on a state belong to the recurrence that has it.
  for (auto &Scope : reverse(Scopes))
    if (auto It = Scope.find(V); It != Scope.end())
      return It->second;
  // A recurrence that has failed is thrown away, and nothing found under it is
  // kept: going on would visit shared operands once for every path.
  if (!Building.empty() && Building.back().Failed)
    return opaque(V);
  if (Depth >= MaxDepth || Pool->size() > MaxNodes ||
      is_contained(InProgress, V)) {
    if (!Building.empty())
      Building.back().Failed = true;
    return opaque(V);
  }
  ++Depth;
  bool IsPhi = isa<PHINode>(V);
  if (IsPhi)
    InProgress.push_back(V);
  const Expr *E = build(V);
  if (IsPhi)
    InProgress.pop_back();
  --Depth;
  if (E->dependsOn(OnState) && !Scopes.empty())
    Scopes.back()[V] = E;
  else if (Building.empty() || !Building.back().Failed)
    Memo[V] = E;
  return E;
}

const Expr *KernelExpressions::get(const Value *V, const BasicBlock *User) {
  const Expr *E = get(V);
  const auto *I = dyn_cast<Instruction>(V);
  if (!I || !E->LoopMask)
    return E;
  for (const Loop *L = LI->getLoopFor(I->getParent()); L && !L->contains(User);
       L = L->getParentLoop()) {
    unsigned Number = loopNumber(L);
    if (!E->dependsOnLoop(Number))
      continue;
    const Expr *Count = BackedgesOf ? BackedgesOf(L) : nullptr;
    const Expr *Left =
        Count ? Pool->replaceIteration(E, Number, Count) : nullptr;
    if (!Left)
      return opaque(V, "left by L" + std::to_string(Number));
    E = Left;
  }
  return E;
}

const Expr *KernelExpressions::build(const Value *V) {
  if (!isSimple(V->getType()))
    return opaque(V);
  Type *T = V->getType();
  unsigned Bits = T->isPointerTy() ? 64 : unsigned(T->getPrimitiveSizeInBits());
  if (const auto *C = dyn_cast<ConstantInt>(V))
    return Pool->constant(C->getZExtValue(), Bits);
  if (const auto *C = dyn_cast<ConstantFP>(V))
    return Pool->constant(C->getValueAPF().bitcastToAPInt().getZExtValue(),
                          Bits, true);
  if (isa<ConstantPointerNull>(V) || isa<UndefValue>(V))
    return Pool->constant(0, Bits, T->isFloatingPointTy());
  if (const auto *Arg = dyn_cast<Argument>(V))
    return Pool->leaf(ExprOp::Argument, Arg->getArgNo(), Bits,
                      T->isFloatingPointTy());
  if (isa<GlobalVariable>(V))
    return Pool->leaf(ExprOp::Object, 0, 64, false, V);
  if (const auto *CE = dyn_cast<ConstantExpr>(V)) {
    if (CE->isCast() && CE->getOpcode() != Instruction::Trunc)
      return Pool->resize(get(CE->getOperand(0)), Bits, false);
    if (const auto *GEP = dyn_cast<GEPOperator>(CE)) {
      APInt Offset(64, 0);
      if (GEP->accumulateConstantOffset(
              F->getDataLayout(),
              Offset = APInt(
                  F->getDataLayout().getIndexTypeSizeInBits(GEP->getType()),
                  0)))
        return Pool->binary(
            ExprOp::Add, get(GEP->getPointerOperand()),
            Pool->constant(uint64_t(Offset.getSExtValue()), 64));
    }
    return opaque(V);
  }
  if (const auto *I = dyn_cast<Instruction>(V))
    return buildInstruction(*I);
  return opaque(V);
}

const Expr *KernelExpressions::buildInstruction(const Instruction &I) {
  const BasicBlock *B = I.getParent();
  if (const auto *Phi = dyn_cast<PHINode>(&I))
    return buildPhi(*Phi);
  if (isa<LoadInst>(I))
    return buildLoad(I);
  if (isa<AtomicRMWInst>(I) || isa<AtomicCmpXchgInst>(I))
    return opaque(&I, "atomic " + nameOfValue(I.getOperand(0)));
  if (isa<AllocaInst>(I))
    return Pool->leaf(ExprOp::Object, 0, 64, false, &I);
  if (isa<GetElementPtrInst>(I))
    return buildAddress(I);
  if (const auto *Call = dyn_cast<CallBase>(&I))
    return buildCall(*Call);
  if (const auto *Cmp = dyn_cast<CmpInst>(&I)) {
    if (!isSimple(Cmp->getOperand(0)->getType()))
      return opaque(&I);
    return Pool->compare(Cmp->getPredicate(), get(Cmp->getOperand(0), B),
                         get(Cmp->getOperand(1), B));
  }
  if (const auto *Select = dyn_cast<SelectInst>(&I)) {
    const Expr *If = get(Select->getCondition(), B);
    const Expr *Then = get(Select->getTrueValue(), B);
    const Expr *Else = get(Select->getFalseValue(), B);
    // Short-circuit operators on conditions.
    if (Then->Bits == 1 && Else->isConstant(0))
      return Pool->binary(ExprOp::And, If, Then);
    if (Then->isConstant(1) && Else->Bits == 1)
      return Pool->binary(ExprOp::Or, If, Else);
    return Pool->select(If, Then, Else);
  }
  if (isa<FreezeInst>(I))
    return get(I.getOperand(0), B);
  if (I.isCast())
    return buildCast(I);
  if (isa<BinaryOperator>(I) || isa<UnaryOperator>(I))
    return buildArithmetic(I);
  return opaque(&I);
}

const Expr *KernelExpressions::buildArithmetic(const Instruction &I) {
  const BasicBlock *B = I.getParent();
  const Expr *X = get(I.getOperand(0), B);
  const Expr *Y = I.getNumOperands() > 1 ? get(I.getOperand(1), B) : nullptr;
  switch (I.getOpcode()) {
  case Instruction::Sub:
    return Pool->sub(X, Y);
  case Instruction::Or:
    // "or disjoint" is how the optimiser writes a sum without carries.
    if (cast<PossiblyDisjointInst>(I).isDisjoint() && X->Bits > 1)
      return Pool->binary(ExprOp::Add, X, Y);
    break;
  case Instruction::Xor:
    if (X->Bits == 1 && Y->isConstant(1))
      return Pool->logicalNot(X);
    break;
  case Instruction::FNeg:
    return Pool->node(ExprOp::FNeg, X->Bits, true, {X});
  default:
    break;
  }
  static constexpr std::pair<unsigned, ExprOp> Operations[] = {
      {Instruction::Add, ExprOp::Add},   {Instruction::Mul, ExprOp::Mul},
      {Instruction::UDiv, ExprOp::UDiv}, {Instruction::SDiv, ExprOp::SDiv},
      {Instruction::URem, ExprOp::URem}, {Instruction::SRem, ExprOp::SRem},
      {Instruction::Shl, ExprOp::Shl},   {Instruction::LShr, ExprOp::LShr},
      {Instruction::AShr, ExprOp::AShr}, {Instruction::And, ExprOp::And},
      {Instruction::Or, ExprOp::Or},     {Instruction::Xor, ExprOp::Xor},
      {Instruction::FAdd, ExprOp::FAdd}, {Instruction::FSub, ExprOp::FSub},
      {Instruction::FMul, ExprOp::FMul}, {Instruction::FDiv, ExprOp::FDiv}};
  for (auto [Opcode, Op] : Operations)
    if (Opcode == I.getOpcode())
      return Op < ExprOp::FAdd ? Pool->binary(Op, X, Y)
                               : Pool->node(Op, X->Bits, true, {X, Y});
  return opaque(&I);
}

const Expr *KernelExpressions::buildCast(const Instruction &I) {
  const Value *From = I.getOperand(0);
  if (!isSimple(From->getType()))
    return opaque(&I);
  const Expr *X = get(From, I.getParent());
  Type *T = I.getType();
  unsigned Bits = T->isPointerTy() ? 64 : unsigned(T->getPrimitiveSizeInBits());
  switch (I.getOpcode()) {
  case Instruction::SExt:
    return Pool->resize(X, Bits, true);
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::IntToPtr:
  case Instruction::AddrSpaceCast:
    return Pool->resize(X, Bits, false);
  case Instruction::FPExt:
  case Instruction::FPTrunc:
    return Pool->node(ExprOp::FCast, Bits, true, {X});
  case Instruction::SIToFP:
  case Instruction::UIToFP:
    return Pool->node(ExprOp::IntToFP, Bits, true, {X}, isa<SIToFPInst>(I));
  case Instruction::FPToSI:
  case Instruction::FPToUI:
    return Pool->node(ExprOp::FPToInt, Bits, false, {X}, isa<FPToSIInst>(I));
  case Instruction::BitCast:
    if (X->IsFloat == T->isFloatingPointTy())
      return X;
    return Pool->node(ExprOp::BitCast, Bits, T->isFloatingPointTy(), {X});
  default:
    return opaque(&I);
  }
}

const Expr *KernelExpressions::buildAddress(const Instruction &I) {
  const auto &GEP = cast<GEPOperator>(I);
  const BasicBlock *B = I.getParent();
  const DataLayout &DL = F->getDataLayout();
  const Expr *Sum = get(GEP.getPointerOperand(), B);
  for (auto It = gep_type_begin(GEP), E = gep_type_end(GEP); It != E; ++It) {
    if (StructType *Struct = It.getStructTypeOrNull()) {
      unsigned Field = cast<ConstantInt>(It.getOperand())->getZExtValue();
      uint64_t Offset = DL.getStructLayout(Struct)->getElementOffset(Field);
      Sum = Pool->binary(ExprOp::Add, Sum, Pool->constant(Offset, 64));
      continue;
    }
    const Expr *Index = Pool->resize(get(It.getOperand(), B), 64, true);
    uint64_t Stride = It.getSequentialElementStride(DL);
    Sum = Pool->binary(
        ExprOp::Add, Sum,
        Pool->binary(ExprOp::Mul, Index, Pool->constant(Stride, 64)));
  }
  return Sum;
}

/// A struct passed by value is known to the launch; all else that is loaded is
/// data.
const Expr *KernelExpressions::buildLoad(const Instruction &I) {
  const Value *Pointer = I.getOperand(0);
  APInt Offset(F->getDataLayout().getIndexTypeSizeInBits(Pointer->getType()),
               0);
  const Value *Base = Pointer->stripAndAccumulateConstantOffsets(
      F->getDataLayout(), Offset, /*AllowNonInbounds=*/true);
  const auto *Arg = dyn_cast<Argument>(Base);
  if (!Arg)
    if (const auto *Call = dyn_cast<IntrinsicInst>(Base);
        Call && Call->arg_size())
      Arg = dyn_cast<Argument>(Call->getArgOperand(0)->stripPointerCasts());
  if (Arg && Arg->hasByValAttr() && isSimple(I.getType())) {
    unsigned Bits = I.getType()->isPointerTy()
                        ? 64
                        : unsigned(I.getType()->getPrimitiveSizeInBits());
    return Pool->leaf(ExprOp::Field,
                      uint64_t(Arg->getArgNo()) << 32 |
                          uint32_t(Offset.getZExtValue()),
                      Bits, I.getType()->isFloatingPointTy());
  }
  std::string Name = nameOfValue(Pointer);
  return opaque(&I,
                isa<AllocaInst>(getUnderlyingObject(Pointer)) && Offset.isZero()
                    ? Name
                    : Name + "[...]");
}

static bool specialOf(const CallBase &Call, SpecialValue &Out) {
  const Function *Callee = Call.getCalledFunction();
  if (!Callee)
    return false;
  StringRef Name = Callee->getName();
  static constexpr std::pair<const char *, SpecialValue> Table[] = {
      {"llvm.nvvm.read.ptx.sreg.tid.x", SpecialValue::ThreadX},
      {"llvm.nvvm.read.ptx.sreg.tid.y", SpecialValue::ThreadY},
      {"llvm.nvvm.read.ptx.sreg.tid.z", SpecialValue::ThreadZ},
      {"llvm.nvvm.read.ptx.sreg.ctaid.x", SpecialValue::BlockX},
      {"llvm.nvvm.read.ptx.sreg.ctaid.y", SpecialValue::BlockY},
      {"llvm.nvvm.read.ptx.sreg.ctaid.z", SpecialValue::BlockZ},
      {"llvm.nvvm.read.ptx.sreg.ntid.x", SpecialValue::BlockDimX},
      {"llvm.nvvm.read.ptx.sreg.ntid.y", SpecialValue::BlockDimY},
      {"llvm.nvvm.read.ptx.sreg.ntid.z", SpecialValue::BlockDimZ},
      {"llvm.nvvm.read.ptx.sreg.nctaid.x", SpecialValue::GridDimX},
      {"llvm.nvvm.read.ptx.sreg.nctaid.y", SpecialValue::GridDimY},
      {"llvm.nvvm.read.ptx.sreg.nctaid.z", SpecialValue::GridDimZ},
      {"llvm.nvvm.read.ptx.sreg.laneid", SpecialValue::Lane},
      {"llvm.nvvm.read.ptx.sreg.warpid", SpecialValue::Warp},
      {"llvm.nvvm.read.ptx.sreg.warpsize", SpecialValue::WarpSize},
      {"llvm.nvvm.read.ptx.sreg.lanemask.eq", SpecialValue::LaneMaskEq},
      {"llvm.nvvm.read.ptx.sreg.lanemask.lt", SpecialValue::LaneMaskLt},
      {"llvm.nvvm.read.ptx.sreg.lanemask.le", SpecialValue::LaneMaskLe},
      {"llvm.nvvm.read.ptx.sreg.lanemask.gt", SpecialValue::LaneMaskGt},
      {"llvm.nvvm.read.ptx.sreg.lanemask.ge", SpecialValue::LaneMaskGe},
      {"heddle.special.workdim", SpecialValue::WorkDim},
      {"heddle.special.globaloffset.x", SpecialValue::GlobalOffsetX},
      {"heddle.special.globaloffset.y", SpecialValue::GlobalOffsetY},
      {"heddle.special.globaloffset.z", SpecialValue::GlobalOffsetZ}};
  for (auto [Known, Value] : Table)
    if (Name == Known) {
      Out = Value;
      return true;
    }
  return false;
}

/// What a call of heddle.refused.\p Kind stands for, in the source's words.
static StringRef refusedValue(StringRef Kind) {
  return StringSwitch<StringRef>(Kind)
      .Case("heap", "memory allocated in the kernel")
      .Case("launch", "kernel launched in the kernel")
      .Case("pipe", "a pipe")
      .Case("recursion", "deep recursion")
      .Default("call through a pointer");
}

namespace {
/// An intrinsic that is an operation of formulas.
struct KnownCall {
  Intrinsic::ID ID;
  ExprOp Op;
  unsigned Operands;
};
} // namespace

static constexpr KnownCall KnownCalls[] = {
    {Intrinsic::smin, ExprOp::SMin, 2},
    {Intrinsic::smax, ExprOp::SMax, 2},
    {Intrinsic::umin, ExprOp::UMin, 2},
    {Intrinsic::umax, ExprOp::UMax, 2},
    {Intrinsic::ctpop, ExprOp::PopCount, 1},
    {Intrinsic::ctlz, ExprOp::LeadingZeros, 1},
    {Intrinsic::cttz, ExprOp::TrailingZeros, 1},
    {Intrinsic::bitreverse, ExprOp::BitReverse, 1},
    {Intrinsic::minnum, ExprOp::FMin, 2},
    {Intrinsic::minimumnum, ExprOp::FMin, 2},
    {Intrinsic::maxnum, ExprOp::FMax, 2},
    {Intrinsic::maximumnum, ExprOp::FMax, 2},
    {Intrinsic::fabs, ExprOp::FAbs, 1},
    {Intrinsic::sqrt, ExprOp::FSqrt, 1},
    {Intrinsic::floor, ExprOp::FFloor, 1},
    {Intrinsic::ceil, ExprOp::FCeil, 1},
    {Intrinsic::trunc, ExprOp::FTrunc, 1},
    {Intrinsic::rint, ExprOp::FRound, 1},
    {Intrinsic::nearbyint, ExprOp::FRound, 1},
    {Intrinsic::roundeven, ExprOp::FRound, 1},
    {Intrinsic::fma, ExprOp::FMulAdd, 3},
    {Intrinsic::fmuladd, ExprOp::FMulAdd, 3},
};

const Expr *KernelExpressions::buildCall(const CallBase &Call) {
  SpecialValue Special;
  if (specialOf(Call, Special))
    return Pool->special(Special, Call.getType()->getIntegerBitWidth());
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(&Call);
  auto Operand = [&](unsigned N) {
    return get(Call.getArgOperand(N), Call.getParent());
  };
  const auto ID =
      Intrinsic ? Intrinsic->getIntrinsicID() : Intrinsic::not_intrinsic;
  switch (ID) {
  case Intrinsic::abs: {
    const Expr *X = Operand(0);
    return Pool->binary(ExprOp::SMax, X,
                        Pool->sub(Pool->constant(0, X->Bits), X));
  }
  // These hand their operand on.
  case Intrinsic::expect:
  case Intrinsic::annotation:
  case Intrinsic::ptr_annotation:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::nvvm_internal_addrspace_wrap:
    return Operand(0);
  default:
    break;
  }
  for (const KnownCall &Known : KnownCalls) {
    if (Known.ID != ID)
      continue;
    SmallVector<const Expr *, 3> X;
    for (unsigned N = 0; N < Known.Operands; ++N)
      X.push_back(Operand(N));
    return X.size() == 2 && !X[0]->IsFloat
               ? Pool->binary(Known.Op, X[0], X[1])
               : Pool->node(Known.Op, X[0]->Bits, X[0]->IsFloat, X);
  }
  const Function *Callee = Call.getCalledFunction();
  StringRef Name = Call.isInlineAsm() ? "asm"
                   : Callee           ? Callee->getName()
                                      : "call";
  Name.consume_front("llvm.nvvm.");
  Name.consume_front("llvm.");
  Name.consume_front("heddle.math.");
  if (Callee && Callee->hasFnAttribute(MissingBody))
    return opaque(&Call,
                  Callee->getFnAttribute(MissingBody).getValueAsString().str());
  if (Name.consume_front("heddle.refused."))
    return opaque(&Call, refusedValue(Name.split('.').first).str());
  return opaque(&Call, (Name + "()").str());
}

const Expr *KernelExpressions::edgeCondition(const BasicBlock *Block,
                                             const BasicBlock *Successor) {
  const auto *Branch = dyn_cast<BranchInst>(Block->getTerminator());
  if (Branch && Branch->isConditional()) {
    if (Branch->getSuccessor(0) == Branch->getSuccessor(1))
      return Pool->constant(1, 1);
    const Expr *If = get(Branch->getCondition(), Block);
    return Branch->getSuccessor(0) == Successor ? If : Pool->logicalNot(If);
  }
  if (const auto *Switch = dyn_cast<SwitchInst>(Block->getTerminator())) {
    if (!isSimple(Switch->getCondition()->getType()) ||
        Switch->getNumCases() > 64)
      return opaque(Switch->getCondition(), "switch");
    const Expr *On = get(Switch->getCondition(), Block);
    const Expr *Any = Pool->constant(0, 1);
    bool IsDefault = Switch->getDefaultDest() == Successor;
    for (const auto &Case : Switch->cases())
      if ((Case.getCaseSuccessor() == Successor) != IsDefault)
        Any = Pool->binary(
            ExprOp::Or, Any,
            Pool->compare(
                CmpInst::ICMP_EQ, On,
                Pool->constant(Case.getCaseValue()->getZExtValue(), On->Bits)));
    return IsDefault ? Pool->logicalNot(Any) : Any;
  }
  return Pool->constant(1, 1);
}

} // namespace heddle
