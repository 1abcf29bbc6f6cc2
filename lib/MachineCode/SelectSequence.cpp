//===- SelectSequence.cpp - Operations of several instructions -----------===//

#include "Selector.h"

#include "heddle/MachineCode/MachineCode.h"
#include "heddle/PTX/PTXInstructions.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace heddle {
namespace machine {

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

/// Registers of the slow path that an operation calls, beside its operands and
/// what lives across it, and how many more if an operand does so. Measured with
/// ptxas 11.8: kernels with 0 to 10 values that live across one such operation
/// take one register more for each, and this is what is left. Where kernels
/// differ, the most frequent. Of the single reciprocal it is what 13.0 takes;
/// 11.8 takes one more.
struct SlowPathRow {
  StringLiteral Base, Type;
  struct Path {
    unsigned Registers, IfOperandLives;
  } Volta, Turing, Ampere, Ada, Hopper; ///< sm_70, 75, 80, 86 to 89, 90
};

constexpr SlowPathRow SlowPaths[] = {
    {"div", "f32", {9, 1}, {7, 2}, {9, 1}, {8, 2}, {8, 2}},
    {"sqrt", "f32", {4, 0}, {4, 0}, {4, 0}, {4, 0}, {4, 0}},
    {"rcp", "f32", {8, 0}, {8, 0}, {8, 0}, {8, 0}, {8, 0}},
    {"div", "f64", {12, 0}, {12, 0}, {12, 0}, {12, 0}, {12, 0}},
    {"sqrt", "f64", {11, 0}, {12, 0}, {11, 0}, {12, 0}, {12, 0}},
    {"rcp", "f64", {7, 0}, {6, 0}, {7, 0}, {7, 0}, {7, 0}},
};

/// Says of \p Call, the branch to the slow path of \p Opcode, what it takes.
void countSlowPath(Inst &Call, StringRef Opcode, unsigned Arch) {
  Call.Temporaries = expansionOf(Opcode).Temporaries;
  for (const SlowPathRow &Row : SlowPaths)
    if (Opcode.split('.').first == Row.Base && Opcode.ends_with(Row.Type)) {
      const SlowPathRow::Path &Path = Arch < 75    ? Row.Volta
                                      : Arch == 75 ? Row.Turing
                                      : Arch == 80 ? Row.Ampere
                                      : Arch < 90  ? Row.Ada
                                                   : Row.Hopper;
      Call.Temporaries = Path.Registers;
      Call.OperandTemporaries = Path.IfOperandLives;
    }
}

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
} // namespace machine

bool isTracedFunction(StringRef Name, StringRef Type) {
  return any_of(machine::Patterns, [&](const machine::PatternRow &Row) {
    return Row.Base == "math" && Row.Modifiers == Name && Row.Type == Type;
  });
}

namespace machine {

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

/// True if \p Step reads the predicate that was written last.
static bool readsPredicate(StringRef Step) {
  return Step.starts_with("SEL") || Step.starts_with("FSEL") ||
         Step.ends_with(".EX") || Step.starts_with("BRA");
}

/// 32-bit registers that the result of \p Step takes.
static unsigned widthOfResult(StringRef Step, const OpcodeRow &Row) {
  return Row.Type == HEDDLE_TYPE_F64 || Step.starts_with("IMAD.WIDE") ? 2 : 1;
}

/// Parts of the fragment that \p Steps write, 0 if it is no matrix product.
static unsigned numParts(ArrayRef<StringRef> Steps) {
  unsigned Most = 0, Part = 0;
  for (StringRef Step : Steps)
    if (Step.consume_front("<") && !Step.consumeInteger(10, Part))
      Most = std::max(Most, Part + 1);
  return Most;
}

/// The fragment that the matrix product \p I adds to its products, if it comes
/// from registers.
static ArrayRef<Value> addedFragment(const ptx::Inst &I, StringRef Text) {
  return ArrayRef(I.Uses).take_back(
      std::min<size_t>(Text.count('%'), I.Uses.size()));
}

static ArrayRef<Value> share(ArrayRef<Value> All, unsigned N, unsigned Of) {
  return All.size() % Of ? All
                         : All.slice(All.size() / Of * N, All.size() / Of);
}

/// The registers of the two factors of \p I that one of its instructions reads.
/// Each round multiplies its share of the columns of the first factor by the
/// rows of the second, which the parts share. Registers stand in the order of
/// FragmentAccess.cpp; sm_70 has each value twice in them, and its rounds take
/// them as they stand (HMMA.884 in code of ptxas 11.8).
SmallVector<Value, 8> Selector::factorsOf(const ptx::Inst &I,
                                          PartOfProduct At) const {
  const SmallVector<Operand, 4> Operands = Ops.of(I);
  const bool IsSquare = StringRef(I.Opcode).contains("m16n16k16");
  const bool HasTwice = Arch.Number < 75;
  ArrayRef<Value> Left = I.Uses;
  SmallVector<Value, 8> Read;
  for (unsigned Factor : {1, 2}) {
    const size_t Count =
        std::min<size_t>(Operands[Factor].Text.count('%'), Left.size());
    SmallVector<Value, 8> All;
    for (Value V : Left.take_front(Count))
      if (HasTwice || !is_contained(All, V))
        All.push_back(V);
    Left = Left.drop_front(Count);
    if (!IsSquare)
      append_range(Read, All);
    else if (Factor == 1 || HasTwice)
      append_range(Read, share(All, At.Round, At.NumRounds));
    else
      append_range(Read, share(All, At.Part * At.NumRounds + At.Round,
                               At.NumParts * At.NumRounds));
  }
  return Read;
}

/// Emits one of the instructions of the matrix product \p I.
void Selector::emitPart(const ptx::Inst &I, StringRef Name, PartOfProduct At,
                        SequenceState &S) {
  SmallVector<Value, 8> Uses = factorsOf(I, At);
  SmallVector<Value, 4> &Sum = S.Sums[At.Part];
  if (At.Round == 0)
    append_range(Uses, share(addedFragment(I, Ops.of(I).back().Text), At.Part,
                             At.NumParts));
  for (Value &V : Uses)
    V = Ops.resolve(V);
  erase_if(Uses, [&](Value V) { return Ops.placeOf(V) != Place::Register; });
  append_range(Uses, Sum);
  const ArrayRef<Value> Result = share(I.Defs, At.Part, At.NumParts);
  if (At.Round + 1 == At.NumRounds)
    Sum.assign(Result.begin(), Result.end());
  else
    for (Value &V : Sum = SmallVector<Value, 4>(Result.begin(), Result.end()))
      V = C.addLike(V);
  emit(Name, Sum, Uses);
}

/// Emits \p Steps of the sequence that \p I is, and goes on from \p S.
void Selector::emitSteps(const ptx::Inst &I, ArrayRef<StringRef> Steps,
                         ArrayRef<Value> Sources, SequenceState &S) {
  const unsigned NumParts = numParts(Steps);
  S.Sums.resize(NumParts);
  for (auto [N, Written] : enumerate(Steps)) {
    StringRef Step = Written;
    unsigned Part = 0;
    if (Step.consume_front("<") && !Step.consumeInteger(10, Part)) {
      emitPart(I, Step,
               {Part, NumParts, unsigned(N) / NumParts,
                unsigned(Steps.size()) / NumParts},
               S);
      continue;
    }
    if (Step.consume_front("~") && S.SkipsRepeated)
      continue;
    const bool ReadsSources = !Step.consume_front("-");
    const bool Guarded = Step.consume_front("@");
    bool Alone = Step.consume_front("+");
    const bool Writes =
        Step.consume_front("=") || (S.WritesLast && N + 1 == Steps.size());
    Alone |= Step.consume_front("+");
    const OpcodeRow &Opcode = *findOpcode(Step);
    SmallVector<Value, 6> Uses;
    if (S.Predicate && (Guarded || readsPredicate(Step)))
      Uses.push_back(S.Predicate);
    if (ReadsSources)
      append_range(Uses, Sources);
    if (!Alone) {
      Uses.push_back(S.Previous);
      append_range(Uses, S.Beside);
    }
    if (Opcode.Class == HEDDLE_OP_BRANCH && Steps.size() == 1) {
      emit(Step, I.Defs, Sources); // a call that the program has
      continue;
    }
    if (Opcode.Class == HEDDLE_OP_BRANCH) {
      countSlowPath(emit(Step, {}, {S.Predicate}), I.Opcode, Arch.Number);
      continue;
    }
    // Sine and cosine of one angle scale it once.
    if (Step == "FMUL.RZ" && Sources.size() == 1)
      if (const Value Before = writtenBefore(Step, Sources[0])) {
        S.Previous = Before;
        continue;
      }
    const bool IsTest =
        Opcode.Class == HEDDLE_OP_COMPARE || Step.starts_with("FCHK");
    SmallVector<Value, 2> Defs;
    if (Writes)
      Defs.assign(I.Defs.begin(), I.Defs.end());
    else if (Opcode.Class != HEDDLE_OP_NOP)
      Defs.push_back(C.addValue(IsTest ? 0 : widthOfResult(Step, Opcode)));
    const bool Again = Writes && S.Written;
    S.Written |= Writes;
    if (Again)
      append_range(Uses, I.Defs);
    emit(Step, Defs, Uses).Partial |= Again;
    if (!Alone)
      S.Beside.clear();
    if (Defs.empty())
      continue;
    if (IsTest)
      S.Predicate = Defs[0];
    else if (Alone)
      S.Beside.push_back(Defs[0]);
    else
      S.Previous = Defs[0];
  }
}

/// The operand that the steps before "|" read: a divisor or an angle.
static const Operand &sharedOperand(const ptx::Inst &I,
                                    ArrayRef<Operand> Operands) {
  return Operands[StringRef(I.Opcode).starts_with("math.") ? 1 : 2];
}

/// What \p Steps make of the divisor of \p I, at the end of block \p In.
SharedDivisor Selector::computeDivisor(const ptx::Inst &I,
                                       ArrayRef<StringRef> Steps, unsigned In) {
  SharedDivisor D = {In, {}, {}};
  Block *Reader = B;
  B = &C.Blocks[In];
  SmallVector<Value, 2> Uses;
  bool Free = true;
  read(Uses, sharedOperand(I, Ops.of(I)), Free);
  emitSteps(I, Steps, Uses, D.State);
  B = Reader;
  return D;
}

/// The same computed here, known from a block that comes before, or computed in
/// front of the loops that do not change the divisor.
SequenceState Selector::divisorPart(const ptx::Inst &I,
                                    ArrayRef<StringRef> Steps) {
  const Operand Divisor = sharedOperand(I, Ops.of(I));
  const Value R = Divisor.Register ? Ops.resolve(Divisor.Register) : 0;
  const ptx::Inst *Def = R ? Ops.definitionOf(R) : nullptr;
  const unsigned Here = C.Blocks.size() - 1;
  if (I.Guarded || (!Def && Divisor.Where == Place::Register))
    return computeDivisor(I, Steps, Here).State;
  auto &Known = Divisors[join(Steps, " ") + "/" +
                         (R ? std::to_string(R) : Divisor.Text.str())];
  const unsigned Home =
      std::min(Here, Flow.inFrontOfLoops(Here, Def ? Ops.blockOf(*Def) : 0));
  auto IsInIteration = [&](unsigned N) {
    return Flow.dominates(N, Here) && Flow.inFrontOfLoops(Here, N) == Here;
  };
  auto Found = find_if(reverse(Known), [&](const SharedDivisor &D) {
    return Flow.dominates(D.Block, Home) || IsInIteration(D.Block);
  });
  SharedDivisor &D = Found != Known.rend()
                         ? *Found
                         : Known.emplace_back(computeDivisor(I, Steps, Home));
  const bool Again = any_of(D.Readers, IsInIteration);
  D.Readers.push_back(Here);
  SequenceState S = D.State;
  // The second division of an iteration by a signed value computes it once more
  // for those behind it (ptxas 11.8, sm_70 to sm_90).
  if (Again && !IsInIteration(D.Block) && Steps.front() == "IABS") {
    Known.push_back(computeDivisor(I, Steps.drop_front(), Here));
    Known.back().Readers.push_back(Here);
    S = Known.back().State;
  }
  S.SkipsRepeated = Again;
  return S;
}

/// Whether \p Text is a positive float that is not denormal.
static bool isPositiveNormal(StringRef Text) {
  uint32_t Bits = 0;
  Text = Text.trim();
  if (!Text.consume_front_insensitive("0f") || Text.getAsInteger(16, Bits))
    return false;
  const APFloat F(APFloat::IEEEsingle(), APInt(32, Bits));
  return F.isNormal() && !F.isNegative();
}

/// Whether \p R is a positive constant and what is not negative: an exponential
/// or a magnitude. Such a sum is never denormal.
bool Selector::isNormalSum(Value R) const {
  auto Opcode = [&](const Operand &O) -> StringRef {
    const ptx::Inst *Def = O.Register ? Ops.definitionOf(O.Register) : nullptr;
    return Def ? StringRef(Def->Opcode) : "";
  };
  const ptx::Inst *Sum = R ? Ops.definitionOf(R) : nullptr;
  if (!Sum || (Sum->Opcode != "add.f32" && Sum->Opcode != "add.rn.f32"))
    return false;
  const SmallVector<Operand, 4> Operands = Ops.of(*Sum);
  auto Fits = [&](const Operand &Constant, const Operand &Other) {
    const StringRef Name = Opcode(Other);
    return isPositiveNormal(Constant.Text) &&
           (Name == "abs.f32" || Name == "ex2.approx.f32");
  };
  return Fits(Operands[1], Operands[2]) || Fits(Operands[2], Operands[1]);
}

/// The opcode that \p I is selected as. Where an operand cannot be denormal,
/// ptxas leaves out what scales it (11.8 and 12.4; sm_70 and sm_80).
std::string Selector::selectedOpcode(const ptx::Inst &I) const {
  const StringRef Opcode = I.Opcode, Base = Opcode.split('.').first;
  const bool IsQuotient = Opcode == "div.approx.f32";
  if (!IsQuotient && Opcode != "rcp.approx.f32" &&
      Opcode != "rsqrt.approx.f32" && Opcode != "lg2.approx.f32")
    return I.Opcode;
  return isNormalSum(Ops.of(I)[IsQuotient ? 2 : 1].Register)
             ? (Base + ".approx.ftz.f32").str()
             : I.Opcode;
}

bool Selector::sequence(const ptx::Inst &I) {
  SmallVector<StringRef, 8> Words;
  const std::string Opcode = selectedOpcode(I);
  StringRef(Opcode).split(Words, '.');
  if (Words.back() == "relu") // as nvcc writes it
    std::swap(Words.back(), Words.end()[-2]);
  const auto *Row = find_if(Patterns, [&](const PatternRow &R) {
    return matches(R, Words, Arch.Number);
  });
  if (Row == std::end(Patterns)) {
    if (expansionOf(I.Opcode).Issued < 2)
      return false;
    expand(I);
    return true;
  }
  SmallVector<StringRef, 16> Steps, DivisorSteps;
  productOf(I, Row->Sequence).split(Steps, ' ');
  if (auto *Bar = find(Steps, "|"); Bar != Steps.end()) {
    DivisorSteps.append(Steps.begin(), Bar);
    Steps.erase(Steps.begin(), std::next(Bar));
  }
  // Lanes that take a slow path wait for each other behind it.
  const bool Parts = is_contained(Steps, "BRA");
  if (Parts)
    emit("BSSY", {}, {});
  SequenceState S;
  if (!DivisorSteps.empty())
    S = divisorPart(I, DivisorSteps);
  S.WritesLast = true;
  emitSteps(I, Steps, readAll(I), S);
  if (Parts) {
    emit("BSYNC", {}, {});
    Constants[B - C.Blocks.data()].clear(); // the call ends ptxas' block
  }
  return true;
}

} // namespace machine
} // namespace heddle
