//===- SelectSequence.cpp - Operations of several instructions -----------===//

#include "Selector.h"

#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

namespace {

struct PatternRow {
  StringLiteral Base, Modifiers, Type;
  unsigned First, Last;
  StringLiteral Sequence;
};

constexpr PatternRow Patterns[] = {
#define HEDDLE_PATTERN(Base, Modifiers, Type, First, Last, Sequence, Source)   \
  {Base, Modifiers, Type, First, Last, Sequence},
#include "Patterns.def"
};

bool matches(const PatternRow &Row, ArrayRef<StringRef> Words,
             unsigned Number) {
  if (Words.front() != Row.Base || Number < Row.First || Number > Row.Last ||
      (!Row.Type.empty() && Words.back() != Row.Type))
    return false;
  SmallVector<StringRef, 2> Modifiers;
  StringRef(Row.Modifiers).split(Modifiers, '.', -1, false);
  // The source's type, last, is not the result's.
  const bool Conversion = Words.front() == "cvt";
  return all_of(Modifiers, [&](StringRef M) {
    return is_contained(Conversion ? Words.drop_back() : Words, M);
  });
}

} // namespace

/// Functions of the device library, and divisions that call one, cost what
/// PTXInstructions.def counts: mostly products and sums in a chain, some of
/// them independent, and one MUFU.
void Selector::expand(const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const unsigned Count = std::max(1u, expansionOf(Opcode).Issued);
  const bool Double = Opcode.ends_with("f64");
  const StringRef Product = Double ? "DFMA"
                            : Opcode.rsplit('.').second.starts_with("f")
                                ? "FFMA"
                                : "IMAD";
  SmallVector<Value, 4> Uses = readAll(I);
  Value Last = 0;
  for (unsigned N = 0; N + 1 < Count; ++N) {
    SmallVector<Value, 4> Now(Uses);
    if (Last && N % 2)
      Now.push_back(Last);
    const Value T = C.addValue(Double ? 2 : 1);
    emit(N == Count / 2 ? "MUFU.RCP" : Product, {T}, Now);
    Last = T;
  }
  if (Last)
    Uses.push_back(Last);
  emit(Product, I.Defs, Uses);
}

bool Selector::sequence(const ptx::Inst &I) {
  SmallVector<StringRef, 8> Words;
  StringRef(I.Opcode).split(Words, '.');
  const auto *Row = find_if(Patterns, [&](const PatternRow &R) {
    return matches(R, Words, Arch.Number);
  });
  SmallVector<StringRef, 16> Steps;
  if (Row == std::end(Patterns)) {
    if (expansionOf(I.Opcode).Issued < 2)
      return false;
    expand(I);
    return true;
  }
  StringRef(Row->Sequence).split(Steps, ' ');
  const SmallVector<Value, 4> Sources = readAll(I);
  Value Previous = 0, Predicate = 0;
  bool Written = false;
  // Lanes that take a slow path wait for each other behind it.
  const bool Parts = is_contained(Steps, "BRA");
  if (Parts)
    emit("BSSY", {}, {});
  for (auto [N, Step] : enumerate(Steps)) {
    const bool Last = N + 1 == Steps.size();
    const bool Guarded = Step.consume_front("@");
    const bool Alone = Step.consume_front("+");
    const bool Writes = Step.consume_front("=") || Last;
    if (Step.consume_front("+"))
      Previous = 0;
    const OpcodeRow &Opcode = *findOpcode(Step);
    SmallVector<Value, 6> Uses;
    append_range(Uses, Sources);
    if (Previous && !Alone)
      Uses.push_back(Previous);
    if (Opcode.Class == HEDDLE_OP_BRANCH) {
      emit(Step, {}, Previous ? ArrayRef<Value>(Previous) : ArrayRef<Value>())
          .Temporaries = expansionOf(I.Opcode).Temporaries;
      continue;
    }
    const bool IsTest =
        Opcode.Class == HEDDLE_OP_COMPARE || Step.starts_with("FCHK");
    SmallVector<Value, 2> Defs;
    if (Writes) {
      Defs.assign(I.Defs.begin(), I.Defs.end());
    } else if (Opcode.Class != HEDDLE_OP_NOP) {
      Defs.push_back(C.addValue(IsTest ? 0
                                : Opcode.Type == HEDDLE_TYPE_F64 ||
                                        Step.starts_with("IMAD.WIDE")
                                    ? 2
                                    : 1));
    }
    if (Writes && Written)
      append_range(Uses, I.Defs);
    Inst &Out = emit(Step, Defs, Uses);
    Out.Partial = Writes && Written;
    Written |= Writes;
    if (Guarded && Predicate)
      Out.Uses.push_back(Predicate);
    if (IsTest && !Defs.empty())
      Predicate = Defs[0];
    if (!Defs.empty())
      Previous = Defs[0];
  }
  if (Parts)
    emit("BSYNC", {}, {});
  return true;
}

} // namespace heddle::machine
