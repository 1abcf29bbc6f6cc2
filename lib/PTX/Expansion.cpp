//===- Expansion.cpp - Hardware instructions per PTX instruction ----------===//

#include "Expansion.h"

#include "heddle/PTX/PTXEmitter.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <map>

using namespace llvm;

namespace heddle {

namespace {

struct OpcodeRow {
  StringLiteral Base, Modifiers, Type;
  Expansion Result;
};

constexpr OpcodeRow OpcodeRows[] = {
#define HEDDLE_EXPANSION(Base, Modifiers, Type, Issued, Temporaries)           \
  {Base, Modifiers, Type, {Issued, Temporaries}},
#include "Expansion.def"
};

struct MathRow {
  StringLiteral Name, Type;
  Expansion Result;
};

constexpr MathRow MathRows[] = {
#define HEDDLE_MATH(Name, Type, Issued, Temporaries)                           \
  {Name, Type, {Issued, Temporaries}},
#include "Expansion.def"
};

/// A function without a row costs about as much as the median of those with
/// one.
constexpr Expansion UnknownMath = {30, 8};

Expansion mathExpansion(StringRef Name) {
  auto [Function, Type] = Name.rsplit('.');
  // Half precision is computed in single and rounded.
  bool Narrow = Type == "f16" || Type == "bf16";
  for (const MathRow &Row : MathRows)
    if (Row.Name == Function && Row.Type == (Narrow ? "f32" : Type))
      return {Row.Result.Issued + (Narrow ? 2 : 0), Row.Result.Temporaries};
  return UnknownMath;
}

bool matches(const OpcodeRow &Row, ArrayRef<StringRef> Words) {
  if (Words.front() != Row.Base)
    return false;
  if (!Row.Type.empty() && Words.back() != Row.Type)
    return false;
  SmallVector<StringRef, 2> Modifiers;
  StringRef(Row.Modifiers).split(Modifiers, '.', -1, false);
  return all_of(Modifiers, [&](StringRef M) { return is_contained(Words, M); });
}

} // namespace

Expansion expansionOf(StringRef Opcode) {
  if (Opcode.consume_front(MathOpcodePrefix))
    return mathExpansion(Opcode);
  // Conversions that only give a register another name.
  for (StringRef Free :
       {"cvt.u32.u64", "cvt.u16.u32", "cvt.u32.u16", "cvt.u16.u64"})
    if (Opcode == Free)
      return {0, 0};
  SmallVector<StringRef, 8> Words;
  Opcode.split(Words, '.');
  for (const OpcodeRow &Row : OpcodeRows)
    if (matches(Row, Words))
      return Row.Result;
  return {};
}

/// Whether an addition can take \p Opcode's product or shift as its operand.
static bool foldsIntoAdd(StringRef Producer, StringRef Add) {
  if (Add == "add.s64" || Add == "add.u64")
    return Producer.starts_with("mul.wide.") || Producer == "shl.b64";
  if (Add == "add.s32" || Add == "add.u32")
    return Producer == "shl.b32";
  return false;
}

namespace {

/// Where a register of the block was written, and by whom it is read.
struct Value {
  unsigned Producer;
  SmallVector<unsigned, 4> Adders; ///< instructions that can take it in
};

} // namespace

std::vector<std::vector<unsigned>>
issuedInstructions(const ptx::Kernel &Kernel) {
  DenseMap<unsigned, unsigned> NumUses;
  for (const ptx::Block &B : Kernel.Blocks)
    for (const ptx::Inst &I : B.Insts)
      for (unsigned R : I.Uses)
        ++NumUses[R];
  std::vector<std::vector<unsigned>> Result;
  for (const ptx::Block &B : Kernel.Blocks) {
    std::vector<unsigned> &Issued = Result.emplace_back();
    std::map<unsigned, Value> Values;
    for (auto [Number, I] : enumerate(B.Insts)) {
      Issued.push_back(expansionOf(I.Opcode).Issued);
      for (unsigned R : I.Uses) {
        auto It = Values.find(R);
        if (It != Values.end() &&
            foldsIntoAdd(B.Insts[It->second.Producer].Opcode, I.Opcode) &&
            (It->second.Adders.empty() || It->second.Adders.back() != Number))
          It->second.Adders.push_back(Number);
      }
      for (unsigned R : I.Defs)
        Values[R] = {unsigned(Number), {}};
    }
    // A product or shift vanishes if every reader takes it in.
    for (auto &[Register, V] : Values) {
      if (V.Adders.empty() || V.Adders.size() != NumUses[Register] ||
          Issued[V.Producer] == 0)
        continue;
      StringRef Producer = B.Insts[V.Producer].Opcode;
      Issued[V.Producer] = 0;
      // IMAD.WIDE adds all 64 bits at once, LEA in two halves like IADD3.
      if (Producer.starts_with("mul.wide."))
        for (unsigned Adder : V.Adders)
          Issued[Adder] = 1;
    }
  }
  return Result;
}

} // namespace heddle
