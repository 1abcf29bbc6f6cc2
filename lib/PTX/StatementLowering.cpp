//===- StatementLowering.cpp - PTX statements as IR ----------------------===//

#include "heddle/PTX/StatementLowering.h"

#include "heddle/ABI/WarpKernel.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Support/NVPTXAddrSpace.h"

using namespace llvm;

namespace heddle {

Type *StatementLowering::typeOf(StringRef Suffix) {
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

Value *StatementLowering::operand(StringRef Text, Type *T) {
  Text = Text.trim();
  bool Negated = T->isIntegerTy(1) && Text.consume_front("!");
  if (Value *Known = valueOf(Text)) {
    Known = toType(Known, T);
    return Known && Negated ? B.CreateNot(Known) : Known;
  }
  if (Intrinsic::ID ID = specialRegister(Text))
    return toType(call(ID, {}), T);
  if (Text == "WARP_SZ")
    return toType(B.getInt32(HEDDLE_WARP_SIZE), T);
  unsigned Width = T->getPrimitiveSizeInBits();
  if (Text.starts_with_insensitive("0f") && Width == 32) {
    uint32_t Bits;
    if (!Text.drop_front(2).getAsInteger(16, Bits))
      return B.CreateBitCast(B.getInt32(Bits), T);
  }
  if (Text.starts_with_insensitive("0d") && Width == 64) {
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
  static constexpr StringLiteral Always[] = {
      "ld",         "ldu",    "st",       "atom",     "red",
      "sust",       "cp",     "ldmatrix", "trap",     "bar",
      "barrier",    "membar", "fence",    "prefetch", "shfl",
      "activemask", "vote",   "match",    "redux",    "elect"};
  // What is divided by zero has no value in PTX and no behaviour in IR.
  bool Divides = (S.Name == "div" || S.Name == "rem") &&
                 !StringRef(S.Suffix).starts_with("f");
  bool Several = !S.Operands.empty() &&
                 S.Operands[0].find_first_of("|{") != StringRef::npos;
  return Divides || Several || usesCarry(S) || is_contained(Always, S.Name);
}

/// Only shared, constant and local memory have addresses of their own beside
/// the generic ones.
bool StatementLowering::lowerAddressConversion(const PTXStatement &S) {
  if (S.Operands.size() != 2)
    return false;
  unsigned Space = S.has("shared")  ? NVPTXAS::ADDRESS_SPACE_SHARED
                   : S.has("const") ? NVPTXAS::ADDRESS_SPACE_CONST
                   : S.has("local") ? NVPTXAS::ADDRESS_SPACE_LOCAL
                                    : NVPTXAS::ADDRESS_SPACE_GENERIC;
  Type *From = B.getPtrTy(S.has("to") ? NVPTXAS::ADDRESS_SPACE_GENERIC : Space);
  Type *To = B.getPtrTy(S.has("to") ? Space : NVPTXAS::ADDRESS_SPACE_GENERIC);
  if (Space == NVPTXAS::ADDRESS_SPACE_GENERIC)
    return assign(S.Operands[0], operand(S.Operands[1], B.getInt64Ty()));
  Value *V = operand(S.Operands[1], From);
  return V && assign(S.Operands[0], B.CreateAddrSpaceCast(V, To));
}

bool StatementLowering::lower(const PTXStatement &S) {
  if (S.Name == ".reg") {
    Type *T = typeOf(S.Suffix);
    for (StringRef Register : S.Operands)
      declare(Register.trim(), T);
    return T != nullptr;
  }
  Type *T = typeOf(S.Suffix);
  // A guarded computation keeps the old value where the guard is false.
  if (!S.Guard.empty()) {
    Value *Guard = operand(S.Guard, B.getInt1Ty());
    if (!Guard || S.Operands.empty())
      return false;
    Value *Old = valueOf(S.Operands[0]);
    PTXStatement Unguarded = S;
    Unguarded.Guard.clear();
    if (needsBranch(S) || !lower(Unguarded))
      return false;
    // A register that nothing was written to holds anything.
    if (!Old)
      return true;
    Value *New = valueOf(S.Operands[0]);
    Old = toType(Old, New->getType());
    if (!Old)
      return false;
    return assign(S.Operands[0], S.GuardNegated
                                     ? B.CreateSelect(Guard, Old, New)
                                     : B.CreateSelect(Guard, New, Old));
  }
  if (S.Name == "cvta")
    return lowerAddressConversion(S);
  if (S.Name == "mma")
    return lowerMatrixProduct(S);
  if (S.Name == "ldmatrix")
    return lowerMatrixLoad(S);
  if (S.Name == "tex" || S.Name == "tld4")
    return lowerTexture(S);
  if (S.Name == "suld" || S.Name == "sust")
    return lowerSurface(S);
  if (S.Name == "txq" || S.Name == "suq")
    return lowerTextureQuery(S);
  bool IsPacked = StringRef(S.Suffix).ends_with("16x2") || S.Suffix == "bf16";
  if (S.Name == "cvt")
    return IsPacked || (!S.Modifiers.empty() &&
                        (StringRef(S.Modifiers.back()).ends_with("16x2") ||
                         S.Modifiers.back() == "bf16"))
               ? lowerPackedConversion(S)
               : lowerConversion(S);
  if (S.Name == "set")
    return IsPacked ? lowerPackedSet(S) : lowerSet(S, T);
  if (IsPacked && S.Name != "mov" && S.Name != "setp")
    return lowerPacked(S);
  if (S.Name == "ld" || S.Name == "ldu" || S.Name == "st")
    return lowerMemory(S, T);
  if (S.Name == "atom" || S.Name == "red")
    return lowerAtomic(S, T);
  if (S.Name == "cp" && S.has("async"))
    return lowerAsyncCopy(S);
  if (S.Name == "setp")
    return lowerComparison(S, T);
  if (S.Name == "math" || S.Name == "special")
    return lowerMath(S);
  if (usesCarry(S))
    return lowerCarry(S, T);
  return lowerWarp(S, T) || lowerMove(S, T) || lowerArithmetic(S, T);
}

} // namespace heddle
