//===- ArithmeticFlags.cpp - nvcc's choices for arithmetic ----------------===//

#include "ArithmeticFlags.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

bool ArithmeticFlags::take(StringRef Flag) {
  if (!Flag.consume_front("-"))
    return false;
  Flag.consume_front("-");
  if (Flag == "use_fast_math")
    return Fast = true;
  const auto [Name, Value] = Flag.split('=');
  std::optional<bool> *Choice = Name == "fmad"        ? &Fuse
                                : Name == "ftz"       ? &Flush
                                : Name == "prec-div"  ? &PreciseDivision
                                : Name == "prec-sqrt" ? &PreciseRoot
                                                      : nullptr;
  if (!Choice || (Value != "true" && Value != "false"))
    return false;
  *Choice = Value == "true";
  return true;
}

void ArithmeticFlags::append(std::vector<std::string> &To) const {
  // Division, roots and functions approximate, nothing reordered, infinities
  // and NaN as ever.
  if (Fast)
    append_range(To, ArrayRef<StringRef>{"-ffast-math", "-fno-associative-math",
                                         "-fhonor-infinities", "-fhonor-nans",
                                         "-fgpu-approx-transcendentals"});
  if (Flush.value_or(Fast))
    To.push_back("-fgpu-flush-denormals-to-zero");
  if (!Fuse.value_or(true))
    To.push_back("-ffp-contract=off");
  auto AppendIfOther = [&](StringRef Flag, std::optional<bool> Precise) {
    if (Precise && *Precise == Fast)
      To.push_back((Flag + (*Precise ? "true" : "false")).str());
  };
  AppendIfOther(PreciseDivisionFlag, PreciseDivision);
  AppendIfOther(PreciseRootFlag, PreciseRoot);
}

/// Divisions of single precision in \p M.
static SmallVector<BinaryOperator *> divisions(Module &M) {
  SmallVector<BinaryOperator *> Found;
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (I.getOpcode() == Instruction::FDiv && I.getType()->isFloatTy())
        Found.push_back(cast<BinaryOperator>(&I));
  return Found;
}

/// Whether a division by \p Divisor is a multiplication, which is exact.
static bool hasExactInverse(const Value *Divisor) {
  const auto *Constant = dyn_cast<ConstantFP>(Divisor);
  return Constant && Constant->getValueAPF().getExactInverse(nullptr);
}

void setDivision(Module &M, bool Precise) {
  for (BinaryOperator *Division : divisions(M)) {
    Value *Dividend = Division->getOperand(0), *By = Division->getOperand(1);
    const auto *Constant = dyn_cast<ConstantFP>(Dividend);
    if (Precise) {
      Division->setHasApproxFunc(false);
      Division->setHasAllowReciprocal(false);
    } else if (Constant && Constant->isExactlyValue(1.0)) {
      Division->setHasApproxFunc(true);
    } else if (!hasExactInverse(By)) {
      const bool Flushes =
          Division->getFunction()->getDenormalMode(APFloat::IEEEsingle()) ==
          DenormalMode::getPreserveSign();
      IRBuilder<> B(Division);
      Division->replaceAllUsesWith(B.CreateIntrinsic(
          Flushes ? Intrinsic::nvvm_div_full_ftz : Intrinsic::nvvm_div_full,
          {Dividend, By}));
      Division->eraseFromParent();
    }
  }
}

/// \p V, as PTX converts it to the integer \p T (PTX ISA, "cvt").
static Value *createConversion(IRBuilder<> &B, Value *V, Type *T, bool Signed) {
  const auto *Constant = dyn_cast<ConstantFP>(V);
  if (!Constant)
    return Signed ? B.CreateFPToSI(V, T) : B.CreateFPToUI(V, T);
  // LLVM would make poison of it.
  APSInt Result(T->getIntegerBitWidth(), !Signed);
  bool Exact;
  Constant->getValueAPF().convertToInteger(Result, APFloat::rmTowardZero,
                                           &Exact);
  const bool IsLong = Result.getBitWidth() == 64 || V->getType()->isDoubleTy();
  if (Constant->isNaN() && IsLong)
    return ConstantInt::get(T, APInt::getSignMask(Result.getBitWidth()));
  return ConstantInt::get(T, Result);
}

void convertAsNVCC(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    const bool Signed = F.getIntrinsicID() == Intrinsic::fptosi_sat;
    if (!Signed && F.getIntrinsicID() != Intrinsic::fptoui_sat)
      continue;
    Type *T = F.getReturnType(), *Wide = T;
    if (T->getScalarSizeInBits() < 32 &&
        !F.getArg(0)->getType()->getScalarType()->isHalfTy())
      Wide = T->getWithNewBitWidth(32);
    for (User *U : make_early_inc_range(F.users())) {
      auto *Call = cast<CallInst>(U);
      IRBuilder<> B(Call);
      Value *Whole = createConversion(B, Call->getArgOperand(0), Wide, Signed);
      Call->replaceAllUsesWith(B.CreateTrunc(Whole, T));
      Call->eraseFromParent();
    }
    F.eraseFromParent();
  }
}

void setRoots(Module &M, bool Precise) {
  for (Function &F : M)
    for (Instruction &I : instructions(F))
      if (auto *Root = dyn_cast<IntrinsicInst>(&I);
          Root && Root->getIntrinsicID() == Intrinsic::sqrt &&
          Root->getType()->isFloatTy())
        Root->setHasApproxFunc(!Precise);
}

} // namespace heddle
