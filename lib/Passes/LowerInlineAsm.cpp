//===- LowerInlineAsm.cpp - PTX in the source, as IR ----------------------===//
//
// Hand-written PTX is read by mnemonic (PTX ISA 8.8) and replaced by the IR
// that means the same. A text with anything that is not known here stays as it
// is: analyses count it, execution names it.
//
//===----------------------------------------------------------------------===//

#include "PTXStatement.h"
#include "Passes.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

namespace {
/// Translates one call. Every build function returns false for what it does
/// not know, and then nothing of the call is kept.
class AsmLowering {
public:
  explicit AsmLowering(CallInst &Call)
      : Call(Call), Asm(*cast<InlineAsm>(Call.getCalledOperand())), B(&Call) {}
  bool run();

private:
  bool bindOperands();
  bool lower(const PTXStatement &S);
  bool lowerArithmetic(const PTXStatement &S, Type *T);
  bool lowerMemory(const PTXStatement &S, Type *T);
  bool lowerWarp(const PTXStatement &S, Type *T);
  bool lowerConversion(const PTXStatement &S);
  Value *operand(StringRef Text, Type *T);
  bool assign(StringRef Text, Value *V);
  Type *typeOf(StringRef Suffix);
  Value *pointer(StringRef Text, const PTXStatement &S);
  Value *call(Intrinsic::ID ID, ArrayRef<Value *> Args) {
    return B.CreateIntrinsic(ID, ArrayRef<Type *>(), Args);
  }
  Value *toType(Value *V, Type *T);

  CallInst &Call;
  const InlineAsm &Asm;
  IRBuilder<> B;
  StringMap<Value *> Values; ///< by "$N" and by register
  StringMap<Type *> Types;   ///< of outputs and registers
  SmallVector<std::string, 4> Outputs;
};
} // namespace

Type *AsmLowering::typeOf(StringRef Suffix) {
  return StringSwitch<Type *>(Suffix)
      .Cases({"u8", "s8", "b8"}, B.getInt8Ty())
      .Cases({"u16", "s16", "b16"}, B.getInt16Ty())
      .Cases({"u32", "s32", "b32"}, B.getInt32Ty())
      .Cases({"u64", "s64", "b64"}, B.getInt64Ty())
      .Case("f16", B.getHalfTy())
      .Case("f32", B.getFloatTy())
      .Case("f64", B.getDoubleTy())
      .Case("pred", B.getInt1Ty())
      .Default(nullptr);
}

/// The bits of \p V as \p T; integers of other widths are cut or zero-extended.
Value *AsmLowering::toType(Value *V, Type *T) {
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

bool AsmLowering::bindOperands() {
  unsigned Number = 0, Input = 0;
  auto *Result = dyn_cast<StructType>(Call.getType());
  for (const InlineAsm::ConstraintInfo &C : Asm.ParseConstraints()) {
    if (C.Type == InlineAsm::isClobber)
      continue;
    std::string Name = "$" + std::to_string(Number++);
    if (C.isIndirect)
      return false;
    if (C.Type == InlineAsm::isOutput) {
      Type *T =
          Result ? Result->getElementType(Outputs.size()) : Call.getType();
      Types[Name] = T;
      Outputs.push_back(Name);
      continue;
    }
    if (C.Type != InlineAsm::isInput || Input >= Call.arg_size())
      return false;
    Values[Name] = Call.getArgOperand(Input++);
    unsigned Tied = 0;
    if (!C.Codes.empty() && !StringRef(C.Codes[0]).getAsInteger(10, Tied))
      Values["$" + std::to_string(Tied)] = Values[Name];
  }
  return true;
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
      .Case("%nwarpid", Intrinsic::nvvm_read_ptx_sreg_nwarpid)
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

Value *AsmLowering::operand(StringRef Text, Type *T) {
  Text = Text.trim();
  if (auto Known = Values.find(Text); Known != Values.end())
    return toType(Known->second, T);
  if (Intrinsic::ID ID = specialRegister(Text))
    return toType(call(ID, {}), T);
  if (Text == "WARP_SZ")
    return ConstantInt::get(B.getInt32Ty(), 32);
  if ((Text.starts_with("0f") || Text.starts_with("0F")) && T->isFloatTy()) {
    uint32_t Bits;
    if (!Text.drop_front(2).getAsInteger(16, Bits))
      return B.CreateBitCast(B.getInt32(Bits), T);
  }
  if ((Text.starts_with("0d") || Text.starts_with("0D")) && T->isDoubleTy()) {
    uint64_t Bits;
    if (!Text.drop_front(2).getAsInteger(16, Bits))
      return B.CreateBitCast(B.getInt64(Bits), T);
  }
  Text.consume_back("U");
  int64_t Number;
  if (!Text.getAsInteger(0, Number) && T->isIntegerTy())
    return ConstantInt::getSigned(T, Number, /*ImplicitTrunc=*/true);
  uint64_t Large;
  if (!Text.getAsInteger(0, Large) && T->isIntegerTy())
    return ConstantInt::get(T, Large, /*IsSigned=*/false,
                            /*ImplicitTrunc=*/true);
  return nullptr;
}

bool AsmLowering::assign(StringRef Text, Value *V) {
  Text = Text.trim();
  if (!V)
    return false;
  if (Text == "_")
    return true;
  auto T = Types.find(Text);
  if (T == Types.end())
    return false;
  Values[Text] = toType(V, T->second);
  return Values[Text] != nullptr;
}

bool AsmLowering::lowerArithmetic(const PTXStatement &S, Type *T) {
  if (S.Operands.size() < 2 || !T)
    return false;
  bool Signed = S.Suffix.starts_with("s"), Float = T->isFloatingPointTy();
  unsigned Bits = T->getPrimitiveSizeInBits();
  Value *V[4] = {};
  bool IsMad = S.Name == "mad" && S.has("wide");
  bool IsShift = S.Name == "shl" || S.Name == "shr";
  for (unsigned I = 1; I < S.Operands.size() && I < 5; ++I) {
    Type *Wanted = T;
    if (IsMad && I == 3)
      Wanted = B.getIntNTy(2 * Bits);
    else if ((IsShift && I == 2) || (S.Name == "bfe" && I > 1) ||
             (S.Name == "bfi" && I > 2))
      Wanted = B.getInt32Ty();
    else if (S.Name == "selp" && I == 3)
      Wanted = B.getInt1Ty();
    V[I - 1] = operand(S.Operands[I], Wanted);
    if (!V[I - 1])
      return false;
  }
  auto Full = [&](Value *X) {
    Type *Wide = B.getIntNTy(2 * Bits);
    return Signed ? B.CreateSExt(X, Wide) : B.CreateZExt(X, Wide);
  };
  auto Product = [&]() -> Value * {
    if (S.has("wide"))
      return B.CreateMul(Full(V[0]), Full(V[1]));
    if (S.has("hi"))
      return B.CreateTrunc(
          B.CreateLShr(B.CreateMul(Full(V[0]), Full(V[1])), Bits), T);
    return B.CreateMul(V[0], V[1]);
  };
  // Shifts by the width or more give zero or the sign (PTX).
  auto Shift = [&](Instruction::BinaryOps Op, Value *X, Value *N) {
    Value *Wide = toType(N, T);
    Value *Enough = B.CreateICmpUGE(N, B.getInt32(Bits));
    Value *Shifted = B.CreateBinOp(
        Op, X, B.CreateSelect(Enough, ConstantInt::get(T, Bits - 1), Wide));
    if (Op == Instruction::AShr)
      return Shifted;
    return B.CreateSelect(Enough, ConstantInt::get(T, 0), Shifted);
  };
  auto Unary = [&](Intrinsic::ID ID) {
    return B.CreateUnaryIntrinsic(ID, V[0]);
  };
  auto Approximate = [&](Intrinsic::ID ID) -> Value * {
    if (!T->isFloatTy())
      return nullptr;
    auto *Made = cast<Instruction>(Unary(ID));
    Made->setHasApproxFunc(true);
    return Made;
  };
  Value *R = nullptr;
  StringRef N = S.Name;
  if (N == "mov")
    R = V[0];
  else if (N == "add")
    R = Float ? B.CreateFAdd(V[0], V[1]) : B.CreateAdd(V[0], V[1]);
  else if (N == "sub")
    R = Float ? B.CreateFSub(V[0], V[1]) : B.CreateSub(V[0], V[1]);
  else if (N == "mul")
    R = Float ? B.CreateFMul(V[0], V[1]) : Product();
  else if (N == "mul24")
    R = B.CreateMul(B.CreateAnd(V[0], 0xffffff), B.CreateAnd(V[1], 0xffffff));
  else if (N == "mad" && !Float)
    R = B.CreateAdd(Product(), V[2]);
  else if (N == "mad" || N == "fma")
    R = B.CreateIntrinsic(Intrinsic::fma, {T}, {V[0], V[1], V[2]});
  else if (N == "div" && !Float)
    R = Signed ? B.CreateSDiv(V[0], V[1]) : B.CreateUDiv(V[0], V[1]);
  else if (N == "div")
    R = B.CreateFDiv(V[0], V[1]);
  else if (N == "rem")
    R = Signed ? B.CreateSRem(V[0], V[1]) : B.CreateURem(V[0], V[1]);
  else if (N == "min" || N == "max") {
    bool Max = N == "max";
    Intrinsic::ID ID = Float    ? (Max ? Intrinsic::maxnum : Intrinsic::minnum)
                       : Signed ? (Max ? Intrinsic::smax : Intrinsic::smin)
                                : (Max ? Intrinsic::umax : Intrinsic::umin);
    R = B.CreateBinaryIntrinsic(ID, V[0], V[1]);
  } else if (N == "and")
    R = B.CreateAnd(V[0], V[1]);
  else if (N == "or")
    R = B.CreateOr(V[0], V[1]);
  else if (N == "xor")
    R = B.CreateXor(V[0], V[1]);
  else if (N == "not")
    R = B.CreateNot(V[0]);
  else if (N == "neg")
    R = Float ? B.CreateFNeg(V[0]) : B.CreateNeg(V[0]);
  else if (N == "abs")
    R = Float ? Unary(Intrinsic::fabs)
              : B.CreateIntrinsic(Intrinsic::abs, {T}, {V[0], B.getFalse()});
  else if (N == "shl")
    R = Shift(Instruction::Shl, V[0], V[1]);
  else if (N == "shr")
    R = Shift(Signed ? Instruction::AShr : Instruction::LShr, V[0], V[1]);
  else if (N == "selp")
    R = B.CreateSelect(V[2], V[0], V[1]);
  else if (N == "popc")
    R = Unary(Intrinsic::ctpop);
  else if (N == "brev")
    R = Unary(Intrinsic::bitreverse);
  else if (N == "clz")
    R = B.CreateIntrinsic(Intrinsic::ctlz, {T}, {V[0], B.getFalse()});
  else if (N == "sqrt")
    R = S.has("approx") ? Approximate(Intrinsic::sqrt) : Unary(Intrinsic::sqrt);
  else if (N == "rsqrt" && T->isFloatTy())
    R = call(Intrinsic::nvvm_rsqrt_approx_f, {V[0]});
  else if (N == "rcp") {
    R = B.CreateFDiv(ConstantFP::get(T, 1.0), V[0]);
    if (auto *I = dyn_cast<Instruction>(R); I && S.has("approx"))
      I->setHasApproxFunc(true);
  } else if (N == "sin")
    R = Approximate(Intrinsic::sin);
  else if (N == "cos")
    R = Approximate(Intrinsic::cos);
  else if (N == "ex2")
    R = Approximate(Intrinsic::exp2);
  else if (N == "lg2")
    R = Approximate(Intrinsic::log2);
  else if (N == "tanh")
    R = Unary(Intrinsic::tanh);
  else if (N == "prmt" && !S.has("f4e") && S.Modifiers.empty())
    R = call(Intrinsic::nvvm_prmt, {V[0], V[1], V[2]});
  else if (N == "sad") {
    Value *Max = B.CreateBinaryIntrinsic(
        Signed ? Intrinsic::smax : Intrinsic::umax, V[0], V[1]);
    Value *Min = B.CreateBinaryIntrinsic(
        Signed ? Intrinsic::smin : Intrinsic::umin, V[0], V[1]);
    R = B.CreateAdd(B.CreateSub(Max, Min), V[2]);
  } else if (N == "bfe") {
    // Position and length count 8 bits; past the end come zeros or the sign.
    Value *Start = B.CreateAnd(V[1], 255), *Length = B.CreateAnd(V[2], 255);
    Value *Left = B.CreateSub(B.getInt32(Bits), Length);
    Value *Fits = B.CreateICmpUGE(B.getInt32(Bits), Length);
    Left = B.CreateSelect(Fits, Left, B.getInt32(0));
    Value *Down =
        Shift(Signed ? Instruction::AShr : Instruction::LShr, V[0], Start);
    Value *Up = Shift(Instruction::Shl, Down, Left);
    R = Shift(Signed ? Instruction::AShr : Instruction::LShr, Up, Left);
    R = B.CreateSelect(B.CreateICmpEQ(Length, B.getInt32(0)),
                       ConstantInt::get(T, 0), R);
  } else if (N == "bfi") {
    Value *Start = B.CreateAnd(V[2], 255), *Length = B.CreateAnd(V[3], 255);
    Value *Ones = ConstantInt::getAllOnesValue(T);
    Value *Mask = B.CreateNot(Shift(Instruction::Shl, Ones, Length));
    Mask = Shift(Instruction::Shl, Mask, Start);
    R = B.CreateOr(B.CreateAnd(Shift(Instruction::Shl, V[0], Start), Mask),
                   B.CreateAnd(V[1], B.CreateNot(Mask)));
  } else if (N == "lop3" && S.Operands.size() == 5) {
    auto *Table = dyn_cast<ConstantInt>(V[3]);
    if (!Table)
      return false;
    R = ConstantInt::get(T, 0);
    for (unsigned Row = 0; Row < 8; ++Row) {
      if (!(Table->getZExtValue() >> Row & 1))
        continue;
      auto Literal = [&](unsigned I) {
        return Row >> (2 - I) & 1 ? V[I] : B.CreateNot(V[I]);
      };
      R = B.CreateOr(
          R, B.CreateAnd(B.CreateAnd(Literal(0), Literal(1)), Literal(2)));
    }
  }
  return assign(S.Operands[0], R);
}

bool AsmLowering::lowerConversion(const PTXStatement &S) {
  if (S.Operands.size() != 2 || S.Modifiers.empty())
    return false;
  StringRef ToName = S.Modifiers.back(), FromName = S.Suffix;
  Type *To = typeOf(ToName), *From = typeOf(FromName);
  if (!To || !From || S.has("sat"))
    return false;
  Value *V = operand(S.Operands[1], From);
  if (!V)
    return false;
  bool ToFloat = To->isFloatingPointTy(), FromFloat = From->isFloatingPointTy();
  if (ToFloat && FromFloat) {
    if (S.has("rz") || S.has("rm") || S.has("rp") || S.has("rni"))
      return false;
    V = B.CreateFPCast(V, To);
  } else if (ToFloat) {
    if (S.has("rz") || S.has("rm") || S.has("rp"))
      return false;
    V = FromName.starts_with("s") ? B.CreateSIToFP(V, To)
                                  : B.CreateUIToFP(V, To);
  } else if (FromFloat) {
    Intrinsic::ID Round = S.has("rni")   ? Intrinsic::rint
                          : S.has("rmi") ? Intrinsic::floor
                          : S.has("rpi") ? Intrinsic::ceil
                                         : Intrinsic::trunc;
    V = B.CreateUnaryIntrinsic(Round, V);
    V = ToName.starts_with("s") ? B.CreateFPToSI(V, To) : B.CreateFPToUI(V, To);
  } else {
    V = FromName.starts_with("s") ? B.CreateSExtOrTrunc(V, To)
                                  : B.CreateZExtOrTrunc(V, To);
  }
  return assign(S.Operands[0], V);
}

/// The address in brackets, in the space that the mnemonic names.
Value *AsmLowering::pointer(StringRef Text, const PTXStatement &S) {
  Text = Text.trim();
  if (!Text.consume_front("[") || !Text.consume_back("]"))
    return nullptr;
  auto [Base, Offset] = Text.split('+');
  int64_t Bytes = 0;
  if (!Offset.trim().empty() && Offset.trim().getAsInteger(0, Bytes))
    return nullptr;
  unsigned Space = S.has("global")   ? NVPTXAS::ADDRESS_SPACE_GLOBAL
                   : S.has("shared") ? NVPTXAS::ADDRESS_SPACE_SHARED
                   : S.has("const")  ? NVPTXAS::ADDRESS_SPACE_CONST
                   : S.has("local")  ? NVPTXAS::ADDRESS_SPACE_LOCAL
                                     : NVPTXAS::ADDRESS_SPACE_GENERIC;
  auto Known = Values.find(Base.trim());
  if (Known == Values.end())
    return nullptr;
  Value *V = Known->second;
  Type *T = B.getPtrTy(Space);
  // Shared addresses often come as numbers made of a generic pointer.
  if (V->getType()->isPointerTy())
    V = B.CreateAddrSpaceCast(V, T);
  else
    V = B.CreateIntToPtr(B.CreateZExt(V, B.getInt64Ty()), T);
  return Bytes ? B.CreatePtrAdd(V, B.getInt64(Bytes)) : V;
}

bool AsmLowering::lowerMemory(const PTXStatement &S, Type *T) {
  bool Volatile = S.has("volatile");
  auto Parts = [](StringRef List) {
    SmallVector<StringRef, 4> Names;
    List = List.trim();
    if (List.consume_front("{"))
      List.consume_back("}");
    List.split(Names, ',');
    return Names;
  };
  if (S.Name == "cp" && S.has("async")) {
    if (S.has("commit_group") || S.has("wait_group") || S.has("wait_all"))
      return true;
    uint64_t Bytes;
    if (S.has("bulk") || S.Operands.size() != 3 ||
        S.Operands[2].trim().getAsInteger(0, Bytes))
      return false;
    PTXStatement To = S, From = S;
    To.Modifiers = {"shared"};
    From.Modifiers = {"global"};
    Value *Target = pointer(S.Operands[0], To),
          *Source = pointer(S.Operands[1], From);
    if (!Target || !Source)
      return false;
    Type *Word = FixedVectorType::get(B.getInt32Ty(), Bytes / 4);
    B.CreateAlignedStore(B.CreateAlignedLoad(Word, Source, Align(Bytes)),
                         Target, Align(Bytes));
    return true;
  }
  if (!T)
    return false;
  Align A(std::max<uint64_t>(1, T->getPrimitiveSizeInBits() / 8));
  if (S.Name == "ld" || S.Name == "ldu") {
    Value *P = S.Operands.size() == 2 ? pointer(S.Operands[1], S) : nullptr;
    if (!P)
      return false;
    auto Names = Parts(S.Operands[0]);
    if (Names.size() == 1) {
      LoadInst *Load = B.CreateAlignedLoad(T, P, A, Volatile);
      Value *V = Load;
      if (S.Suffix == "s8" || S.Suffix == "s16")
        V = B.CreateSExt(V, B.getInt32Ty());
      return assign(Names[0], V);
    }
    Value *V = B.CreateAlignedLoad(FixedVectorType::get(T, Names.size()), P,
                                   Align(A.value() * Names.size()), Volatile);
    for (unsigned I = 0; I < Names.size(); ++I)
      if (!assign(Names[I], B.CreateExtractElement(V, I)))
        return false;
    return true;
  }
  if (S.Name == "st") {
    Value *P = S.Operands.size() == 2 ? pointer(S.Operands[0], S) : nullptr;
    if (!P)
      return false;
    auto Names = Parts(S.Operands[1]);
    Type *Whole =
        Names.size() == 1
            ? T
            : static_cast<Type *>(FixedVectorType::get(T, Names.size()));
    Value *V = PoisonValue::get(Whole);
    for (unsigned I = 0; I < Names.size(); ++I) {
      Value *Part = operand(Names[I], T);
      if (!Part)
        return false;
      V = Names.size() == 1 ? Part : B.CreateInsertElement(V, Part, I);
    }
    B.CreateAlignedStore(V, P, Align(A.value() * Names.size()), Volatile);
    return true;
  }
  if (S.Name != "atom" && S.Name != "red")
    return false;
  unsigned First = S.Name == "atom";
  if (S.Operands.size() < First + 2)
    return false;
  Value *P = pointer(S.Operands[First], S);
  Value *V = P ? operand(S.Operands[First + 1], T) : nullptr;
  if (!V)
    return false;
  Value *Old = nullptr;
  if (S.has("cas")) {
    Value *New = S.Operands.size() == First + 3
                     ? operand(S.Operands[First + 2], T)
                     : nullptr;
    if (!New)
      return false;
    Old = B.CreateExtractValue(B.CreateAtomicCmpXchg(P, V, New, A,
                                                     AtomicOrdering::Monotonic,
                                                     AtomicOrdering::Monotonic),
                               0);
  } else {
    bool Signed = S.Suffix.starts_with("s");
    auto Op = AtomicRMWInst::BAD_BINOP;
    if (S.has("add"))
      Op = T->isFloatingPointTy() ? AtomicRMWInst::FAdd : AtomicRMWInst::Add;
    else if (S.has("min"))
      Op = Signed ? AtomicRMWInst::Min : AtomicRMWInst::UMin;
    else if (S.has("max"))
      Op = Signed ? AtomicRMWInst::Max : AtomicRMWInst::UMax;
    else if (S.has("and"))
      Op = AtomicRMWInst::And;
    else if (S.has("or"))
      Op = AtomicRMWInst::Or;
    else if (S.has("xor"))
      Op = AtomicRMWInst::Xor;
    else if (S.has("exch"))
      Op = AtomicRMWInst::Xchg;
    else if (S.has("inc"))
      Op = AtomicRMWInst::UIncWrap;
    else if (S.has("dec"))
      Op = AtomicRMWInst::UDecWrap;
    else
      return false;
    Old = B.CreateAtomicRMW(Op, P, V, A, AtomicOrdering::Monotonic);
  }
  return !First || assign(S.Operands[0], Old);
}

bool AsmLowering::lowerWarp(const PTXStatement &S, Type *T) {
  Type *I32 = B.getInt32Ty();
  StringRef N = S.Name;
  if (N == "bar" || N == "barrier") {
    if (S.has("warp"))
      return call(Intrinsic::nvvm_bar_warp_sync, {B.getInt32(-1)});
    // The barrier of all threads only.
    if (!S.has("sync") || S.Operands.size() != 1 || S.Operands[0].trim() != "0")
      return false;
    return call(Intrinsic::nvvm_barrier_cta_sync_aligned_all, {B.getInt32(0)});
  }
  if (N == "membar" || N == "fence") {
    bool Block = S.has("cta") || S.Suffix == "cta";
    return call(Block ? Intrinsic::nvvm_membar_cta : Intrinsic::nvvm_membar_gl,
                {});
  }
  if (N == "nanosleep" || N == "prefetch" || N == "prefetchu" ||
      N == "discard" || N == "applypriority")
    return true;
  if (N == "trap")
    return call(Intrinsic::trap, {});
  if (N == "activemask")
    return assign(S.Operands[0], call(Intrinsic::nvvm_activemask, {}));
  if (N == "shfl" && S.has("sync") && S.Operands.size() == 5) {
    Value *V = operand(S.Operands[1], I32), *Lane = operand(S.Operands[2], I32),
          *Clamp = operand(S.Operands[3], I32),
          *Mask = operand(S.Operands[4], I32);
    if (!V || !Lane || !Clamp || !Mask ||
        StringRef(S.Operands[0]).contains('|'))
      return false;
    Intrinsic::ID ID = S.has("idx")    ? Intrinsic::nvvm_shfl_sync_idx_i32
                       : S.has("up")   ? Intrinsic::nvvm_shfl_sync_up_i32
                       : S.has("down") ? Intrinsic::nvvm_shfl_sync_down_i32
                                       : Intrinsic::nvvm_shfl_sync_bfly_i32;
    return assign(S.Operands[0], call(ID, {Mask, V, Lane, Clamp}));
  }
  if (N == "vote" && S.has("sync") && S.Operands.size() == 3) {
    Value *P = operand(S.Operands[1], B.getInt1Ty()),
          *Mask = operand(S.Operands[2], I32);
    if (!P || !Mask)
      return false;
    Intrinsic::ID ID = S.has("ballot") ? Intrinsic::nvvm_vote_ballot_sync
                       : S.has("all")  ? Intrinsic::nvvm_vote_all_sync
                       : S.has("any")  ? Intrinsic::nvvm_vote_any_sync
                                       : Intrinsic::nvvm_vote_uni_sync;
    return assign(S.Operands[0], call(ID, {Mask, P}));
  }
  if (N == "setp" && S.Operands.size() == 3 && T) {
    Value *X = operand(S.Operands[1], T), *Y = operand(S.Operands[2], T);
    if (!X || !Y || S.Modifiers.empty())
      return false;
    bool Float = T->isFloatingPointTy(), Signed = S.Suffix.starts_with("s");
    auto P = StringSwitch<CmpInst::Predicate>(S.Modifiers.front())
                 .Case("eq", Float ? CmpInst::FCMP_OEQ : CmpInst::ICMP_EQ)
                 .Case("ne", Float ? CmpInst::FCMP_ONE : CmpInst::ICMP_NE)
                 .Case("lt", Float    ? CmpInst::FCMP_OLT
                             : Signed ? CmpInst::ICMP_SLT
                                      : CmpInst::ICMP_ULT)
                 .Case("le", Float    ? CmpInst::FCMP_OLE
                             : Signed ? CmpInst::ICMP_SLE
                                      : CmpInst::ICMP_ULE)
                 .Case("gt", Float    ? CmpInst::FCMP_OGT
                             : Signed ? CmpInst::ICMP_SGT
                                      : CmpInst::ICMP_UGT)
                 .Case("ge", Float    ? CmpInst::FCMP_OGE
                             : Signed ? CmpInst::ICMP_SGE
                                      : CmpInst::ICMP_UGE)
                 .Default(CmpInst::BAD_ICMP_PREDICATE);
    if (P == CmpInst::BAD_ICMP_PREDICATE)
      return false;
    return assign(S.Operands[0], B.CreateCmp(P, X, Y));
  }
  return false;
}

bool AsmLowering::lower(const PTXStatement &S) {
  if (S.Name == ".reg") {
    Type *T = typeOf(S.Suffix);
    for (StringRef Register : S.Operands)
      Types[Register.trim()] = T;
    return T != nullptr;
  }
  Type *T = typeOf(S.Suffix);
  // A guarded computation keeps the old value where the guard is false.
  if (!S.Guard.empty()) {
    Value *Guard = operand(S.Guard, B.getInt1Ty());
    if (!Guard || S.Operands.empty())
      return false;
    Value *Old = Values.lookup(S.Operands[0]);
    if (!Old || !lowerArithmetic(S, T))
      return false;
    Value *New = Values[S.Operands[0]];
    Old = toType(Old, New->getType());
    if (!Old)
      return false;
    return assign(S.Operands[0], S.GuardNegated
                                     ? B.CreateSelect(Guard, Old, New)
                                     : B.CreateSelect(Guard, New, Old));
  }
  if (S.Name == "cvta" && S.Operands.size() == 2) {
    Value *V = operand(S.Operands[1], B.getInt64Ty());
    return assign(S.Operands[0], V);
  }
  if (S.Name == "cvt")
    return lowerConversion(S);
  static constexpr StringLiteral Memory[] = {"ld",   "ldu", "st",
                                             "atom", "red", "cp"};
  if (is_contained(Memory, S.Name))
    return lowerMemory(S, T);
  return lowerWarp(S, T) || lowerArithmetic(S, T);
}

bool AsmLowering::run() {
  BasicBlock::iterator Before = Call.getIterator();
  bool AtStart = Before == Call.getParent()->begin();
  if (!AtStart)
    --Before;
  std::optional<std::vector<PTXStatement>> Statements =
      parsePTX(Asm.getAsmString());
  bool Done =
      Statements && bindOperands() &&
      all_of(*Statements, [&](const PTXStatement &S) { return lower(S); });
  Value *Result = nullptr;
  if (Done && !Call.getType()->isVoidTy()) {
    if (!Call.getType()->isStructTy()) {
      Result = Values.lookup(Outputs[0]);
    } else {
      Result = PoisonValue::get(Call.getType());
      for (unsigned I = 0; I < Outputs.size() && Result; ++I) {
        Value *V = Values.lookup(Outputs[I]);
        Result = V ? B.CreateInsertValue(Result, V, I) : nullptr;
      }
    }
    Done = Result != nullptr;
    if (Done && Result->getType() != Call.getType())
      Done = (Result = toType(Result, Call.getType())) != nullptr;
  }
  if (Done) {
    if (Result)
      Call.replaceAllUsesWith(Result);
    Call.eraseFromParent();
    return true;
  }
  // Take back what was built.
  BasicBlock::iterator First =
      AtStart ? Call.getParent()->begin() : std::next(Before);
  while (std::prev(Call.getIterator()) != std::prev(First) &&
         Call.getIterator() != First) {
    Instruction &Last = *std::prev(Call.getIterator());
    bool IsFirst = &Last == &*First;
    Last.replaceAllUsesWith(PoisonValue::get(Last.getType()));
    if (IsFirst) {
      Last.eraseFromParent();
      break;
    }
    Last.eraseFromParent();
  }
  return false;
}

void lowerInlineAsm(Function &F) {
  SmallVector<CallInst *, 8> Calls;
  for (Instruction &I : instructions(F))
    if (auto *Call = dyn_cast<CallInst>(&I); Call && Call->isInlineAsm())
      Calls.push_back(Call);
  for (CallInst *Call : Calls)
    AsmLowering(*Call).run();
}

} // namespace heddle
