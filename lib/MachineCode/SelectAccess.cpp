//===- SelectAccess.cpp - Loads, stores and atomics ----------------------===//

#include "Selector.h"

#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle::machine {

static bool isMatrixAccess(StringRef Opcode) {
  return Opcode.starts_with("ldmatrix") || Opcode.starts_with("stmatrix");
}

std::string accessName(StringRef Base, const ptx::Inst &I, unsigned Bytes) {
  const StringRef Opcode = I.Opcode;
  if (isMatrixAccess(Opcode))
    return ((Opcode.starts_with("ld") ? "LDSM.16.M" : "STSM.16.M") +
            Twine(Opcode.contains(".trans") ? "T" : "") + "88." +
            Twine(Bytes / 4))
        .str();
  std::string Name = Base.str();
  if (Base != "LDS" && Base != "STS" && Base != "LDL" && Base != "STL" &&
      Base != "LDC" && !Base.starts_with("ATOMS"))
    Name += ".E";
  if (Bytes >= 8)
    Name += Bytes == 8 ? ".64" : ".128";
  else if (Bytes == 1)
    Name += Opcode.ends_with("s8") ? ".S8" : ".U8";
  else if (Bytes == 2)
    Name += Opcode.ends_with("s16") ? ".S16" : ".U16";
  if (Opcode.contains(".nc") ||
      (Opcode.starts_with("ld.const") && StringRef(Name).starts_with("LDG")))
    Name += ".CONSTANT";
  return Name;
}

bool isCopy(const ptx::Inst &I) {
  return StringRef(I.Opcode).starts_with("cp.async.c") &&
         StringRef(I.Opcode).contains(".shared");
}

/// One LDGSTS: [shared], [global], bytes.
void Selector::copy(const ptx::Inst &I) {
  unsigned Bytes = 16;
  StringRef(I.Text).rsplit(']').second.ltrim(", ").consumeInteger(10, Bytes);
  std::string Name = "LDGSTS.E";
  if (StringRef(I.Opcode).contains(".cg"))
    Name += ".BYPASS";
  if (Bytes >= 8)
    Name += Bytes == 8 ? ".64" : ".128";
  Inst &Out = emit(Name, {}, readAll(I));
  Out.IsAccess = true;
  Out.Bytes = Bytes;
}

/// Registers whose value comes from the address of a variable.
static BitVector readAddresses(const ptx::Kernel &PTX, const Operands &Ops) {
  BitVector Leads(PTX.Registers.size());
  auto isAddress = [&](const ptx::Inst &I) {
    if (!StringRef(I.Opcode).starts_with("mov.") || !I.Uses.empty() ||
        !I.Symbol.empty() || I.Defs.empty())
      return false;
    const StringRef Source = Ops.of(I).back().Text;
    return !integer(Source) && !Source.starts_with("%"); // %tid.x
  };
  // Loops hand values back to what stands before them.
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const ptx::Block &B : PTX.Blocks)
      for (const ptx::Inst &I : B.Insts)
        if (any_of(I.Uses, [&](Value U) { return Leads[U]; }) || isAddress(I))
          for (Value D : I.Defs) {
            Changed |= !Leads[D];
            Leads.set(D);
          }
  }
  return Leads;
}

/// Whether the address that \p Access reads comes from that of a variable.
bool Selector::accessesVariable(const ptx::Inst &Access) {
  if (!Access.Symbol.empty())
    return true;
  if (FromVariables.empty())
    FromVariables = readAddresses(PTX, Ops);
  return FromVariables[Access.firstUse()];
}

/// Whether \p I changes memory and nothing reads what was there.
bool Selector::reduces(const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode;
  return Opcode.starts_with("red.") ||
         (Opcode.starts_with("atom.") && !Opcode.contains(".cas.") &&
          !Opcode.contains(".exch.") &&
          all_of(I.Defs, [&](Value D) { return Ops.isUnused(D); }));
}

static bool accessesImage(StringRef Base) {
  return Base == "tex" || Base == "tld4" || Base == "suld" || Base == "sust";
}

/// One TEX, TLD (whole coordinates), TLD4, SULD or SUST, which finds the image
/// by its handle in registers. False for others.
bool Selector::texture(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode, Base = Opcode.split('.').first;
  if (!accessesImage(Base))
    return false;
  const bool Whole = Base == "tex" && Opcode.ends_with(".s32");
  // Handles and coordinates are in registers, whatever wrote them.
  SmallVector<Value, 8> Uses;
  for (Value U : ArrayRef(I.Uses).drop_front(I.Guarded)) {
    const Value R = Ops.resolve(U);
    const Value In = Ops.placeOf(R) == Place::Register
                         ? R
                         : constant(PTX.Registers[U].Name, Ops.width(U),
                                    Ops.placeOf(R) == Place::Bank);
    if (In && !is_contained(Uses, In))
      Uses.push_back(In);
  }
  // Only the components that something reads have registers.
  SmallVector<Value, 4> Read;
  copy_if(I.Defs, std::back_inserter(Read),
          [&](Value D) { return Ops.isUsed(D); });
  Inst &Out = emit(Whole ? "TLD.LZ" : Base.upper(), Read, Uses);
  Out.IsAccess = true;
  Out.Bytes = describeOpcode(Opcode)->AccessBytes;
  return true;
}

bool isFragmentAccess(StringRef Opcode) {
  return Opcode.starts_with("wmma.load.") || Opcode.starts_with("wmma.store.");
}

/// One access for all of them: its address, which has a register whatever it
/// is, then what it stores. Its base is its own, as the lanes' addresses are
/// not those of the others.
void Selector::fragment(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const bool Loads = Opcode.starts_with("wmma.load.");
  const StringRef Space = Opcode.contains(".shared")   ? "S"
                          : Opcode.contains(".global") ? "G"
                                                       : "";
  const Value Address = Ops.addressOf(I).first;
  SmallVector<Value, 10> Uses;
  if (Address && Ops.placeOf(Address) == Place::Register)
    Uses.push_back(Ops.resolve(Address));
  else
    Uses.push_back(
        constant(I.Symbol.empty() ? PTX.Registers[I.firstUse()].Name : I.Symbol,
                 Space == "S" ? 1 : 2, Space != "S"));
  for (const Operand &O : Ops.of(I))
    for (Value U : ArrayRef(I.Uses).drop_front(I.Guarded))
      if (!Loads && O.Text.starts_with("{") &&
          is_contained(split(O.Text.trim("{} "), ", "),
                       StringRef(PTX.Registers[U].Name)))
        Uses.push_back(Ops.resolve(U));
  Inst &Out = emit(((Loads ? "LD" : "ST") + Space).str(), I.Defs, Uses);
  Out.IsAccess = true;
  Out.Base = C.addValue(1);
}

/// What an access of shared memory reads for its address \p Root: the lower
/// word of a pair that a loop moves is copied (ptxas 11.8, sm_70 and sm_80).
Value Selector::sharedAddress(Value Root) {
  if (Ops.width(Root) != 2 || !Ops.isWrittenAgain(Root))
    return Root;
  if (const Value Before = writtenBefore("MOV", Root))
    return Before;
  const Value Word = temporary(1);
  emit("MOV", {Word}, {Root});
  return Word;
}

void Selector::access(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const StringRef Base = Opcode.split('.').first;
  const bool Loads = Base == "ld" || Base == "ldu" || Base == "ldmatrix";
  const bool Reduces = reduces(I);
  // A pointer to constants is one to global memory from sm_90 on.
  const bool IsBank = Opcode.contains(".const") &&
                      (!Arch.loadsConstants() || accessesVariable(I));
  // Another block's is reached by a generic address, of two registers.
  const bool IsRemote = Opcode.contains(".shared::cluster");
  const StringRef Space = IsRemote                                      ? ""
                          : Opcode.contains(".shared")                  ? "S"
                          : Opcode.contains(".local")                   ? "L"
                          : IsBank                                      ? "C"
                          : Opcode.contains(".const")                   ? "G"
                          : Opcode.contains(".global") || Base == "ldu" ? "G"
                                                                        : "";
  unsigned Bits = 32;
  Opcode.take_back(2).getAsInteger(10, Bits);
  if (Opcode.ends_with("8"))
    Bits = Opcode.ends_with("128") ? 128 : 8;
  if (isMatrixAccess(Opcode))
    Bits = 32; // what a lane gets of each matrix
  const unsigned Bytes = std::max(1u, Bits / 8) * I.NumElements;
  SmallVector<Value, 6> Uses;
  auto [Address, Offset] = Ops.addressOf(I);
  const bool InRegister = Address && Ops.placeOf(Address) == Place::Register;
  Value Root = 0;
  if (InRegister)
    Root = Ops.resolve(Address);
  else if (Space == "G" || (Space.empty() && !IsRemote))
    Root =
        constant(I.Symbol.empty() ? PTX.Registers[I.firstUse()].Name : I.Symbol,
                 2, true);
  if (Root && IsRemote) {
    const Value Generic = C.addValue(2);
    emit("MOV", {Generic}, {Root});
    emit("MOV", {Generic}, {Generic}).Partial = true;
    Root = Generic;
  }
  if (Root)
    Uses.push_back(Space == "S" ? sharedAddress(Root) : Root);
  // Data: constants go into registers first.
  const SmallVector<Operand, 4> All = Ops.of(I);
  const bool Counts = Reduces && Space == "S" && Arch.countsInShared() &&
                      Opcode.contains(".add.") && Bits == 32 &&
                      All.back().Text == "1";
  const OneLane How = Counts ? OneLane::None : oneLaneFor(I);
  for (const Operand &O : All) {
    if (O.Text.starts_with("[") || Counts ||
        (How == OneLane::Count && isOne(O)))
      continue;
    StringRef Text = O.Text;
    Text.consume_front("{");
    Text.consume_back("}");
    SmallVector<StringRef, 4> Parts;
    Text.split(Parts, ',');
    for (StringRef Part : Parts) {
      Part = Part.trim();
      Value R = 0;
      for (Value U : ArrayRef(I.Uses).drop_front(I.Guarded))
        if (PTX.Registers[U].Name == Part)
          R = U;
      if (!R && (Part.starts_with("%") || Part == "_"))
        continue; // a result
      if (R && Ops.placeOf(Ops.resolve(R)) == Place::Register)
        Uses.push_back(Ops.resolve(R));
      else
        Uses.push_back(constant(Part, Bytes / I.NumElements > 4 ? 2 : 1,
                                R && Ops.placeOf(R) == Place::Bank));
    }
  }
  const StringRef Kind = Loads                                  ? "LD"
                         : Base.starts_with("st")               ? "ST"
                         : Reduces && Space != "S" && !IsRemote ? "RED"
                                                                : "ATOM";
  std::string Name = (Kind + Space).str();
  if (Name == "REDG" && !Arch.loadsConstants())
    Name = "RED";
  if (Counts)
    Name += ".POPC.INC";
  if (Name == "REDL" || Name == "ATOML" || Name == "ATOMC")
    Name = "ATOM";
  if (How != OneLane::None) {
    const Value Data = Uses.size() > (Root ? 1 : 0) ? Uses.back() : 0;
    Inst &Out = accessByOneLane(I, How, accessName(Name, I, Bytes),
                                Root ? Uses.front() : 0, Data);
    Out.IsAccess = true;
    Out.Base = Root;
    Out.Offset = Offset;
    Out.Bytes = Bytes;
    return;
  }
  // Loads of more than 128 bits are several.
  const unsigned Most = 16;
  for (unsigned Part = 0; Part < Bytes; Part += Most) {
    const unsigned Size = std::min(Most, Bytes - Part);
    SmallVector<Value, 4> Defs;
    const size_t PerPart =
        divideCeil(I.Defs.size() * Most, std::max(Bytes, Most));
    append_range(Defs,
                 ArrayRef(I.Defs)
                     .slice(std::min(I.Defs.size(), PerPart * (Part / Most)))
                     .take_front(PerPart));
    if (Reduces)
      Defs.clear();
    Inst &Out = emit(accessName(Name, I, Size), Defs, Uses);
    Out.IsAccess = true;
    Out.Base = Root;
    Out.Offset = Offset + Part;
    Out.Bytes = Size;
    Out.Part = Part;
  }
}

} // namespace heddle::machine
