//===- Unrolling.cpp - Iterations of a loop side by side ------------------===//
//
// ptxas unrolls rolled loops of one block that count up to a bound: a copy of
// four iterations, one of two for what is left, and the loop itself. Where it
// knows the number of iterations it writes all of them, or as many as fit and
// what is left behind them. A copy asks once whether to go on, counts once, and
// addresses memory by offsets from where its first iteration stands; constants
// are written once.
//
//===----------------------------------------------------------------------===//

#include "MachineInst.h"
#include "Operands.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace heddle::machine {

namespace {

/// More than any access takes.
constexpr unsigned MaxAlignment = 1u << 16;

class Unroller {
public:
  Unroller(Code &C, unsigned Number, unsigned Factor, bool Repeats)
      : C(C), Number(Number), Factor(Factor), Repeats(Repeats),
        Now(C.Widths.size()), Steps(C.Widths.size()) {
    std::iota(Now.begin(), Now.end(), 0);
  }
  void run();

private:
  Value addressedBy(const Inst &I) const;
  bool isTest(const Inst &I) const;
  void findSteps();
  unsigned alignmentBefore(Value V) const;
  void alignAddresses();
  bool isConstant(const Inst &I) const;
  void addIteration(Block &Out, unsigned Iteration);

  Code &C;
  unsigned Number, Factor;
  bool Repeats;                    ///< else the copy runs once
  std::vector<Value> Now;          ///< name of each value
  std::vector<int64_t> Steps;      ///< what counters grow by, by value
  SmallVector<Value, 8> Addresses; ///< sums with one, computed once
};

bool canUnroll(const Code &C, unsigned Number) {
  const Block &B = C.Blocks[Number];
  return B.Unrolled && B.Condition == B.Unrolled.Test && !B.Removed &&
         !B.Shared && B.Successors.size() == 2 &&
         is_contained(B.Successors, Number) &&
         none_of(B.Insts, [](const Inst &I) {
           const HeddleOpClass Class = I.row().Class;
           return Class == HEDDLE_OP_FENCE || Class == HEDDLE_OP_WARP_SYNC ||
                  Class == HEDDLE_OP_BRANCH || Class == HEDDLE_OP_EXIT;
         });
}

/// The constant that \p I adds to its one operand, which it writes.
int64_t increment(const Inst &I) {
  if (!I.From || I.Defs.size() != 1 || I.Guard || !isSum(I.From->Opcode) ||
      any_of(I.Uses, [&](Value V) { return V != I.Defs[0]; }) || I.Uses.empty())
    return 0;
  StringRef Last = StringRef(I.From->Text).rsplit(',').second.trim();
  Last.consume_back(";");
  const auto Amount = integer(Last);
  return Amount ? *Amount : 0;
}

/// Whether block \p Number alone reads \p V.
bool staysWithin(const Code &C, unsigned Number, Value V) {
  return all_of(enumerate(C.Blocks), [&](const auto &Other) {
    return Other.index() == Number ||
           (Other.value().Condition != V &&
            none_of(Other.value().Insts, [&](const Inst &I) {
              return I.Guard == V || is_contained(I.Uses, V);
            }));
  });
}

/// The counter that \p I adds to a value of before the loop, for an address and
/// nothing else; 0 if it does not.
Value Unroller::addressedBy(const Inst &I) const {
  const Block &B = C.Blocks[Number];
  if (!I.From || !isSum(I.From->Opcode) || I.Guard || I.Partial ||
      I.Defs.size() != 1 || I.Uses.size() != 2)
    return 0;
  const Value D = I.Defs[0];
  for (const Inst &Other : B.Insts)
    if ((&Other != &I && is_contained(Other.Defs, D)) || Other.Guard == D ||
        (is_contained(Other.Uses, D) && (!Other.IsAccess || Other.Base != D)))
      return 0;
  auto IsFixed = [&](Value V) {
    return none_of(B.Insts, [&](const Inst &Other) {
      return is_contained(Other.Defs, V);
    });
  };
  const bool First = Steps[I.Uses[0]] != 0;
  return Steps[I.Uses[!First]] && IsFixed(I.Uses[First]) &&
                 staysWithin(C, Number, D)
             ? I.Uses[!First]
             : 0;
}

/// Part of the comparison that ends the loop: counters of 64 bits take two.
bool Unroller::isTest(const Inst &I) const {
  const Block &B = C.Blocks[Number];
  return any_of(B.Insts, [&](const Inst &Last) {
    return is_contained(Last.Defs, B.Condition) &&
           (&Last == &I || (I.From && I.From == Last.From));
  });
}

/// Counters that only address memory and end the loop, and addresses that are
/// a sum with one.
void Unroller::findSteps() {
  const Block &B = C.Blocks[Number];
  std::vector<bool> Otherwise(C.Widths.size());
  for (const Inst &I : B.Insts) {
    const int64_t Amount = increment(I);
    for (Value D : I.Defs)
      if (Amount && (Steps[D] == 0 || Steps[D] == Amount))
        Steps[D] = Amount;
      else if (Steps[D])
        Otherwise[D] = true;
  }
  SmallVector<std::pair<const Inst *, Value>, 8> Sums;
  for (const Inst &I : B.Insts) {
    if (const Value Counter = addressedBy(I)) {
      Sums.push_back({&I, Counter});
      continue;
    }
    for (Value D : I.Defs)
      Otherwise[D] = Otherwise[D] || !increment(I);
    if (increment(I) || isTest(I))
      continue;
    for (Value U : I.Uses)
      if (!I.IsAccess || I.Base != U)
        Otherwise[U] = true;
  }
  for (auto [V, S] : enumerate(Steps))
    if (Otherwise[V])
      S = 0;
  for (auto [Sum, Counter] : Sums)
    if ((Steps[Sum->Defs[0]] = Steps[Counter]))
      Addresses.push_back(Sum->Defs[0]);
}

/// What \p V is a multiple of when the loop begins.
unsigned Unroller::alignmentBefore(Value V) const {
  const Inst *Only = nullptr;
  for (auto [N, Other] : enumerate(C.Blocks))
    for (const Inst &I : Other.Insts)
      if (N != Number && is_contained(I.Defs, V)) {
        // A constant of 64 bits takes two.
        if (Only && (!I.From || Only->From != I.From))
          return C.Alignments[V];
        Only = &I;
      }
  if (Only && Only->IsCopy && Only->Uses.size() == 1)
    return C.Alignments[Only->Uses[0]];
  if (!Only || !Only->From ||
      !StringRef(Only->From->Opcode).starts_with("mov.") || !Only->Uses.empty())
    return C.Alignments[V];
  StringRef Last = StringRef(Only->From->Text).rsplit(',').second.trim();
  Last.consume_back(";");
  const auto Constant = integer(Last);
  if (!Constant)
    return C.Alignments[V];
  return *Constant
             ? std::min<uint64_t>(uint64_t(*Constant) & -uint64_t(*Constant),
                                  MaxAlignment)
             : MaxAlignment;
}

/// Addresses that only move by all iterations at once, if they move, may be
/// multiples of more than with each.
void Unroller::alignAddresses() {
  DenseMap<Value, unsigned> Known;
  for (const Inst &I : C.Blocks[Number].Insts)
    for (Value D : I.Defs) {
      if (!Steps[D])
        continue;
      unsigned A =
          is_contained(Addresses, D) ? MaxAlignment : alignmentBefore(D);
      // By the statement: a factor may have gone into the sum.
      if (is_contained(Addresses, D))
        for (unsigned R : I.From->Uses)
          A = std::min(A, alignmentBefore(R));
      if (Repeats)
        A = std::min<uint64_t>(
            A, uint64_t(1) << countr_zero(uint64_t(Steps[D]) * Factor));
      Known[D] = Known[Now[D]] = A;
    }
  for (auto [V, A] : Known)
    C.Alignments[V] = std::max(C.Alignments[V], A);
}

/// Writes a constant: the same in every iteration.
bool Unroller::isConstant(const Inst &I) const {
  return !I.Guard && StringRef(I.Name).starts_with("MOV") &&
         all_of(I.Uses, [&](Value V) { return is_contained(I.Defs, V); });
}

void Unroller::addIteration(Block &Out, unsigned Iteration) {
  const Block &B = C.Blocks[Number];
  const bool Last = Iteration + 1 == Factor;
  for (Inst I : B.Insts) {
    const bool Counts = !I.Defs.empty() && Steps[I.Defs[0]] && increment(I);
    const bool Tests = isTest(I);
    if ((!Last && (Counts || Tests)) || (!Repeats && Tests))
      continue;
    if (!Repeats && Counts && staysWithin(C, Number, I.Defs[0]))
      continue;
    if (Iteration && I.Defs.size() == 1 && is_contained(Addresses, I.Defs[0]))
      continue;
    if (Iteration && isConstant(I))
      continue;
    I.Step += Out.Steps.size();
    if (I.IsAccess && I.Base) {
      I.Offset += Iteration * Steps[I.Base];
      I.Base = Now[I.Base];
    }
    for (Value &U : I.Uses)
      U = Now[U];
    if (I.Guard)
      I.Guard = Now[I.Guard];
    for (Value &D : I.Defs) {
      // What a part of stays is the value of the part before.
      const Value Old = D;
      if (I.Partial)
        D = Now[D];
      else if (!Last && !isConstant(I))
        D = C.addLike(D);
      Now[Old] = D;
    }
    Out.Insts.push_back(std::move(I));
  }
  append_range(Out.Steps, B.Steps);
}

/// Puts the copy in front of the loop, and behind a larger one.
void Unroller::run() {
  findSteps();
  Block Out;
  for (unsigned N = 0; N != Factor; ++N)
    addIteration(Out, N);
  const unsigned Copy = C.Blocks.size();
  Block &B = C.Blocks[Number];
  if (Repeats) {
    Out.Branch = B.Branch;
    Out.Condition = Now[B.Condition];
    for (unsigned S : B.Successors)
      Out.Successors.push_back(S == Number ? Copy : Number);
  } else {
    Out.Successors = {Number};
  }
  for (auto [N, Other] : enumerate(C.Blocks))
    if (N != Number)
      llvm::replace(Other.Successors, Number, Copy);
  C.Alignments.resize(C.Widths.size(), 1);
  if (C.Blocks[Number].Unrolled.Counted)
    alignAddresses();
  C.Blocks.push_back(std::move(Out));
}

/// What leads to block \p Number, a loop, goes on behind it.
void drop(Code &C, unsigned Number) {
  Block &B = C.Blocks[Number];
  const unsigned Exit = B.Successors[B.Successors[0] == Number];
  for (Block &Other : C.Blocks)
    llvm::replace(Other.Successors, Number, Exit);
  B = Block();
  B.Removed = true;
}

/// The block that leads to loop \p Number and nowhere else; null if there is
/// none.
Block *preheaderOf(Code &C, unsigned Number) {
  Block *Found = nullptr;
  for (auto [N, B] : enumerate(C.Blocks)) {
    if (N == Number || B.Removed || !is_contained(B.Successors, Number))
      continue;
    if (Found || B.Successors.size() != 1)
      return nullptr;
    Found = &B;
  }
  return Found;
}

/// What ptxas 11.8 asks around the copies of a loop whose count it does not
/// know: whether there are four iterations, two or one left, each with a
/// comparison and a branch, and two predicates that say where it came from.
/// Lanes that part there meet twice. Each entry of the loop runs all of it, so
/// that it stands in front here.
void addTests(Code &C, Block &Into, const Block &Loop) {
  constexpr unsigned Tests = 4, Origins = 2, Meetings = 2;
  auto Add = [&](StringRef Name, ArrayRef<Value> Defs, ArrayRef<Value> Uses) {
    Inst &I = Into.Insts.emplace_back();
    I.Name = Name.str();
    I.Defs.assign(Defs.begin(), Defs.end());
    I.Uses.assign(Uses.begin(), Uses.end());
    I.From = Loop.Branch;
    I.Step = Into.Steps.empty() ? 0 : Into.Steps.size() - 1;
  };
  for (unsigned N = 0; N != Origins; ++N)
    Add("PLOP3.LUT", {C.addValue(0)}, {});
  for (unsigned N = 0; N != Tests; ++N) {
    const Value Left = C.addValue(0);
    Add("ISETP.GT.AND", {Left}, {});
    if (Loop.Divergent && N < Meetings)
      Add("BSSY", {}, {});
    Add("BRA", {}, {Left});
    if (Loop.Divergent && N < Meetings)
      Add("BSYNC", {}, {});
  }
}

} // namespace

void unroll(Code &C) {
  bool Straight = false;
  for (unsigned N = 0, E = C.Blocks.size(); N != E; ++N) {
    if (!canUnroll(C, N))
      continue;
    const registers::Unrolling How = C.Blocks[N].Unrolled;
    if (Block *Before = How.Counted ? nullptr : preheaderOf(C, N))
      addTests(C, *Before, C.Blocks[N]);
    for (auto [Place, Factor] : enumerate(How.Copies))
      Unroller(C, N, Factor, Place && How.Counted ? false : How.Repeats).run();
    if (How.Counted)
      drop(C, N);
    Straight |= How.Counted;
  }
  if (Straight)
    mergeChains(C);
}

} // namespace heddle::machine
