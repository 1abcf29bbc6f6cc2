//===- JoinExtremes.cpp - Minima and maxima of three, and of sums ---------===//
//
// From sm_90 on one instruction takes the largest of three values, or of a sum
// and a value, and may have a lower limit of zero. On halves ptxas 12.4 joins
// each pair that it can. On words it joins where a limit of zero follows; it
// joins other words, too, which the ptxas before did not that made the code
// measured on an H800: a sum and a maximum took 10 cycles there, two maxima 8,
// as apart (test/hw/silicon/dpx.csv).
//
//===----------------------------------------------------------------------===//

#include "MachineInst.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace heddle::machine {

std::optional<int64_t> constantIn(const ptx::Inst &I) {
  const StringRef Last = StringRef(I.Text).rsplit(',').second.trim(" ;\t");
  int64_t Constant = 0;
  if (Last.getAsInteger(0, Constant))
    return std::nullopt;
  return Constant;
}

namespace {

constexpr StringRef Limit = ".RELU";

class ExtremeJoiner {
public:
  explicit ExtremeJoiner(Code &C) : C(C), NumUses(C.Widths.size()) {
    for (const Block &B : C.Blocks) {
      for (const Inst &I : B.Insts)
        count(I);
      ++NumUses[B.Condition];
    }
  }
  void run() {
    for (Block &B : C.Blocks) {
      nameLimits(B);
      joinEach(B, &ExtremeJoiner::takeLimit);
      joinEach(B, &ExtremeJoiner::takeOperand);
    }
  }

private:
  using Rule = bool (ExtremeJoiner::*)(Inst &, Inst &);

  void count(const Inst &I) {
    for (Value U : I.Uses)
      ++NumUses[U];
    ++NumUses[I.Guard];
    ++NumUses[I.Base];
  }
  /// Whether \p I always runs and only one instruction reads what it makes.
  bool isForOne(const Inst &I) const {
    return I.From && !I.Guard && !I.Partial && I.Defs.size() == 1 &&
           NumUses[I.Defs[0]] == 1;
  }
  static bool isExtreme(const Inst &I) {
    return I.From && !I.Guard && I.Defs.size() == 1 &&
           (I.Name == "VIMNMX" || StringRef(I.Name).starts_with("VIMNMX."));
  }
  static bool isOfHalves(const Inst &I) {
    return StringRef(I.Name).contains("16x2");
  }
  static bool hasLimit(const Inst &I) {
    return StringRef(I.Name).ends_with(Limit);
  }
  static bool isLimit(const Inst &I) {
    const StringRef Opcode = I.From->Opcode;
    return (Opcode == "max.s32" || Opcode == "max.s16") && I.Uses.size() == 1 &&
           constantIn(*I.From) == 0;
  }
  /// The operation without its limit.
  static std::pair<StringRef, StringRef> operationOf(const Inst &I) {
    StringRef Opcode = I.From->Opcode;
    Opcode.consume_back(".relu"); // as nvcc writes it
    return {Opcode.split('.').first, Opcode.rsplit('.').second};
  }
  static void nameLimits(Block &B);
  bool takeLimit(Inst &First, Inst &Second);
  bool takeOperand(Inst &First, Inst &Second);
  void joinEach(Block &B, Rule Join);

  Code &C;
  std::vector<unsigned> NumUses; ///< by value
};

} // namespace

/// PTX has a limit for words, too.
void ExtremeJoiner::nameLimits(Block &B) {
  for (Inst &I : B.Insts)
    if (isExtreme(I) && StringRef(I.From->Opcode).contains(".relu"))
      I.Name += Limit;
}

/// max(First, 0) becomes First.RELU, in the place of the maximum.
bool ExtremeJoiner::takeLimit(Inst &First, Inst &Second) {
  const StringRef Opcode = First.From->Opcode;
  if (!isLimit(Second) || !isExtreme(First) || isLimit(First) ||
      hasLimit(First) || isOfHalves(First) != isOfHalves(Second) ||
      !(Opcode.ends_with(".s32") || Opcode.ends_with(".s16")))
    return false;
  Second.Name = First.Name + Limit.str();
  Second.From = First.From;
  Second.Uses = First.Uses;
  return true;
}

/// What Second reads of First it does itself.
bool ExtremeJoiner::takeOperand(Inst &First, Inst &Second) {
  const bool Halves = isOfHalves(Second);
  const bool Sum = First.Name == "VIADD.16x2";
  if (hasLimit(First) && !hasLimit(Second))
    return false;
  if (Sum ? !Halves
          : !isExtreme(First) || operationOf(First) != operationOf(Second) ||
                isOfHalves(First) != Halves || (!Halves && !hasLimit(Second)))
    return false;
  StringRef Rest = Second.Name;
  Rest.consume_front("VIMNMX");
  Second.Name = (Sum ? "VIADDMNMX" : "VIMNMX3") + Rest.str();
  SmallVector<Value, 4> Uses = First.Uses;
  for (Value U : Second.Uses)
    if (U != First.Defs[0])
      Uses.push_back(U);
  Second.Uses = std::move(Uses);
  return true;
}

void ExtremeJoiner::joinEach(Block &B, Rule Join) {
  DenseMap<Value, size_t> Made; ///< where each value was last made
  std::vector<bool> Gone(B.Insts.size());
  auto stayed = [&](const Inst &I, size_t At) {
    return all_of(I.Uses, [&](Value U) {
      auto It = Made.find(U);
      return It == Made.end() || It->second < At;
    });
  };
  for (size_t N = 0; N != B.Insts.size(); ++N) {
    Inst &Second = B.Insts[N];
    if (isExtreme(Second))
      for (Value U : SmallVector<Value, 4>(Second.Uses)) {
        const auto At = Made.find(U);
        if (At == Made.end() || !isForOne(B.Insts[At->second]) ||
            !stayed(B.Insts[At->second], At->second) ||
            !(this->*Join)(B.Insts[At->second], Second))
          continue;
        Gone[At->second] = true;
        break;
      }
    for (Value D : Second.Defs)
      Made[D] = N;
  }
  size_t N = 0;
  llvm::erase_if(B.Insts, [&](const Inst &) { return Gone[N++]; });
}

void joinExtremes(Code &C, const Architecture &Arch) {
  if (Arch.hasPairedIntegers())
    ExtremeJoiner(C).run();
}

} // namespace heddle::machine
