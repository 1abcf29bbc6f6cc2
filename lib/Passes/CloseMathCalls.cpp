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
  static constexpr StringLiteral Intrinsics[] = {
      // Called as LLVM's intrinsics are.
      "sin", "cos", "tan", "asin", "acos", "atan", "atan2", "sinh", "cosh",
      "tanh", "exp", "exp2", "exp10", "log", "log2", "log10", "pow",
      // And exact but for rounding.
      "sqrt", "fma", "floor", "ceil", "trunc", "rint", "nearbyint", "round",
      "roundeven", "fabs", "copysign"};
  static constexpr StringLiteral Others[] = {
      // Called as the heddle.math functions are.
      "acosh", "asinh", "atanh", "cbrt", "erf", "erfc", "erfcinv", "erfcx",
      "erfinv", "expm1", "fdim", "fmod", "hypot", "ilogb", "j0", "j1", "y0",
      "y1", "ldexp", "lgamma", "log1p", "logb", "nextafter", "normcdf",
      "normcdfinv", "remainder", "rcbrt", "rhypot", "rsqrt", "tgamma",
      // Of multiples of pi.
      "sinpi", "cospi", "tanpi", "asinpi", "acospi", "atanpi", "atan2pi"};
  if (Name == "fmin")
    return Intrinsic::minnum;
  if (Name == "fmax")
    return Intrinsic::maxnum;
  Name = Name == "powr" ? "pow" : Name == "scalbn" ? "ldexp" : Name;
  if (is_contained(Intrinsics, Name))
    return Intrinsic::lookupIntrinsicID(("llvm." + Name).str());
  const auto *Other = find(Others, Name);
  return Other == std::end(Others) ? MathFunction() : StringRef(*Other);
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
