//===- InterpreterCalls.cpp - Intrinsics and library functions ------------===//

#include "InterpreterDecoder.h"

#include "heddle/ABI/DeviceMath.h"
#include "heddle/Analysis/DeviceCall.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace heddle::interp {

/// A two-operand integer intrinsic of any width.
void Decoder::signedPair(const CallInst &I, OpKind Kind, bool Signed, Slot D) {
  Type *Type = I.getArgOperand(0)->getType();
  Ty T = container(Type);
  unsigned Width = Type->getIntegerBitWidth();
  Slot A = slot(I.getArgOperand(0)), B = slot(I.getArgOperand(1));
  if (Signed) {
    A = signExtended(A, T, Width);
    B = signExtended(B, T, Width);
  }
  emit(Kind, T, D, A, B, 0, Width);
}

bool Decoder::decodeIntegerCall(const CallInst &I) {
  struct Pair {
    Intrinsic::ID ID;
    OpKind Kind;
    bool Signed;
  };
  static const Pair Pairs[] = {
      {Intrinsic::umin, OpKind::UMin, false},
      {Intrinsic::umax, OpKind::UMax, false},
      {Intrinsic::smin, OpKind::SMin, true},
      {Intrinsic::smax, OpKind::SMax, true},
      {Intrinsic::uadd_sat, OpKind::UAddSat, false},
      {Intrinsic::usub_sat, OpKind::USubSat, false},
      {Intrinsic::sadd_sat, OpKind::SAddSat, true},
      {Intrinsic::ssub_sat, OpKind::SSubSat, true},
  };
  struct Checked {
    Intrinsic::ID ID;
    OpKind Value, Overflow;
    bool Signed;
  };
  static const Checked Overflows[] = {
      {Intrinsic::uadd_with_overflow, OpKind::Add, OpKind::UAddOverflow, false},
      {Intrinsic::usub_with_overflow, OpKind::Sub, OpKind::USubOverflow, false},
      {Intrinsic::umul_with_overflow, OpKind::Mul, OpKind::UMulOverflow, false},
      {Intrinsic::sadd_with_overflow, OpKind::Add, OpKind::SAddOverflow, true},
      {Intrinsic::ssub_with_overflow, OpKind::Sub, OpKind::SSubOverflow, true},
      {Intrinsic::smul_with_overflow, OpKind::Mul, OpKind::SMulOverflow, true},
  };
  Intrinsic::ID ID = I.getIntrinsicID();
  for (const Pair &P : Pairs)
    if (P.ID == ID) {
      Ty T = container(I.getType());
      Slot D = define(I, 0, T);
      signedPair(I, P.Kind, P.Signed, D);
      narrowTo(T, D, I.getType()->getIntegerBitWidth());
      return true;
    }
  for (const Checked &O : Overflows)
    if (O.ID == ID) {
      Type *Type = I.getArgOperand(0)->getType();
      Ty T = container(Type);
      Slot D = define(I, 0, T), Flag = define(I, 1, Ty::U8);
      signedPair(I, O.Value, false, D);
      narrowTo(T, D, Type->getIntegerBitWidth());
      signedPair(I, O.Overflow, O.Signed, Flag);
      return true;
    }
  static constexpr std::pair<Intrinsic::ID, OpKind> Others[] = {
      {Intrinsic::ctpop, OpKind::CtPop},
      {Intrinsic::ctlz, OpKind::Ctlz},
      {Intrinsic::cttz, OpKind::Cttz},
      {Intrinsic::bswap, OpKind::BSwap},
      {Intrinsic::bitreverse, OpKind::BitReverse},
      {Intrinsic::abs, OpKind::Abs},
      {Intrinsic::fshl, OpKind::FShl},
      {Intrinsic::fshr, OpKind::FShr}};
  const auto *Of = find_if(Others, [&](auto &Row) { return Row.first == ID; });
  if (Of == std::end(Others))
    return false;
  Ty T = container(I.getType());
  unsigned Width = I.getType()->getIntegerBitWidth();
  Slot A = slot(I.getArgOperand(0));
  if (ID == Intrinsic::fshl || ID == Intrinsic::fshr) {
    if (Width != sizeOf(T) * 8)
      return false;
    Slot B = slot(I.getArgOperand(1)), C = slot(I.getArgOperand(2));
    emit(Of->second, T, define(I, 0, T), A, B, C);
    return true;
  }
  if (ID == Intrinsic::abs)
    A = signExtended(A, T, Width);
  Slot D = define(I, 0, T);
  emit(Of->second, T, D, A, 0, 0, Width);
  narrowTo(T, D, Width);
  return true;
}

bool Decoder::decodeFloatCall(const CallInst &I) {
  // All operands and the result are of one type.
  auto Same = [&](OpKind Kind) {
    Ty T = container(I.getType());
    Slot In[3] = {};
    for (unsigned A = 0; A < I.arg_size(); ++A)
      In[A] = slot(I.getArgOperand(A));
    emit(Kind, T, define(I, 0, T), In[0], In[1], In[2]);
    return true;
  };
  auto Convert = [&](OpKind Kind) {
    Ty T = container(I.getArgOperand(0)->getType()),
       To = container(I.getType());
    Slot A = slot(I.getArgOperand(0));
    emit(Kind, T, define(I, 0, To), A, 0, 0, I.getType()->getIntegerBitWidth(),
         To);
    return true;
  };
  switch (I.getIntrinsicID()) {
  case Intrinsic::fma:
  case Intrinsic::fmuladd:
    return Same(OpKind::FMA);
  case Intrinsic::sqrt:
    return Same(OpKind::Sqrt);
  case Intrinsic::fabs:
    return Same(OpKind::FAbs);
  case Intrinsic::floor:
    return Same(OpKind::Floor);
  case Intrinsic::ceil:
    return Same(OpKind::Ceil);
  case Intrinsic::trunc:
    return Same(OpKind::Trunc);
  case Intrinsic::rint:
  case Intrinsic::nearbyint:
  case Intrinsic::roundeven:
    return Same(OpKind::RoundEven);
  case Intrinsic::round:
    return Same(OpKind::Round);
  case Intrinsic::canonicalize:
    return Same(OpKind::Copy);
  case Intrinsic::copysign:
    return Same(OpKind::CopySign);
  case Intrinsic::minnum:
  case Intrinsic::minimumnum:
    return Same(OpKind::MinNum);
  case Intrinsic::maxnum:
  case Intrinsic::maximumnum:
    return Same(OpKind::MaxNum);
  case Intrinsic::minimum:
    return Same(OpKind::Minimum);
  case Intrinsic::maximum:
    return Same(OpKind::Maximum);
  case Intrinsic::fptosi_sat:
    return Convert(OpKind::FPToSISat);
  case Intrinsic::fptoui_sat:
    return Convert(OpKind::FPToUISat);
  case Intrinsic::is_fpclass: {
    Slot A = slot(I.getArgOperand(0));
    emit(OpKind::IsFPClass, container(I.getArgOperand(0)->getType()),
         define(I, 0, Ty::U8), A, 0, 0,
         cast<ConstantInt>(I.getArgOperand(1))->getZExtValue());
    return true;
  }
  default:
    return false;
  }
}

/// Calls the table's function \p Name for result \p Result of \p I. The 16-bit
/// types go through f32.
bool Decoder::decodeMath(const CallInst &I, unsigned Result, StringRef Name) {
  const HeddleMathEntry *Entry = heddleFindMath(Name.str().c_str());
  const SmallVector<unsigned, 3> Arguments = deviceCall(I).Arguments;
  if (!Entry || std::strlen(Entry->Signature) != Arguments.size() + 1)
    return false;
  SmallVector<Scalar, 1> Results = scalars(I.getType());
  auto IsSmall = [](Ty T) { return T == Ty::F16 || T == Ty::BF16; };
  Slot In[3] = {};
  for (auto [A, Argument] : enumerate(Arguments)) {
    Ty T = container(I.getArgOperand(Argument)->getType());
    In[A] = slot(I.getArgOperand(Argument));
    if (IsSmall(T)) {
      Slot Wide = scratch(Ty::F32);
      emit(OpKind::FPExt, T, Wide, In[A], 0, 0, 0, Ty::F32);
      In[A] = Wide;
    }
  }
  Ty T = container(Results[Result].Type);
  Slot D = define(I, Result, T);
  Slot To = IsSmall(T) ? scratch(Ty::F32) : D;
  emit(OpKind::Math, T, To, In[0], In[1], In[2],
       reinterpret_cast<uint64_t>(Entry->Function));
  if (IsSmall(T))
    emit(OpKind::FPTrunc, Ty::F32, D, To, 0, 0, 0, T);
  return true;
}

/// llvm.NAME.* and heddle.math.NAME.* that the table of device math holds.
bool Decoder::decodeLibrary(const CallInst &I, StringRef Name) {
  if (I.arg_empty())
    return false;
  Type *T = I.getArgOperand(0)->getType();
  StringRef Suffix = T->isDoubleTy() ? ".f64" : ".f32";
  if (Name.consume_front("heddle.math."))
    return decodeMath(I, 0, Name);
  Intrinsic::ID ID = I.getIntrinsicID();
  if (ID == Intrinsic::not_intrinsic || !T->isFloatingPointTy())
    return false;
  StringRef Base = Intrinsic::getBaseName(ID);
  Base.consume_front("llvm.");
  auto Call = [&](unsigned Result, StringRef Function) {
    return decodeMath(I, Result, (Function + Suffix).str());
  };
  if (ID == Intrinsic::frexp)
    return Call(0, "frexp.mantissa") && Call(1, "frexp.exponent");
  if (ID == Intrinsic::sincos)
    return Call(0, "sin") && Call(1, "cos");
  if (ID == Intrinsic::modf) {
    Ty Kind = container(T);
    Slot A = slot(I.getArgOperand(0));
    emit(OpKind::Trunc, Kind, define(I, 1, Kind), A);
    return Call(0, "modf.fraction");
  }
  return Call(0, Base);
}

static bool isNoOp(const CallInst &I) {
  switch (I.getIntrinsicID()) {
  case Intrinsic::assume:
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_start:
  case Intrinsic::invariant_end:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::sideeffect:
  case Intrinsic::donothing:
  case Intrinsic::pseudoprobe:
  case Intrinsic::prefetch:
    return true;
  default:
    return I.isDebugOrPseudoInst();
  }
}

/// Intrinsics that need no GPU.
bool Decoder::decodeGeneric(const CallInst &I) {
  if (isNoOp(I))
    return true;
  switch (I.getIntrinsicID()) {
  case Intrinsic::expect:
  case Intrinsic::expect_with_probability:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group:
  case Intrinsic::ssa_copy:
  case Intrinsic::threadlocal_address: {
    Ty T = container(I.getType());
    Slot A = slot(I.getArgOperand(0));
    emit(OpKind::Copy, T, define(I, 0, T), A);
    return true;
  }
  case Intrinsic::ptrmask: {
    Slot A = slot(I.getArgOperand(0)), B = slot(I.getArgOperand(1));
    emit(OpKind::And, Ty::U64, define(I, 0, Ty::U64), A, B);
    return true;
  }
  case Intrinsic::trap:
  case Intrinsic::ubsantrap:
  case Intrinsic::debugtrap:
    emit(OpKind::Trap, Ty::U8, 0, 0, 0, 0, HEDDLE_ERROR_TRAP);
    return true;
  default:
    return decodeIntegerCall(I) || decodeFloatCall(I);
  }
}

bool Decoder::decodePrint(const CallInst &I, const Function &Callee) {
  if (!Callee.hasFnAttribute("heddle-format"))
    return false;
  // One after the other, as heddlePrint reads them.
  SmallVector<Slot> Words;
  for (unsigned A = 0; A < I.arg_size(); ++A)
    Words.push_back(scratch(Ty::U64));
  for (unsigned A = 0; A < I.arg_size(); ++A)
    emit(OpKind::Copy, Ty::U64, Words[A], slot(I.getArgOperand(A)));
  Out.Formats.push_back(std::make_unique<std::string>(
      Callee.getFnAttribute("heddle-format").getValueAsString()));
  emit(OpKind::Print, Ty::U64, 0,
       Words.empty() ? constantInt(Ty::U64, 0) : Words[0], 0, 0,
       reinterpret_cast<uint64_t>(Out.Formats.back()->c_str()));
  return true;
}

void Decoder::decodeCall(const CallInst &I) {
  if (decodeMatrix(I) || decodeWarpGroup(I) || decodeAsyncCopy(I) ||
      decodeAsyncBarrier(I) || decodeTexture(I))
    return;
  if (const auto *Asm = dyn_cast<InlineAsm>(I.getCalledOperand())) {
    if (Asm->getAsmString().empty()) // a compiler barrier
      return;
    return refuse("inline assembly '" + Asm->getAsmString().str() +
                  "' cannot be executed");
  }
  const Function *Callee = I.getCalledFunction();
  if (!Callee)
    return refuse("an indirect call cannot be executed");
  StringRef Name = Callee->getName();
  if (Name.starts_with("heddle.refused.")) {
    if (!I.getType()->isVoidTy())
      define(I, 0, container(I.getType()));
    return emit(OpKind::Trap, Ty::U8, 0, 0, 0, 0, HEDDLE_ERROR_UNSUPPORTED);
  }
  if (decodePrint(I, *Callee) || decodeGeneric(I) || decodeLibrary(I, Name))
    return;
  if (decodeDevice(I, Name) || decodeMath(I, 0, deviceCall(I).Name))
    return;
  refuse("a call to '" + Name.str() + "' cannot be executed");
}

} // namespace heddle::interp
