//===- StatementLowering.cpp - PTX statements as IR ----------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "heddle/ABI/PTXInstructions.def"
#include "heddle/ABI/WarpKernel.h"
#include "heddle/Analysis/WarpGroup.h"
#include "heddle/PTX/PTXConstant.h"
#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace heddle {

Type *StatementLowering::typeOf(StringRef Suffix) {
  const HeddlePTXType *T = findType(Suffix);
  if (!T)
    return nullptr;
  switch (T->Data) {
  case HEDDLE_TYPE_PRED:
    return B.getInt1Ty();
  case HEDDLE_TYPE_F16: // and no pair of them
    return T->Bytes == 2 ? B.getHalfTy() : nullptr;
  case HEDDLE_TYPE_F32:
    return T->Bytes == 4 ? B.getFloatTy() : nullptr;
  case HEDDLE_TYPE_F64:
    return B.getDoubleTy();
  case HEDDLE_TYPE_BF16:
  case HEDDLE_TYPE_B128:
  case HEDDLE_TYPE_F8:
    return nullptr;
  default:
    return B.getIntNTy(8 * T->Bytes);
  }
}

/// The bits of \p V as \p T; integers of other widths are cut or zero-extended.
Value *StatementLowering::toType(Value *V, Type *T) {
  if (V->getType() == T)
    return V;
  if (V->getType()->isPointerTy())
    V = B.CreatePtrToInt(V, B.getInt64Ty());
  if (T->isPointerTy())
    return B.CreateIntToPtr(toType(V, B.getInt64Ty()), T);
  unsigned From = V->getType()->getPrimitiveSizeInBits(),
           To = T->getPrimitiveSizeInBits();
  if (!From || !To || V->getType()->isVectorTy())
    return nullptr;
  V = B.CreateBitCast(V, B.getIntNTy(From));
  return B.CreateBitCast(B.CreateZExtOrTrunc(V, B.getIntNTy(To)), T);
}

/// Special registers that an intrinsic reads.
static Intrinsic::ID specialRegister(StringRef Name) {
  return StringSwitch<Intrinsic::ID>(Name)
      .Case("%tid.x", Intrinsic::nvvm_read_ptx_sreg_tid_x)
      .Case("%tid.y", Intrinsic::nvvm_read_ptx_sreg_tid_y)
      .Case("%tid.z", Intrinsic::nvvm_read_ptx_sreg_tid_z)
      .Case("%ntid.x", Intrinsic::nvvm_read_ptx_sreg_ntid_x)
      .Case("%ntid.y", Intrinsic::nvvm_read_ptx_sreg_ntid_y)
      .Case("%ntid.z", Intrinsic::nvvm_read_ptx_sreg_ntid_z)
      .Case("%ctaid.x", Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
      .Case("%ctaid.y", Intrinsic::nvvm_read_ptx_sreg_ctaid_y)
      .Case("%ctaid.z", Intrinsic::nvvm_read_ptx_sreg_ctaid_z)
      .Case("%nctaid.x", Intrinsic::nvvm_read_ptx_sreg_nctaid_x)
      .Case("%nctaid.y", Intrinsic::nvvm_read_ptx_sreg_nctaid_y)
      .Case("%nctaid.z", Intrinsic::nvvm_read_ptx_sreg_nctaid_z)
      .Case("%laneid", Intrinsic::nvvm_read_ptx_sreg_laneid)
      .Case("%warpid", Intrinsic::nvvm_read_ptx_sreg_warpid)
      .Case("%gridid", Intrinsic::nvvm_read_ptx_sreg_gridid)
      .Case("%dynamic_smem_size",
            Intrinsic::nvvm_read_ptx_sreg_dynamic_smem_size)
      .Case("%total_smem_size", Intrinsic::nvvm_read_ptx_sreg_total_smem_size)
      .Case("%smid", Intrinsic::nvvm_read_ptx_sreg_smid)
      .Case("%nsmid", Intrinsic::nvvm_read_ptx_sreg_nsmid)
      .Case("%clock", Intrinsic::nvvm_read_ptx_sreg_clock)
      .Case("%clock64", Intrinsic::nvvm_read_ptx_sreg_clock64)
      .Case("%globaltimer", Intrinsic::nvvm_read_ptx_sreg_globaltimer)
      .Case("%lanemask_eq", Intrinsic::nvvm_read_ptx_sreg_lanemask_eq)
      .Case("%lanemask_lt", Intrinsic::nvvm_read_ptx_sreg_lanemask_lt)
      .Case("%lanemask_le", Intrinsic::nvvm_read_ptx_sreg_lanemask_le)
      .Case("%lanemask_gt", Intrinsic::nvvm_read_ptx_sreg_lanemask_gt)
      .Case("%lanemask_ge", Intrinsic::nvvm_read_ptx_sreg_lanemask_ge)
      .Default(Intrinsic::not_intrinsic);
}

/// "%envreg12", which the driver sets before a launch.
static Intrinsic::ID environmentRegister(StringRef Name) {
  unsigned Number;
  if (!Name.consume_front("%envreg") || Name.getAsInteger(10, Number) ||
      Number > 31)
    return Intrinsic::not_intrinsic;
  return Intrinsic::lookupIntrinsicID(
      ("llvm.nvvm.read.ptx.sreg.envreg" + Twine(Number)).str());
}

/// 86 where B builds for sm_86; 0 if that is not known.
static unsigned targetOf(const IRBuilder<> &B) {
  const Function &F = *B.GetInsertBlock()->getParent();
  StringRef Arch = ptxTarget(*F.getParent());
  if (Arch.empty())
    Arch = F.getFnAttribute("target-cpu").getValueAsString();
  unsigned Number = 0;
  if (!Arch.consume_front("sm_") || Arch.consumeInteger(10, Number))
    return 0;
  return Number;
}

/// %total_smem_size counts the units in which shared memory is given out (PTX
/// ISA, "Special Registers").
static Value *wholeUnits(IRBuilder<> &B, Value *Bytes) {
  const unsigned Target = targetOf(B);
  const int Unit = Target && Target < 80 ? 256 : 128;
  return B.CreateAnd(B.CreateAdd(Bytes, B.getInt32(Unit - 1)),
                     B.getInt32(-Unit));
}

/// The warps that an SM has room for: what ptxas 12.4 writes for %nwarpid.
static unsigned warpsOfSM(unsigned Target) {
  if (Target == 75)
    return 32;
  return (Target >= 86 && Target <= 89) || Target >= 120 ? 48 : HEDDLE_NWARPID;
}

/// The half of a 64-bit register that PTX names as a register of its own.
static Value *halfRegister(IRBuilder<> &B, StringRef Name) {
  bool High = Name.ends_with("_hi");
  Intrinsic::ID ID =
      StringSwitch<Intrinsic::ID>(Name)
          .Case("%clock_hi", Intrinsic::nvvm_read_ptx_sreg_clock64)
          .Cases({"%globaltimer_lo", "%globaltimer_hi"},
                 Intrinsic::nvvm_read_ptx_sreg_globaltimer)
          .Default(Intrinsic::not_intrinsic);
  if (ID == Intrinsic::not_intrinsic)
    return nullptr;
  Value *Whole = B.CreateIntrinsic(ID, {});
  return B.CreateTrunc(High ? B.CreateLShr(Whole, 32) : Whole, B.getInt32Ty());
}

/// A constant expression as \p T; null if it has no such meaning. Only numbers
/// written by their bits are an integer of that width too.
static Constant *literal(StringRef Text, Type *T) {
  LLVMContext &C = T->getContext();
  const unsigned Width = T->getPrimitiveSizeInBits();
  auto Bits = [&](const APFloat &Number) {
    return ConstantExpr::getBitCast(
        ConstantInt::get(C, Number.bitcastToAPInt()), T);
  };
  if (const auto Single = ptx::readSingle(Text))
    return Width == 32 ? Bits(*Single) : nullptr;
  const auto Value = ptx::readConstant(Text);
  if (!Value)
    return nullptr;
  if (const auto *Integer = std::get_if<APSInt>(&*Value))
    return T->isIntegerTy() ? ConstantInt::get(C, Integer->zextOrTrunc(Width))
                            : nullptr;
  const APFloat &Number = std::get<APFloat>(*Value);
  if (T->isFloatTy() || T->isDoubleTy())
    return ConstantFP::get(C, ptx::roundedTo(Number, T->getFltSemantics()));
  return T->isIntegerTy(64) && Text.starts_with_insensitive("0d") ? Bits(Number)
                                                                  : nullptr;
}

Value *StatementLowering::operand(StringRef Text, Type *T) {
  Text = Text.trim();
  bool Negated = T->isIntegerTy(1) && Text.consume_front("!");
  if (Value *Known = valueOf(Text)) {
    Known = toType(Known, T);
    return Known && Negated ? B.CreateNot(Known) : Known;
  }
  if (Text == "%nwarpid")
    return toType(B.getInt32(warpsOfSM(targetOf(B))), T);
  if (Intrinsic::ID ID = specialRegister(Text)) {
    Value *Read = call(ID, {});
    if (ID == Intrinsic::nvvm_read_ptx_sreg_total_smem_size)
      Read = wholeUnits(B, Read);
    return toType(Read, T);
  }
  if (Intrinsic::ID ID = clusterRegister(Text))
    return toType(call(ID, {}), T);
  if (Intrinsic::ID ID = environmentRegister(Text))
    return toType(call(ID, {}), T);
  if (Value *Half = halfRegister(B, Text))
    return toType(Half, T);
  return literal(Text, T);
}

bool StatementLowering::assign(StringRef Text, Value *V) {
  Text = Text.trim();
  if (!V)
    return false;
  if (Text == "_")
    return true;
  Type *T = registerType(Text);
  V = T ? toType(V, T) : nullptr;
  if (V)
    write(Text, V);
  return V != nullptr;
}

/// A register wider than the type \p Suffix, as loads and conversions may
/// have, gets the sign of signed integers and zeroes else.
bool StatementLowering::assignWide(StringRef Text, Value *V, StringRef Suffix) {
  Type *T = V->getType();
  if (Suffix.starts_with("s") && T->isIntegerTy() && !T->isIntegerTy(64))
    V = B.CreateSExt(V, B.getInt64Ty());
  return assign(Text, V);
}

bool StatementLowering::needsBranch(const PTXStatement &S) {
  const auto Form = formOf(S);
  const bool Several = !S.Operands.empty() &&
                       S.Operands[0].find_first_of("|{") != StringRef::npos;
  return Several || (Form && Form->Row->Effect != HEDDLE_PTX_None);
}

bool StatementLowering::isControl(const PTXStatement &S) {
  const auto Form = formOf(S);
  return Form && liftingOf(*Form).How == Lifting::Control;
}

std::optional<HeddlePTXForm> StatementLowering::formOf(const PTXStatement &S) {
  return findInstruction(S.Opcode);
}

const StatementLowering::Lifting &
StatementLowering::liftingOf(const HeddlePTXForm &Form) {
#define binary(OP) {Lifting::Binary, Instruction::OP}
#define unary(OP) {Lifting::Unary, Instruction::OP}
#define intrinsic(NAME) {Lifting::Intrinsic, Intrinsic::NAME}
#define flagged(NAME) {Lifting::Flagged, Intrinsic::NAME}
#define nvvm(NAME) {Lifting::NVVM, Intrinsic::nvvm_##NAME}
#define approximate(NAME) {Lifting::Approximate, Intrinsic::NAME}
#define single(NAME) {Lifting::Single, Intrinsic::NAME}
#define swapped(NAME) {Lifting::Swapped, Intrinsic::NAME}
#define value(F) {Lifting::Compute, 0, &StatementLowering::F, nullptr}
#define statement(F) {Lifting::Lower, 0, nullptr, &StatementLowering::F}
#define nothing {Lifting::Nothing}
#define control {Lifting::Control}
#define refused {Lifting::Refused}
#define HEDDLE_PTX(Name, Modifiers, Types, Operands, Class, Effect, Lift) Lift,
  static constexpr Lifting Liftings[] = {
#include "heddle/ABI/PTXInstructions.def"
  };
#undef binary
#undef unary
#undef intrinsic
#undef flagged
#undef nvvm
#undef approximate
#undef single
#undef swapped
#undef value
#undef statement
#undef nothing
#undef control
#undef refused
  return Liftings[Form.Number];
}

bool StatementLowering::lower(const PTXStatement &S) {
  if (S.Name == ".reg") {
    Type *T = S.Modifiers.empty() ? typeOf(S.Suffix) : nullptr; // no vectors
    for (StringRef Register : S.Operands)
      declare(Register.trim(), T);
    return T != nullptr;
  }
  if (!S.Guard.empty())
    return lowerGuarded(S);
  const auto Form = formOf(S);
  if (!Form || !Form->Exact)
    return false;
  const Lifting &L = liftingOf(*Form);
  switch (L.How) {
  case Lifting::Refused:
    return S.Name == "tcgen05" && lowerTensorMemory(S);
  case Lifting::Control:
    return false;
  case Lifting::Nothing:
    return true;
  case Lifting::Lower:
    return (this->*L.Lowers)(S);
  default:
    return compute(S, *Form->Row, L);
  }
}

/// A guarded computation keeps the old value where the guard is false.
bool StatementLowering::lowerGuarded(const PTXStatement &S) {
  Value *Guard = operand(S.Guard, B.getInt1Ty());
  if (!Guard || S.Operands.empty())
    return false;
  Value *Old = valueOf(S.Operands[0]);
  PTXStatement Unguarded = S;
  Unguarded.Guard = "";
  if (needsBranch(S) || !lower(Unguarded))
    return false;
  // A register that nothing was written to holds anything.
  if (!Old)
    return true;
  Value *New = valueOf(S.Operands[0]);
  Old = toType(Old, New->getType());
  return Old && assign(S.Operands[0], S.GuardNegated
                                          ? B.CreateSelect(Guard, Old, New)
                                          : B.CreateSelect(Guard, New, Old));
}

/// The type of the operand that a row calls \p Letter.
Type *StatementLowering::operandType(const PTXStatement &S, StringRef Letter) {
  if (Letter == "T")
    return typeOf(S.Suffix);
  if (Letter == "D")
    return S.Modifiers.empty() ? nullptr : typeOf(S.Modifiers.back());
  if (Letter == "p")
    return B.getInt1Ty();
  if (Letter == "l")
    return B.getInt64Ty();
  if (Letter == "i" || Letter == "n" || isDigit(Letter[0]))
    return B.getInt32Ty();
  Type *T = Letter == "W" ? typeOf(S.Suffix) : nullptr;
  return T ? B.getIntNTy(2 * T->getPrimitiveSizeInBits()) : nullptr;
}

bool StatementLowering::compute(const PTXStatement &S, const HeddlePTXRow &Row,
                                const Lifting &L) {
  SmallVector<StringRef, 4> Letters;
  StringRef(Row.Operands).split("= ").second.split(Letters, ' ');
  if (S.Operands.size() != Letters.size() + 1)
    return false;
  if (S.Suffix.ends_with("x2") || S.Suffix == "bf16")
    return assign(S.Operands[0], computePacked(S, L, Letters.size()));
  SmallVector<Value *, 4> Sources;
  for (auto [Text, Letter] : zip(drop_begin(S.Operands), Letters)) {
    Type *T = operandType(S, Letter);
    Sources.push_back(T ? operand(Text, T) : nullptr);
    if (!Sources.back())
      return false;
  }
  return assign(S.Operands[0], apply(L, {S, typeOf(S.Suffix), Sources}));
}

/// A product or sum that names no rounding may become part of a fused
/// multiply-add (PTX ISA, "Floating Point Instructions": add, sub and mul), as
/// ptxas makes them by default.
static void allowContraction(Value *R, const PTXStatement &S) {
  auto *I = dyn_cast<BinaryOperator>(R);
  if (!I || !I->getType()->isFPOrFPVectorTy() || S.has("rn") || S.has("sat"))
    return;
  if (is_contained({Instruction::FMul, Instruction::FAdd, Instruction::FSub},
                   I->getOpcode()))
    I->setHasAllowContract(true);
}

Value *StatementLowering::apply(const Lifting &L, const Operation &O) {
  const ArrayRef<Value *> V = O.V;
  const auto ID = Intrinsic::ID(L.ID);
  Value *R = nullptr;
  switch (L.How) {
  case Lifting::Binary:
    R = B.CreateBinOp(Instruction::BinaryOps(L.ID), V[0], V[1]);
    allowContraction(R, O.S);
    break;
  case Lifting::Unary:
    R = B.CreateUnOp(Instruction::UnaryOps(L.ID), V[0]);
    break;
  case Lifting::Intrinsic:
    R = V.size() == 2 ? B.CreateBinaryIntrinsic(ID, V[0], V[1])
                      : B.CreateIntrinsic(ID, {O.T}, V);
    break;
  case Lifting::Flagged:
    R = B.CreateIntrinsic(ID, {O.T}, {V[0], B.getFalse()});
    break;
  case Lifting::NVVM:
    R = call(ID, V);
    break;
  case Lifting::Approximate:
    R = B.CreateUnaryIntrinsic(ID, V[0]);
    cast<Instruction>(R)->setHasApproxFunc(true);
    break;
  case Lifting::Single:
    R = B.CreateUnaryIntrinsic(
        ID, O.T->isHalfTy() ? B.CreateFPExt(V[0], B.getFloatTy()) : V[0]);
    R = B.CreateFPCast(R, O.T);
    break;
  case Lifting::Swapped:
    R = B.CreateBinaryIntrinsic(ID, V[1], V[0]);
    break;
  default:
    R = (this->*L.Computes)(O);
  }
  if (!R || (!O.isFloat() && !O.S.has("relu")))
    return R;
  return O.S.has("relu") || O.S.has("sat") ? clamped(R, O.S.has("sat")) : R;
}

/// Not below 0 and, with \p OneToo, not above 1. What is no number becomes 0
/// with .sat and the NaN whose bits are all set with .relu.
Value *StatementLowering::clamped(Value *V, bool OneToo) {
  Type *T = V->getType();
  if (T->isIntegerTy())
    return B.CreateBinaryIntrinsic(Intrinsic::smax, V, ConstantInt::get(T, 0));
  if (!OneToo)
    return B.CreateSelect(B.CreateFCmpUNO(V, V),
                          ConstantFP::getNaN(T, /*Negative=*/false, ~0ull),
                          B.CreateBinaryIntrinsic(Intrinsic::maximum, V,
                                                  ConstantFP::get(T, 0.0)));
  V = B.CreateBinaryIntrinsic(Intrinsic::maxnum, V, ConstantFP::get(T, 0.0));
  return B.CreateBinaryIntrinsic(Intrinsic::minnum, V, ConstantFP::get(T, 1.0));
}

/// The upper 16 bits of a float, rounded to nearest even; NaN stays NaN.
Value *StatementLowering::toBrain(Value *Single) {
  Value *Bits = B.CreateBitCast(Single, B.getInt32Ty());
  Value *Odd = B.CreateAnd(B.CreateLShr(Bits, 16), 1);
  Value *Rounded = B.CreateAdd(B.CreateAdd(Bits, B.getInt32(0x7fff)), Odd);
  Value *IsNaN = B.CreateFCmpUNO(Single, Single);
  Value *Kept = B.CreateSelect(IsNaN, B.getInt32(0x7fff0000), Rounded);
  return B.CreateTrunc(B.CreateLShr(Kept, 16), B.getInt16Ty());
}

Value *StatementLowering::fromBrain(Value *Bits) {
  Value *Wide = B.CreateShl(B.CreateZExt(Bits, B.getInt32Ty()), 16);
  return B.CreateBitCast(Wide, B.getFloatTy());
}

/// Half \p Number of a packed register, in half or single precision.
Value *StatementLowering::half(Value *Register, unsigned Number, bool Brain) {
  Value *Bits =
      B.CreateTrunc(B.CreateLShr(Register, 16 * Number), B.getInt16Ty());
  return Brain ? fromBrain(Bits) : B.CreateBitCast(Bits, B.getHalfTy());
}

/// .f16x2, .bf16x2, .bf16, .s16x2, .u16x2 and .f32x2: each half of the register
/// by itself. bfloat16 is computed in single precision and rounded once, to
/// nearest even.
Value *StatementLowering::computePacked(const PTXStatement &S, const Lifting &L,
                                        unsigned NumSources) {
  const bool Brain = S.Suffix.starts_with("bf16"), Single = S.Suffix == "f32x2";
  const bool Integer = !Brain && !S.Suffix.starts_with("f");
  const unsigned Halves = S.Suffix.ends_with("x2") ? 2 : 1;
  Type *Part = B.getIntNTy(Single ? 32 : 16);
  const unsigned Bits = Part->getIntegerBitWidth();
  Type *Register = B.getIntNTy(Bits * Halves);
  SmallVector<Value *, 3> Sources;
  for (StringRef Text : drop_begin(S.Operands)) {
    Sources.push_back(operand(Text, Register));
    if (!Sources.back())
      return nullptr;
  }
  Value *Result = ConstantInt::get(Register, 0);
  for (unsigned N = 0; N < Halves; ++N) {
    SmallVector<Value *, 3> Parts;
    for (Value *V : Sources) {
      Value *Own = B.CreateTrunc(B.CreateLShr(V, Bits * N), Part);
      Parts.push_back(Integer  ? Own
                      : Single ? B.CreateBitCast(Own, B.getFloatTy())
                               : half(V, N, Brain));
    }
    Value *R = apply(L, {S, Parts[0]->getType(), Parts});
    if (!R)
      return nullptr;
    R = Brain ? toBrain(R) : B.CreateBitCast(R, Part);
    Result =
        B.CreateOr(Result, B.CreateShl(B.CreateZExt(R, Register), Bits * N));
  }
  return Result;
}

} // namespace heddle
