//===- JoinProducts.cpp - Both words of a product at once -----------------===//
//
// The upper and the lower word of one product, mul.hi and mul.lo, are one
// IMAD.WIDE where both stand in a block, whatever lies between them. So do
// ptxas 11.8 and 12.4 for sm_70, 80 and 90. A lower word that is part of a sum
// stays there.
//
//===----------------------------------------------------------------------===//

#include "MachineInst.h"
#include "Operands.h"

#include "heddle/PTX/PTXStatement.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

namespace {

/// The factors of a product of words, as they stand in the PTX.
struct Factors {
  StringRef First, Second;

  bool operator==(const Factors &Other) const {
    return (isSame(First, Other.First) && isSame(Second, Other.Second)) ||
           (isSame(First, Other.Second) && isSame(Second, Other.First));
  }

private:
  /// A constant may be written with a sign or without.
  static bool isSame(StringRef A, StringRef B) {
    const auto M = integer(A), N = integer(B);
    return A == B || (M && N && uint32_t(*M) == uint32_t(*N));
  }
};

} // namespace

/// What \p I multiplies if it is a word of a product, \p Opcode of the PTX.
static std::optional<Factors> factorsOf(const Inst &I, StringRef Opcode) {
  if (!I.From || I.Guard || I.Partial || I.Defs.size() != 1 ||
      I.From->Opcode != Opcode || I.From->Guarded)
    return std::nullopt;
  const StringRef Text = StringRef(I.From->Text).split(' ').second;
  const SmallVector<StringRef, 4> All = ptx::splitOperands(Text);
  if (All.size() != 3)
    return std::nullopt;
  return Factors{All[1].trim(" ;\t"), All[2].trim(" ;\t")};
}

/// Whether nothing from \p First on to \p Second, which write the words, writes
/// what they read or touches what \p Second writes.
static bool isUntouched(ArrayRef<Inst> Between, const Inst &Second) {
  const Value Result = Second.Defs[0];
  return none_of(Between, [&](const Inst &I) {
    return is_contained(I.Defs, Result) || is_contained(I.Uses, Result) ||
           I.Guard == Result || I.Base == Result ||
           any_of(I.Defs,
                  [&](Value D) { return is_contained(Second.Uses, D); });
  });
}

/// Joins the upper word at \p High of \p B with the lower one, if there is one.
static bool join(Block &B, size_t High, StringRef Upper, StringRef Lower,
                 StringRef Wide) {
  const auto Product = factorsOf(B.Insts[High], Upper);
  if (!Product || !StringRef(B.Insts[High].Name).starts_with("IMAD.HI"))
    return false;
  for (size_t Low = 0; Low != B.Insts.size(); ++Low) {
    if (Low == High || B.Insts[Low].Name != "IMAD" ||
        factorsOf(B.Insts[Low], Lower) != Product)
      continue;
    const auto [First, Second] = std::minmax(Low, High);
    if (!isUntouched(ArrayRef(B.Insts).slice(First, Second - First),
                     B.Insts[Second]))
      continue;
    Inst &Joined = B.Insts[First];
    const Value Words[] = {B.Insts[Low].Defs[0], B.Insts[High].Defs[0]};
    Joined.Name = Wide.str();
    Joined.Defs.assign(std::begin(Words), std::end(Words));
    B.Insts.erase(B.Insts.begin() + Second);
    return true;
  }
  return false;
}

void joinProducts(Code &C) {
  auto JoinAt = [](Block &B, size_t N) {
    return join(B, N, "mul.hi.u32", "mul.lo.s32", "IMAD.WIDE.U32") ||
           join(B, N, "mul.hi.u32", "mul.lo.u32", "IMAD.WIDE.U32") ||
           join(B, N, "mul.hi.s32", "mul.lo.s32", "IMAD.WIDE");
  };
  for (Block &B : C.Blocks)
    for (size_t N = 0; N < B.Insts.size(); ++N)
      while (N < B.Insts.size() && JoinAt(B, N)) {
      }
}

} // namespace heddle::machine
