//===- Unrolling.cpp - Iterations of a loop side by side ------------------===//
//
// ptxas unrolls rolled loops of one block that count up to a bound: a copy of
// four iterations, one of two for what is left, and the loop itself. A copy
// asks once whether to go on, counts once, and addresses memory by offsets from
// where its first iteration stands; constants are written once.
//
//===----------------------------------------------------------------------===//

#include "MachineInst.h"
#include "Operands.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace heddle::machine {

namespace {

class Unroller {
public:
  Unroller(Code &C, unsigned Number, unsigned Factor)
      : C(C), Number(Number), Factor(Factor), Now(C.Widths.size()),
        Steps(C.Widths.size()) {
    std::iota(Now.begin(), Now.end(), 0);
  }
  void run();

private:
  bool canUnroll() const;
  void findSteps();
  bool isConstant(const Inst &I) const;
  void addIteration(Block &Out, unsigned Iteration);

  Code &C;
  unsigned Number, Factor;
  std::vector<Value> Now;     ///< name of each value
  std::vector<int64_t> Steps; ///< what counters grow by, by value
};

bool Unroller::canUnroll() const {
  const Block &B = C.Blocks[Number];
  return B.LoopTest && B.Condition == B.LoopTest && !B.Removed && !B.Shared &&
         B.Successors.size() == 2 && is_contained(B.Successors, Number) &&
         none_of(B.Insts, [](const Inst &I) {
           const HeddleOpClass Class = I.row().Class;
           return Class == HEDDLE_OP_BARRIER || Class == HEDDLE_OP_FENCE ||
                  Class == HEDDLE_OP_WARP_SYNC || Class == HEDDLE_OP_BRANCH ||
                  Class == HEDDLE_OP_EXIT;
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

/// Counters that only address memory and end the loop.
void Unroller::findSteps() {
  const Block &B = C.Blocks[Number];
  std::vector<bool> Otherwise(C.Widths.size());
  for (const Inst &I : B.Insts) {
    const int64_t Amount = increment(I);
    for (Value D : I.Defs)
      if (Amount && (Steps[D] == 0 || Steps[D] == Amount))
        Steps[D] = Amount;
      else
        Otherwise[D] = true;
    if (Amount || is_contained(I.Defs, B.Condition))
      continue;
    for (Value U : I.Uses)
      if (!I.IsAccess || I.Base != U)
        Otherwise[U] = true;
  }
  for (auto [V, S] : enumerate(Steps))
    if (Otherwise[V])
      S = 0;
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
    if (!Last && (Counts || is_contained(I.Defs, B.Condition)))
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
        D = C.addValue(C.Widths[D]);
      Now[Old] = D;
    }
    Out.Insts.push_back(std::move(I));
  }
  append_range(Out.Steps, B.Steps);
}

/// Puts the copy in front of the loop, and behind a larger one.
void Unroller::run() {
  if (!canUnroll())
    return;
  findSteps();
  Block Out;
  for (unsigned N = 0; N != Factor; ++N)
    addIteration(Out, N);
  const unsigned Copy = C.Blocks.size();
  Block &B = C.Blocks[Number];
  Out.Branch = B.Branch;
  Out.Condition = Now[B.Condition];
  for (unsigned S : B.Successors)
    Out.Successors.push_back(S == Number ? Copy : Number);
  for (auto [N, Other] : enumerate(C.Blocks))
    if (N != Number)
      llvm::replace(Other.Successors, Number, Copy);
  C.Blocks.push_back(std::move(Out));
  C.Alignments.resize(C.Widths.size(), 1);
}

} // namespace

void unroll(Code &C) {
  for (unsigned N = 0, E = C.Blocks.size(); N != E; ++N)
    for (unsigned Factor : {4, 2})
      Unroller(C, N, Factor).run();
}

} // namespace heddle::machine
