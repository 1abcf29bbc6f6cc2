//===- ContractMultiplyAdd.cpp - Fused multiply-add, once and for all -----===//
//
// A compiler fuses products that allow it with the sums that use them. Which
// ones decides about the last bits of a result. Doing the same on IR lets every
// execution of the kernel round as the GPU does. Fused are products of the
// same block:
//
// - by Clang's back end with every sum and difference;
// - by nvcc's with sums, where a product has fewer than five uses and all are
//   sums (LLVM's combiner for NVPTX says why). In differences twice a value is
//   a sum with itself, and no one fuses that (nvcc 12.4);
// - by ptxas, which also gets what nvcc leaves, where all uses are sums and
//   differences, so that the product itself goes. Of two products of a sum it
//   takes the first. (Seen in the code of ptxas 11.8 for 39 small kernels; in
//   one of them, with a fence between two products, it took the second.)
//
//===----------------------------------------------------------------------===//

#include "Passes.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

#include <array>
#include <utility>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace heddle {

/// The bits of the two halves that a lifted kernel puts into \p Register; false
/// where it is anything else.
static bool splitPair(Value *Register, std::array<Value *, 2> &Halves) {
  Value *Left, *Right;
  if (match(Register, m_Or(m_Value(Left), m_Value(Right))))
    return splitPair(Left, Halves) && splitPair(Right, Halves);
  const APInt *At;
  if (!match(Register, m_Shl(m_ZExt(m_Value(Left)), m_APInt(At))) ||
      !Left->getType()->isIntegerTy(16) || At->urem(16) || At->uge(32))
    return match(Register, m_Zero());
  Value *&Half = Halves[At->udiv(16).getZExtValue()];
  return !std::exchange(Half, Left);
}

/// \p V before it went through a register, which a lifted kernel has as an
/// integer: what is cast there and back, by itself or in a pair of halves.
static Value *beforeRegister(Value *V) {
  const auto *Read = dyn_cast<BitCastInst>(V);
  if (!Read)
    return V;
  Value *Register, *Written = Read->getOperand(0);
  std::array<Value *, 2> Halves = {};
  const APInt *At;
  if (match(Written, m_Trunc(m_LShr(m_Value(Register), m_APInt(At)))) &&
      !At->urem(16) && At->ult(32) && splitPair(Register, Halves))
    Written = Halves[At->udiv(16).getZExtValue()];
  const auto *Write = dyn_cast_or_null<BitCastInst>(Written);
  return Write && Write->getSrcTy() == V->getType() ? Write->getOperand(0) : V;
}

static bool isSum(const Instruction &I) {
  return I.getOpcode() == Instruction::FAdd && I.hasAllowContract();
}
static bool isSumOrDifference(const Instruction &I) {
  return isSum(I) ||
         (I.getOpcode() == Instruction::FSub && I.hasAllowContract());
}

static void collectUsers(const Instruction &I,
                         SmallVectorImpl<const Instruction *> &Users);

/// The same for \p I, a half on its way into a pair and out of it. Who uses the
/// other half counts as well: a pair is fused as a whole or not at all.
static void collectPairUsers(const Instruction &I,
                             SmallVectorImpl<const Instruction *> &Users) {
  for (const User *U : I.users()) {
    auto *By = const_cast<Instruction *>(cast<Instruction>(U));
    std::array<Value *, 2> Halves = {};
    if (By->getOpcode() == Instruction::Trunc && By->getType()->isIntegerTy(16))
      collectUsers(*By, Users);
    else if (By->getOpcode() == Instruction::LShr || splitPair(By, Halves))
      collectPairUsers(*By, Users);
    else
      Users.push_back(By);
  }
}

/// Collects who uses the value of \p I, also behind a register. Negations are
/// looked through.
static void collectUsers(const Instruction &I,
                         SmallVectorImpl<const Instruction *> &Users) {
  for (const User *U : I.users()) {
    const auto *By = cast<Instruction>(U);
    if (isa<BitCastInst>(By) || By->getOpcode() == Instruction::FNeg)
      collectUsers(*By, Users);
    else if (By->getOpcode() == Instruction::ZExt &&
             By->getType()->isIntegerTy(32))
      collectPairUsers(*By, Users);
    else
      Users.push_back(By);
  }
}

namespace {
/// A product among the operands of a sum.
struct Product {
  BinaryOperator *Mul = nullptr;
  bool IsNegated = false;

  explicit operator bool() const { return Mul; }
};

/// Fuses the products of one function as one compiler does.
class Contraction {
public:
  using Rule = bool (*)(const BinaryOperator &Mul);

  /// Fuses, in their order, what \p IsFused says of sums and differences with
  /// products for which \p Allows.
  bool run(Function &F, bool (*IsFused)(const Instruction &), Rule Allows);
  /// With no regard to what else uses a product; of two, the one with fewer
  /// uses.
  bool runAsClang(Function &F);

private:
  SmallVector<WeakTrackingVH, 16> Dead;

  bool replace(Instruction &I, Product P, unsigned Side);
};
} // namespace

static Product productOf(Value *V, const Instruction &User) {
  Product P;
  V = beforeRegister(V);
  if (auto *Neg = dyn_cast<UnaryOperator>(V);
      Neg && Neg->getOpcode() == Instruction::FNeg) {
    P.IsNegated = true;
    V = beforeRegister(Neg->getOperand(0));
  }
  auto *Mul = dyn_cast<BinaryOperator>(V);
  if (Mul && Mul->getOpcode() == Instruction::FMul && Mul->hasAllowContract() &&
      Mul->getParent() == User.getParent())
    P.Mul = Mul;
  return P;
}

/// a * b + c, a * b - c or c - a * b in place of \p I, of which \p P is
/// operand \p Side.
bool Contraction::replace(Instruction &I, Product P, unsigned Side) {
  const bool IsDifference = I.getOpcode() == Instruction::FSub;
  IRBuilder<> Builder(&I);
  Builder.setFastMathFlags(I.getFastMathFlags());
  Value *A = P.Mul->getOperand(0), *C = I.getOperand(1 - Side);
  if (P.IsNegated != (IsDifference && Side == 1))
    A = Builder.CreateFNeg(A);
  if (IsDifference && Side == 0)
    C = Builder.CreateFNeg(C);
  Value *New = Builder.CreateIntrinsic(Intrinsic::fma, {I.getType()},
                                       {A, P.Mul->getOperand(1), C});
  Dead.push_back(I.getOperand(Side));
  New->takeName(&I);
  I.replaceAllUsesWith(New);
  I.eraseFromParent();
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  Dead.clear();
  return true;
}

static bool isScalar(const Type &T) {
  return T.isFloatTy() || T.isDoubleTy() || T.isHalfTy();
}

bool Contraction::run(Function &F, bool (*IsFused)(const Instruction &),
                      Rule Allows) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!IsFused(I) || !isScalar(*I.getType()))
      continue;
    for (unsigned Side : {0u, 1u})
      if (const Product P = productOf(I.getOperand(Side), I);
          P && Allows(*P.Mul)) {
        Changed |= replace(I, P, Side);
        break;
      }
  }
  return Changed;
}

bool Contraction::runAsClang(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (!isSumOrDifference(I) || !isScalar(*I.getType()))
      continue;
    Product Left = productOf(I.getOperand(0), I);
    const Product Right = productOf(I.getOperand(1), I);
    if (Left && Right && Left.Mul->getNumUses() > Right.Mul->getNumUses())
      Left = {};
    if (Left || Right)
      Changed |= replace(I, Left ? Left : Right, Left ? 0 : 1);
  }
  return Changed;
}

/// Whether \p Mul is \p Times a value, times 2 or -2.
static bool isMultiple(const BinaryOperator &Mul, double Times) {
  const auto *C = dyn_cast<ConstantFP>(Mul.getOperand(1));
  return C && C->isExactlyValue(Times) && !Mul.getType()->isHalfTy();
}

static bool hasFewSums(const BinaryOperator &Mul) {
  constexpr unsigned TooMany = 5; // NVPTX's combiner
  // LLVM has made a sum of the difference with twice a value.
  return !isMultiple(Mul, -2) && !Mul.hasNUsesOrMore(TooMany) &&
         all_of(Mul.users(), [&](const User *U) {
           const auto *By = cast<Instruction>(U);
           return isSum(*By) && By->getParent() == Mul.getParent();
         });
}
static bool goes(const BinaryOperator &Mul) {
  SmallVector<const Instruction *, 8> Users;
  collectUsers(Mul, Users);
  return all_of(Users, [&](const Instruction *By) {
    return isSumOrDifference(*By) && By->getParent() == Mul.getParent();
  });
}

static bool goesAsNVCC(const BinaryOperator &Mul) {
  return !isMultiple(Mul, 2) && !isMultiple(Mul, -2) && goes(Mul);
}

static bool expandMultiplyAdd(Function &F) {
  bool Changed = false;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    auto *Call = dyn_cast<IntrinsicInst>(&I);
    if (!Call || Call->getIntrinsicID() != Intrinsic::fmuladd)
      continue;
    IRBuilder<> Builder(Call);
    Builder.setFastMathFlags(Call->getFastMathFlags());
    Value *New =
        Builder.CreateIntrinsic(Intrinsic::fma, {Call->getType()},
                                {Call->getArgOperand(0), Call->getArgOperand(1),
                                 Call->getArgOperand(2)});
    New->takeName(Call);
    Call->replaceAllUsesWith(New);
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

PreservedAnalyses ContractMultiplyAddPass::run(Function &F,
                                               FunctionAnalysisManager &) {
  bool Changed = expandMultiplyAdd(F);
  Contraction Fused;
  if (!AsNVCC && !AsPtxas)
    Changed |= Fused.runAsClang(F);
  if (AsNVCC)
    Changed |= Fused.run(F, isSum, hasFewSums);
  if (AsNVCC || AsPtxas)
    Changed |= Fused.run(F, isSumOrDifference, AsNVCC ? goesAsNVCC : goes);
  for (Instruction &I : instructions(F))
    if (isa<FPMathOperator>(I) && I.hasAllowContract()) {
      Changed = true;
      FastMathFlags Flags = I.getFastMathFlags();
      Flags.setAllowContract(false);
      I.copyFastMathFlags(Flags);
    }
  return preserved(Changed, /*KeepsFlow=*/true);
}

} // namespace heddle
