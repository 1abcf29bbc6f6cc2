//===- SelectArithmetic.cpp - Sums, logic and comparisons ----------------===//

#include "Selector.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace heddle::machine {

/// The terms of a sum: what is added as it is, and products and shifts that
/// are part of an addition.
void Selector::collect(const ptx::Inst &I, SmallVectorImpl<Operand> &Terms,
                       SmallVectorImpl<const ptx::Inst *> &Scaled) {
  const SmallVector<Operand, 4> All = Ops.of(I);
  for (Operand O : ArrayRef<Operand>(All).drop_front()) {
    if (O.Where != Place::Register) {
      if (O.Text != "0")
        Terms.push_back(O);
      continue;
    }
    O.Register = Ops.resolve(O.Register);
    // What is an offset of an access elsewhere is one here.
    if (auto [Base, Offset] = Ops.addressOf(O.Register);
        Offset && Ops.isNarrow(O.Register))
      O.Register = Base;
    if (!Ops.isFolded(O.Register)) {
      Terms.push_back(O);
      continue;
    }
    const ptx::Inst &From = *Ops.definitionOf(O.Register);
    if (isSum(From.Opcode))
      collect(From, Terms, Scaled);
    else
      Scaled.push_back(&From);
  }
}

void Selector::sum64(const ptx::Inst &I, ArrayRef<Operand> Terms) {
  const Value D = I.Defs[0];
  SmallVector<Operand, 4> Plain;
  SmallVector<const ptx::Inst *, 2> Scaled;
  collect(I, Plain, Scaled);
  Value Sum = 0; // of what has been added
  bool Any = false;
  auto Next = [&](bool Last) { return Last ? D : temporary(2); };
  // Each product or shift takes one of the others in.
  for (auto [N, P] : enumerate(Scaled)) {
    const ptx::Inst *Product = Ops.productIn(*P);
    if (Product && !Ops.isFolded(Product->Defs[0]))
      Product = nullptr;
    const bool Wide = Product || StringRef(P->Opcode).starts_with("mul.wide");
    const bool Extends = StringRef(P->Opcode).starts_with("cvt.");
    Operand Addend;
    if (!Any && !Plain.empty())
      Addend = Plain.pop_back_val();
    const Value Out = Next(N + 1 == Scaled.size() && Plain.empty());
    SmallVector<Value, 4> Uses;
    const SmallVector<Operand, 4> Factors = Ops.of(Product ? *Product : *P);
    bool Free = Addend.Where != Place::Bank;
    if (computesUniform() && Addend.Where == Place::Bank) {
      Uses.push_back(uniformConstant(Addend.Text));
    } else if (Arch.loadsConstants() && Addend.Where == Place::Bank) {
      Uses.push_back(constant(Addend.Text, 2, true));
      Free = true;
    } else if (Addend.Register && Addend.Where == Place::Register) {
      Uses.push_back(Addend.Register);
    }
    if (Any)
      Uses.push_back(Sum);
    read(Uses, Factors[1], Free);
    if (Wide) {
      read(Uses, Factors[2], Free);
      emit("IMAD.WIDE", {Out}, Uses);
    } else {
      emit(Extends ? "IADD3" : "LEA", {Out}, Uses);
      Uses.push_back(Out);
      emit(Extends ? "LEA.HI.X.SX32" : "LEA.HI.X", {Out}, Uses).Partial = true;
    }
    Sum = Out;
    Any = true;
  }
  while (!Plain.empty()) {
    SmallVector<Value, 4> Uses;
    bool Free = true;
    if (!Any)
      read(Uses, Plain.pop_back_val(), Free);
    else
      Uses.push_back(Sum);
    if (!Plain.empty())
      read(Uses, Plain.pop_back_val(), Free);
    const Value Out = Next(Plain.empty());
    emit("IADD3", {Out}, Uses);
    Uses.push_back(Out);
    emit("IADD3.X", {Out}, Uses).Partial = true;
    Sum = Out;
    Any = true;
  }
}

void Selector::sum(const ptx::Inst &I) {
  const Value D = I.Defs[0];
  if (Ops.width(D) == 2)
    return sum64(I, {});
  SmallVector<Operand, 4> Plain;
  SmallVector<const ptx::Inst *, 2> Scaled;
  collect(I, Plain, Scaled);
  SmallVector<Value, 4> Sums;
  // Addresses of variables in shared memory are offsets of the accesses.
  erase_if(Plain, [&](const Operand &O) {
    return Ops.isNarrow(D) && O.Where == Place::Immediate;
  });
  for (auto [N, P] : enumerate(Scaled)) {
    SmallVector<Value, 4> Uses;
    bool Free = true;
    if (!Sums.empty())
      Uses.push_back(Sums.pop_back_val());
    else if (!Plain.empty())
      read(Uses, Plain.pop_back_val(), Free);
    for (const Operand &O : ArrayRef<Operand>(Ops.of(*P)).drop_front())
      if (!StringRef(P->Opcode).starts_with("sh") || O.Register)
        read(Uses, O, Free);
    const bool Last = N + 1 == Scaled.size() && Plain.empty();
    const Value Out = Last ? D : temporary(1);
    const bool Shift = StringRef(P->Opcode).starts_with("shl") ||
                       StringRef(P->Opcode).starts_with("mul.wide");
    emit(P->Opcode == "shr.u32"   ? "LEA.HI"
         : P->Opcode == "shr.s32" ? "LEA.HI.SX32"
         : Shift                  ? "LEA"
                                  : "IMAD",
         {Out}, Uses);
    if (Last)
      return;
    Sums.push_back(Out);
  }
  do {
    SmallVector<Value, 4> Uses(Sums);
    bool Free = true;
    while (Uses.size() < 3 && !Plain.empty())
      read(Uses, Plain.pop_back_val(), Free);
    const Value Out = Plain.empty() ? D : temporary(1);
    emit("IADD3", {Out}, Uses);
    Sums.assign({Out});
  } while (!Plain.empty());
}

/// A sum or difference with a product of floats in it is one instruction.
bool Selector::contract(const ptx::Inst &I) {
  const SmallVector<Operand, 4> All = Ops.of(I);
  const auto IsProduct = [&](const Operand &O) {
    return O.Register && Ops.isFolded(O.Register) &&
           isContractable(Ops.definitionOf(O.Register)->Opcode);
  };
  const auto *Product = find_if(All, IsProduct);
  if (Product == All.end())
    return false;
  SmallVector<Value, 4> Uses;
  bool Free = true;
  for (const Operand &O : ArrayRef<Operand>(All).drop_front())
    if (!IsProduct(O))
      read(Uses, O, Free);
  const SmallVector<Operand, 4> Factors =
      Ops.of(*Ops.definitionOf(Product->Register));
  for (const Operand &O : ArrayRef<Operand>(Factors).drop_front())
    read(Uses, O, Free);
  emit(StringRef(I.Opcode).ends_with("f64") ? "DFMA" : "FFMA", I.Defs, Uses);
  return true;
}

/// An index times the size of what it counts: an address of shared memory.
void Selector::scale(const ptx::Inst &I) {
  const std::optional<int64_t> Factor = integer(Ops.of(I).back().Text);
  const bool Shift = StringRef(I.Opcode).starts_with("shl") ||
                     (Factor && *Factor > 0 && isPowerOf2_64(*Factor));
  emit(Shift ? "SHF.L.U32" : "IMAD", I.Defs, readAll(I));
}

/// A field of bits at a constant place that one instruction takes out: at the
/// start of the word, or whole bytes without a sign (ptxas 11.8, sm_70 to
/// sm_90; ten places and lengths each).
bool Selector::extract(const ptx::Inst &I) {
  const bool IsSigned = I.Opcode == "bfe.s32";
  if (!IsSigned && I.Opcode != "bfe.u32")
    return false;
  const SmallVector<Operand, 4> All = Ops.of(I);
  const auto First = integer(All[2].Text), Length = integer(All[3].Text);
  if (!First || !Length)
    return false;
  const bool Bytes = *First % 8 == 0 && *Length % 8 == 0;
  if (IsSigned ? *First != 0 : !Bytes)
    return false;
  emit(IsSigned ? "SGXT" : "PRMT", I.Defs, readAll(I));
  return true;
}

void Selector::logic(const ptx::Inst &I) {
  if (Ops.width(I.Defs[0]) == 2 && isLogic(I.Opcode))
    return logic64(I);
  SmallVector<Value, 4> Uses;
  bool Free = true;
  const bool IsLowWord =
      StringRef(I.Opcode).ends_with(".b64") && isLogic(I.Opcode);
  for (const Operand &O :
       IsLowWord ? Ops.wordLogic(I, 0).Inputs : Ops.logicInputs(I))
    read(Uses, O, Free);
  emit("LOP3.LUT", I.Defs, Uses); // lop3.or writes a predicate too
}

/// Words that are copied come with the register.
void Selector::logic64(const ptx::Inst &I) {
  const Value D = I.Defs[0];
  bool Written = false;
  SmallVector<Value, 4> Copied;
  for (unsigned Word : {0, 1}) {
    const WordLogic L = Ops.wordLogic(I, Word);
    SmallVector<Value, 4> Uses;
    bool Free = true;
    for (const Operand &O : L.Inputs)
      read(Uses, O, Free);
    if (L.Copies) {
      append_range(Copied, Uses);
      continue;
    }
    if (Written)
      Uses.push_back(D);
    emit("LOP3.LUT", {D}, Uses).Partial = Written;
    Written = true;
  }
  if (Written)
    append_range(B->Insts.back().Uses, Copied);
  else
    emit("MOV", {D}, Copied);
}

/// A shift by a constant of which one word is known to be zero or not wanted.
bool Selector::shift64(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const bool Left = Opcode == "shl.b64", IsSigned = Opcode == "shr.s64";
  if (!Left && !IsSigned && Opcode != "shr.u64" && Opcode != "shr.b64")
    return false;
  const SmallVector<Operand, 4> All = Ops.of(I);
  const auto Distance = integer(All[2].Text);
  if (!Distance || *Distance < 0)
    return false;
  const bool IsLowWord = Ops.width(I.Defs[0]) == 1;
  if (!IsLowWord &&
      (IsSigned || (*Distance < 32 && !Ops.isZeroWord(All[1], Left ? 0 : 1))))
    return false;
  if (*Distance == 32)
    emit("MOV", I.Defs, readAll(I)).IsCopy = true;
  else if (IsLowWord && *Distance < 32 && !Ops.isZeroWord(All[1], 1))
    emit(IsSigned ? "SHF.R.S64" : "SHF.R.U64", I.Defs, readAll(I));
  else
    emit(Left       ? "SHF.L.U32"
         : IsSigned ? "SHF.R.S32.HI"
                    : "SHF.R.U32.HI",
         I.Defs, readAll(I));
  return true;
}

/// Bits of one value over those of another at a constant place.
bool Selector::insert64(const ptx::Inst &I) {
  if (I.Opcode != "bfi.b64")
    return false;
  const SmallVector<Operand, 4> All = Ops.of(I);
  const auto First = integer(All[3].Text), Length = integer(All[4].Text);
  if (!First || !Length)
    return false;
  SmallVector<Value, 4> Uses = readAll(I);
  if (*First == 32 && *Length == 32) {
    emit("MOV", I.Defs, Uses);
    return true;
  }
  SequenceState S;
  S.WritesLast = true;
  emitSteps(
      I, {"LOP3.LUT", "SHF.L.U64.HI", "+SHF.L.U32", "=LOP3.LUT", "=+LOP3.LUT"},
      Uses, S);
  return true;
}

/// The sequence of a 64-bit product of which only the low word is wanted, or
/// whose factors' high words are known to be zero; \p Whole otherwise.
StringRef Selector::productOf(const ptx::Inst &I, StringRef Whole) const {
  const StringRef Opcode = I.Opcode;
  if (!Opcode.ends_with("64") ||
      (!Opcode.starts_with("mul.lo.") && !Opcode.starts_with("mad.lo.")))
    return Whole;
  if (Ops.width(I.Defs[0]) == 1)
    return "IMAD";
  if (Opcode.starts_with("mad"))
    return Whole;
  const SmallVector<Operand, 4> All = Ops.of(I);
  const unsigned Zeros = Ops.isZeroWord(All[1], 1) + Ops.isZeroWord(All[2], 1);
  return Zeros == 2   ? "IMAD.WIDE.U32"
         : Zeros == 1 ? "IMAD =+IMAD.WIDE.U32 =IADD3"
                      : Whole;
}

/// A comparison, and with \p Also more predicates in the same instruction.
void Selector::compare(const ptx::Inst &I, ArrayRef<Value> Also,
                       ArrayRef<Value> Defs) {
  const StringRef Opcode = I.Opcode;
  if (const Value R = Ops.testedLogic(I); R && Ops.isFolded(R)) {
    logic(*Ops.definitionOf(R));
    B->Insts.back().Defs.assign(Defs.begin(), Defs.end());
    return;
  }
  SmallVector<Value, 4> Uses = readAll(I);
  append_range(Uses, Also);
  if (Opcode.contains(".f32"))
    emit("FSETP.GT.AND", Defs, Uses);
  else if (Opcode.contains(".f64"))
    emit("DSETP.GT.AND", Defs, Uses);
  else if (Opcode.contains(".f16") || Opcode.contains(".bf16"))
    emit("HSETP2.GT.AND", Defs, Uses);
  else {
    if (Opcode.ends_with("64") &&
        none_of(I.Uses, [&](Value R) { return Ops.isNarrow(R); })) {
      const Value Low = C.addValue(0);
      emit("ISETP.GE.U32.AND", {Low}, Uses);
      Uses.push_back(Low);
    }
    emit("ISETP.GE.AND", Defs, Uses);
  }
}

void Selector::predicateLogic(const ptx::Inst &I) {
  SmallVector<Value, 2> Plain;
  const ptx::Inst *Compare = nullptr;
  for (Value R : Ops.registersOf(I)) {
    R = Ops.resolve(R);
    if (Ops.isFolded(R) &&
        StringRef(Ops.definitionOf(R)->Opcode).starts_with("setp."))
      Compare = Ops.definitionOf(R);
    else
      Plain.push_back(R);
  }
  if (Compare)
    compare(*Compare, Plain, I.Defs);
  else
    emit("PLOP3.LUT", I.Defs, Plain);
}

/// \p Operation under the predicate of \p Select, over its other value.
void Selector::update(const ptx::Inst &Operation, const ptx::Inst &Select) {
  const SmallVector<Operand, 4> All = Ops.of(Select);
  const Value New = Operation.Defs[0], Out = Select.Defs[0];
  const Value Old = All[All[1].Register == New ? 2 : 1].Register;
  emit("MOV", {Out}, {Ops.resolve(Old)}).IsCopy = true;
  const size_t First = B->Insts.size();
  selectOperation(Operation);
  for (Inst &I : MutableArrayRef(B->Insts).drop_front(First)) {
    if (!is_contained(I.Defs, New))
      continue;
    I.Defs = {Out};
    I.Guard = Ops.resolve(All[3].Register);
    I.Partial = true;
  }
}

void Selector::choose(const ptx::Inst &I) {
  if (const ptx::Inst *Operation = Ops.updateOf(I))
    return update(*Operation, I);
  SmallVector<Value, 4> Uses = readAll(I);
  const bool Float = StringRef(I.Opcode).contains(".f");
  const StringRef Name = Float ? "FSEL" : "SEL";
  emit(Name, {I.Defs[0]}, Uses);
  if (Ops.width(I.Defs[0]) == 2) {
    Uses.push_back(I.Defs[0]);
    emit(Name, {I.Defs[0]}, Uses).Partial = true;
  }
}

} // namespace heddle::machine
