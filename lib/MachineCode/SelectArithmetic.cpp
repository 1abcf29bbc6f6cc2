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
    const bool Wide = StringRef(P->Opcode).starts_with("mul.wide");
    const bool Extends = StringRef(P->Opcode).starts_with("cvt.");
    Operand Addend;
    if (!Any && !Plain.empty())
      Addend = Plain.pop_back_val();
    const Value Out = Next(N + 1 == Scaled.size() && Plain.empty());
    SmallVector<Value, 4> Uses;
    const SmallVector<Operand, 4> Factors = Ops.of(*P);
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
      if (!StringRef(P->Opcode).starts_with("shl") || O.Register)
        read(Uses, O, Free);
    const bool Last = N + 1 == Scaled.size() && Plain.empty();
    const Value Out = Last ? D : temporary(1);
    const bool Shift = StringRef(P->Opcode).starts_with("shl") ||
                       StringRef(P->Opcode).starts_with("mul.wide");
    emit(Shift ? "LEA" : "IMAD", {Out}, Uses);
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
  SmallVector<Value, 4> Uses;
  bool Free = true;
  for (const Operand &O : Ops.logicInputs(I))
    read(Uses, O, Free);
  emit("LOP3.LUT", {I.Defs[0]}, Uses);
  if (Ops.width(I.Defs[0]) == 2) {
    Uses.push_back(I.Defs[0]);
    emit("LOP3.LUT", {I.Defs[0]}, Uses).Partial = true;
  }
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
