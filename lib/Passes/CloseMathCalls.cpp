//===- CloseMathCalls.cpp - Mathematical functions by any name ------------===//

#include "Passes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

namespace {
/// What a function computes: an intrinsic, or a heddle.math function.
struct MathFunction {
  Intrinsic::ID ID = Intrinsic::not_intrinsic;
  StringRef Name; ///< of the heddle.math function
  bool Known = false;

  MathFunction() = default;
  MathFunction(Intrinsic::ID ID) : ID(ID), Known(true) {}
  MathFunction(StringRef Name) : Name(Name), Known(true) {}
};
} // namespace

static MathFunction lookup(StringRef Name) {
  return StringSwitch<MathFunction>(Name)
      .Case("sin", Intrinsic::sin)
      .Case("cos", Intrinsic::cos)
      .Case("tan", Intrinsic::tan)
      .Case("asin", Intrinsic::asin)
      .Case("acos", Intrinsic::acos)
      .Case("atan", Intrinsic::atan)
      .Case("atan2", Intrinsic::atan2)
      .Case("sinh", Intrinsic::sinh)
      .Case("cosh", Intrinsic::cosh)
      .Case("tanh", Intrinsic::tanh)
      .Case("exp", Intrinsic::exp)
      .Case("exp2", Intrinsic::exp2)
      .Case("exp10", Intrinsic::exp10)
      .Case("log", Intrinsic::log)
      .Case("log2", Intrinsic::log2)
      .Case("log10", Intrinsic::log10)
      .Cases({"pow", "powr"}, Intrinsic::pow)
      .Case("sqrt", Intrinsic::sqrt)
      .Case("fma", Intrinsic::fma)
      .Case("floor", Intrinsic::floor)
      .Case("ceil", Intrinsic::ceil)
      .Case("trunc", Intrinsic::trunc)
      .Case("rint", Intrinsic::rint)
      .Case("nearbyint", Intrinsic::nearbyint)
      .Case("round", Intrinsic::round)
      .Case("roundeven", Intrinsic::roundeven)
      .Case("fabs", Intrinsic::fabs)
      .Case("copysign", Intrinsic::copysign)
      .Case("fmin", Intrinsic::minnum)
      .Case("fmax", Intrinsic::maxnum)
      .Case("acosh", StringRef("acosh"))
      .Case("asinh", StringRef("asinh"))
      .Case("atanh", StringRef("atanh"))
      .Case("cbrt", StringRef("cbrt"))
      .Case("erf", StringRef("erf"))
      .Case("erfc", StringRef("erfc"))
      .Case("erfcinv", StringRef("erfcinv"))
      .Case("erfcx", StringRef("erfcx"))
      .Case("erfinv", StringRef("erfinv"))
      .Case("expm1", StringRef("expm1"))
      .Case("fdim", StringRef("fdim"))
      .Case("fmod", StringRef("fmod"))
      .Case("hypot", StringRef("hypot"))
      .Case("ilogb", StringRef("ilogb"))
      .Case("j0", StringRef("j0"))
      .Case("j1", StringRef("j1"))
      .Case("y0", StringRef("y0"))
      .Case("y1", StringRef("y1"))
      .Cases({"ldexp", "scalbn"}, StringRef("ldexp"))
      .Case("lgamma", StringRef("lgamma"))
      .Case("log1p", StringRef("log1p"))
      .Case("logb", StringRef("logb"))
      .Case("nextafter", StringRef("nextafter"))
      .Case("normcdf", StringRef("normcdf"))
      .Case("normcdfinv", StringRef("normcdfinv"))
      .Case("remainder", StringRef("remainder"))
      .Case("rcbrt", StringRef("rcbrt"))
      .Case("rhypot", StringRef("rhypot"))
      .Case("rsqrt", StringRef("rsqrt"))
      .Case("sinpi", StringRef("sinpi"))
      .Case("cospi", StringRef("cospi"))
      .Case("tanpi", StringRef("tanpi"))
      .Case("asinpi", StringRef("asinpi"))
      .Case("acospi", StringRef("acospi"))
      .Case("atanpi", StringRef("atanpi"))
      .Case("atan2pi", StringRef("atan2pi"))
      .Case("tgamma", StringRef("tgamma"))
      .Default(MathFunction());
}

/// The function that the symbol \p Symbol of C, libdevice or OpenCL names.
static MathFunction lookupSymbol(StringRef Symbol, bool IsFloat) {
  if (Symbol.consume_front("_Z")) { // OpenCL: _Z, length, name, types
    unsigned Length = 0;
    if (Symbol.consumeInteger(10, Length) || Length > Symbol.size())
      return {};
    return lookup(Symbol.take_front(Length));
  }
  Symbol.consume_front("__nv_");
  if (MathFunction Found = lookup(Symbol); Found.Known && !IsFloat)
    return Found;
  if (IsFloat && Symbol.consume_back("f"))
    return lookup(Symbol);
  return {};
}

static bool isFloatOrDouble(const Type *T) {
  return T->isFloatTy() || T->isDoubleTy();
}

/// The scalar signature, if \p F has one that such a function can have: all
/// floating operands of one type, integers only for ldexp and ilogb.
static bool hasMathSignature(const Function &F) {
  if (F.arg_empty() || F.isVarArg())
    return false;
  Type *First = F.getArg(0)->getType();
  if (!isFloatOrDouble(First->getScalarType()))
    return false;
  auto Matches = [&](const Type *T) {
    if (T->isVectorTy() != First->isVectorTy())
      return false;
    return T == First || T->getScalarType()->isIntegerTy(32);
  };
  return Matches(F.getReturnType()) && all_of(F.args(), [&](const Argument &A) {
           return Matches(A.getType());
         });
}

/// Whether \p F, which has a math signature, takes and returns what \p Math
/// does: a program may have a function of its own by that name.
static bool hasOperandsOf(const Function &F, const MathFunction &Math) {
  auto Same = [&](const Type *T) { return T == F.getArg(0)->getType(); };
  if (Math.ID != Intrinsic::not_intrinsic) {
    unsigned Count = StringSwitch<unsigned>(Intrinsic::getBaseName(Math.ID))
                         .Cases({"llvm.atan2", "llvm.pow", "llvm.copysign",
                                 "llvm.minnum", "llvm.maxnum"},
                                2)
                         .Case("llvm.fma", 3)
                         .Default(1);
    return F.arg_size() == Count && Same(F.getReturnType()) &&
           all_of(F.args(),
                  [&](const Argument &A) { return Same(A.getType()); });
  }
  if (Math.Name == "ilogb")
    return F.arg_size() == 1 && !Same(F.getReturnType());
  bool IsBinary = is_contained({"fdim", "fmod", "hypot", "ldexp", "nextafter",
                                "remainder", "rhypot", "atan2pi"},
                               Math.Name);
  return F.arg_size() == (IsBinary ? 2 : 1) && Same(F.getReturnType()) &&
         (!IsBinary || Same(F.getArg(1)->getType()) != (Math.Name == "ldexp"));
}

static Value *createScalarCall(IRBuilder<> &Builder, const MathFunction &Math,
                               ArrayRef<Value *> Operands, Type *Result) {
  Type *T = Operands[0]->getType();
  // The reciprocal square root in f32 is one instruction.
  if (Math.Name == "rsqrt" && T->isFloatTy())
    return Builder.CreateIntrinsic(Intrinsic::nvvm_rsqrt_approx_f, {},
                                   Operands);
  if (Math.ID != Intrinsic::not_intrinsic)
    return Builder.CreateIntrinsic(T, Math.ID, Operands,
                                   Builder.getFastMathFlags());
  return createMathCall(Builder, Math.Name, Operands, Result);
}

static void rewrite(CallInst &Call, const MathFunction &Math) {
  IRBuilder<> Builder(&Call);
  if (isa<FPMathOperator>(Call))
    Builder.setFastMathFlags(Call.getFastMathFlags());
  Type *Result = Call.getType();
  auto *Vector = dyn_cast<FixedVectorType>(Result);
  Value *New = nullptr;
  if (!Vector) {
    SmallVector<Value *, 3> Operands(Call.args());
    New = createScalarCall(Builder, Math, Operands, Result);
  } else {
    New = PoisonValue::get(Vector);
    for (unsigned I = 0; I < Vector->getNumElements(); ++I) {
      SmallVector<Value *, 3> Operands;
      for (Value *V : Call.args())
        Operands.push_back(Builder.CreateExtractElement(V, I));
      Value *Element =
          createScalarCall(Builder, Math, Operands, Vector->getElementType());
      New = Builder.CreateInsertElement(New, Element, I);
    }
  }
  New->takeName(&Call);
  Call.replaceAllUsesWith(New);
  Call.eraseFromParent();
}

/// Whether libdevice's predicate \p Name (returning 0 or 1) holds for \p X;
/// null if it is none.
static Value *createPredicate(IRBuilder<> &Builder, StringRef Name, Value *X) {
  Type *T = X->getType();
  auto Magnitude = [&] {
    return Builder.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  };
  Constant *Infinity = ConstantFP::getInfinity(T);
  if (Name == "__nv_isinff" || Name == "__nv_isinfd")
    return Builder.CreateFCmpOEQ(Magnitude(), Infinity);
  if (Name == "__nv_isnanf" || Name == "__nv_isnand")
    return Builder.CreateFCmpUNO(X, X);
  if (Name == "__nv_finitef" || Name == "__nv_isfinited")
    return Builder.CreateFCmpOLT(Magnitude(), Infinity);
  if (Name == "__nv_signbitf" || Name == "__nv_signbitd") {
    Type *Bits = Builder.getIntNTy(T->getScalarSizeInBits());
    return Builder.CreateICmpSLT(Builder.CreateBitCast(X, Bits),
                                 ConstantInt::getNullValue(Bits));
  }
  return nullptr;
}

static bool closePredicate(Function &F) {
  bool Changed = false;
  for (User *U : make_early_inc_range(F.users())) {
    auto *Call = dyn_cast<CallInst>(U);
    if (!Call || Call->getCalledFunction() != &F)
      continue;
    IRBuilder<> Builder(Call);
    Value *Holds =
        createPredicate(Builder, F.getName(), Call->getArgOperand(0));
    if (!Holds)
      break;
    Call->replaceAllUsesWith(Builder.CreateZExt(Holds, Call->getType()));
    Call->eraseFromParent();
    Changed = true;
  }
  return Changed;
}

bool closeMathCalls(Module &M) {
  bool Changed = false;
  for (Function &F : make_early_inc_range(M)) {
    if (!F.isDeclaration() || F.isIntrinsic() || !hasMathSignature(F))
      continue;
    MathFunction Math = lookupSymbol(
        F.getName(), F.getArg(0)->getType()->getScalarType()->isFloatTy());
    if (!Math.Known) {
      if (F.arg_size() == 1 && F.getReturnType()->isIntegerTy(32))
        Changed |= closePredicate(F);
      continue;
    }
    if (!hasOperandsOf(F, Math))
      continue;
    for (User *U : make_early_inc_range(F.users()))
      if (auto *Call = dyn_cast<CallInst>(U);
          Call && Call->getCalledFunction() == &F) {
        rewrite(*Call, Math);
        Changed = true;
      }
    if (F.use_empty()) {
      F.eraseFromParent();
      Changed = true;
    }
  }
  return Changed;
}

PreservedAnalyses CloseMathCallsPass::run(Module &M, ModuleAnalysisManager &) {
  return preserved(closeMathCalls(M));
}

} // namespace heddle
