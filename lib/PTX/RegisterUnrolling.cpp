//===- RegisterUnrolling.cpp - Loops that the allocator unrolls -----------===//

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>
#include <optional>

using namespace llvm;

namespace heddle::registers {

namespace {

/// What ptxas weighs in a loop of one block before it unrolls it, and how much
/// that may be. Measured with ptxas 11.8 on loops of n fused multiply-adds,
/// alike for sm_70, 80, 86 and 90: the largest n that is unrolled is 18 without
/// loads. With 1, 4 and 8 loads of global memory, one at offset 0, it is 44, 38
/// and 30; with 1, 2, 4, 8 and 16 of shared memory it is 21, 24, 30, 42 and 64.
/// Loops that count to a bound, not exactly to a number, are not unrolled with
/// an atomic, or if all their loads are of memory that they write at an address
/// which they compute (51 loops, sm_80; 11 of them sm_70 and sm_90 too).
struct LoopWeight {
  static constexpr unsigned Plain = 21, WithGlobalLoads = 49, ForSharedLoad = 5,
                            Most = 99, Control = 3;
  unsigned Sum = 0, Insts = 0, SharedLoads = 0, Barriers = 0;
  unsigned Folds = 0; ///< what is a constant once the counter is
  bool HasGlobalLoads = false, Never = false, HasUpdates = false;
  /// A store keeps the next iteration's loads of its memory behind it.
  bool HoldsGlobal = false, HoldsShared = false;

  void add(const ptx::Block &B, const ptx::Inst &I);
  bool isShort() const {
    const unsigned Shared = std::min(Plain + ForSharedLoad * SharedLoads, Most);
    return Sum <= std::max(Shared, HasGlobalLoads ? WithGlobalLoads : Plain);
  }
  /// Without the count, the test and the branch. Barriers make the rest
  /// lighter: 1, 2, 4, 8, 16, 32 and 64 of them in loops of 32 to 300
  /// multiply-adds to a constant (42 pairs) leave 0.92, 0.78, 0.73, 0.52, 0.46,
  /// 0.34 and 0.29 of it, to which this is a fit.
  unsigned body() const {
    const unsigned Body = Sum > Control ? Sum - Control : 1;
    return Barriers ? std::max(1u, Body / 4 + Body * 18 / (4 * (6 + Barriers)))
                    : Body;
  }
  /// Instructions but for loads of shared memory and what counts.
  unsigned others() const {
    return std::max(Insts, SharedLoads + Control + 1) - SharedLoads - Control;
  }
  bool holdsIterations() const {
    return HasUpdates ||
           ((HasGlobalLoads || SharedLoads) &&
            (!HasGlobalLoads || HoldsGlobal) && (!SharedLoads || HoldsShared));
  }
};

} // namespace

/// Whether \p B computes the address of \p Access, rather than moving a pointer
/// on by a constant.
static bool computesAddress(const ptx::Block &B, const ptx::Inst &Access) {
  const unsigned Base = Access.addressRegister();
  return Base && any_of(B.Insts, [&](const ptx::Inst &I) {
           return is_contained(I.Defs, Base) && !is_contained(I.Uses, Base);
         });
}

static bool isBarrierSync(StringRef Opcode) {
  return Opcode.starts_with("bar.sync") || Opcode.starts_with("barrier.sync");
}

/// What has a slow path behind a branch, and what lanes do together: a loop
/// with one stays as it is.
static bool keepsLoop(StringRef Opcode) {
  const StringRef Base = Opcode.split('.').first;
  if (Base == "div" || Base == "rem" || Base == "sqrt" || Base == "rcp")
    return !Opcode.contains(".approx") && !Opcode.contains(".full");
  return Base == "shfl" || Base == "vote" || Base == "match" || Base == "bar" ||
         Base == "barrier" || Base == "call";
}

void LoopWeight::add(const ptx::Block &B, const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const StringRef Base = Opcode.split('.').first;
  if (Base == "mov")
    return;
  if (isBarrierSync(Opcode)) {
    ++Barriers;
    return;
  }
  const bool Loads = (Base == "ld" || Base == "ldu") &&
                     !Opcode.contains(".param") && !Opcode.contains(".const");
  const bool Updates = Base == "red" || Base == "atom";
  const bool Accesses = Loads || Base == "st" || Updates;
  ++Insts;
  // An offset is a sum of its own there, and what runs guarded a choice.
  Sum += 1 + (Accesses && I.Offset) + (I.Guarded && I.Label.empty());
  SharedLoads += Loads && Opcode.contains(".shared");
  HasGlobalLoads |= Loads && !Opcode.contains(".shared");
  HasUpdates |= Updates;
  if (Base == "st" && computesAddress(B, I)) {
    HoldsGlobal |= !Opcode.contains(".shared");
    HoldsShared |= !Opcode.contains(".global");
  }
  // Denormal operands are scaled: 4 and 1 of them in loops of 8 to 48
  // multiply-adds (ptxas 11.8) weigh as five instructions each; sines, and
  // those that flush, as one.
  if ((Base == "rsqrt" || Base == "ex2" || Base == "lg2") &&
      Opcode.ends_with(".approx.f32"))
    Sum += 4;
  Never |= keepsLoop(Opcode);
  if (Base == "div" && !keepsLoop(Opcode))
    Sum += 6; // 7 instructions
}

/// The constant that \p I ends in, if it ends in one.
static std::optional<int64_t> constantOf(const ptx::Inst &I) {
  int64_t N = 0;
  if (StringRef(I.Text).rsplit(',').second.trim().getAsInteger(0, N))
    return std::nullopt;
  return N;
}

uint64_t lastConstant(const ptx::Inst &I) { return constantOf(I).value_or(0); }

namespace {

/// sm_89: later ones unroll less.
constexpr unsigned LastWithLoads = 89;

/// A loop of one block and what it counts.
class CountingLoop {
public:
  CountingLoop(const ptx::Kernel &K, unsigned Number)
      : K(K), B(K.Blocks[Number]), Number(Number) {}
  Unrolling unrolling();

private:
  const ptx::Inst *lastDef(unsigned R) const;
  const ptx::Inst *onlyDef(unsigned R) const;
  const ptx::Inst *counterSum(unsigned R, unsigned &Carried) const;
  bool findTest();
  unsigned numFolds() const;
  std::optional<int64_t> start(unsigned Carried) const;
  uint64_t trips() const;
  bool goesStraightBack(unsigned From) const;
  bool isAloneInLoop() const;

  const ptx::Kernel &K;
  const ptx::Block &B;
  unsigned Number;
  const ptx::Inst *Branch = nullptr, *Compare = nullptr;
};

} // namespace

const ptx::Inst *CountingLoop::lastDef(unsigned R) const {
  for (const ptx::Inst &I : reverse(B.Insts))
    if (is_contained(I.Defs, R))
      return &I;
  return nullptr;
}

/// The sum that makes \p R of what the iteration before left in \p Carried, in
/// place or by a copy; null if \p R is no counter.
const ptx::Inst *CountingLoop::counterSum(unsigned R, unsigned &Carried) const {
  const ptx::Inst *I = lastDef(R);
  if (!I || !StringRef(I->Opcode).starts_with("add.s") || I->Uses.size() != 1 ||
      !lastConstant(*I))
    return nullptr;
  Carried = I->Uses[0];
  if (Carried == R)
    return I;
  const ptx::Inst *Copy = lastDef(Carried);
  return Copy && StringRef(Copy->Opcode).starts_with("mov.") &&
                 is_contained(Copy->Uses, R)
             ? I
             : nullptr;
}

/// Whether the block goes on while a count is below a bound or not at it.
bool CountingLoop::findTest() {
  if (B.NoUnroll || !is_contained(B.Successors, Number))
    return false;
  for (const ptx::Inst &I : B.Insts)
    if (!I.Label.empty() && I.Guarded)
      Branch = &I;
  Compare = Branch ? lastDef(Branch->Uses[0]) : nullptr;
  if (!Compare || !StringRef(Compare->Opcode).starts_with("setp."))
    return false;
  unsigned Carried = 0;
  return any_of(Compare->Uses,
                [&](unsigned R) { return counterSum(R, Carried); }) &&
         all_of(Compare->Uses, [&](unsigned R) {
           return counterSum(R, Carried) || !lastDef(R);
         });
}

/// The one statement that writes \p R; null if there are more.
const ptx::Inst *CountingLoop::onlyDef(unsigned R) const {
  const ptx::Inst *Only = nullptr;
  for (const ptx::Block &Other : K.Blocks)
    for (const ptx::Inst &I : Other.Insts)
      if (is_contained(I.Defs, R)) {
        if (Only)
          return nullptr;
        Only = &I;
      }
  return Only;
}

/// How many instructions compute with the counter and constants alone. From
/// sm_90 on the address of a variable is none.
unsigned CountingLoop::numFolds() const {
  SmallVector<unsigned, 8> Folded;
  for (unsigned R : Compare->Uses) {
    unsigned Carried = 0;
    if (counterSum(R, Carried))
      Folded.append({R, Carried});
  }
  auto IsConstant = [&](unsigned R) {
    const ptx::Inst *I = onlyDef(R);
    return I && StringRef(I->Opcode).starts_with("mov.") && I->Uses.empty() &&
           (constantOf(*I) || K.Target <= LastWithLoads);
  };
  unsigned Number = 0;
  for (const ptx::Inst &I : B.Insts) {
    if (I.Guarded || I.Defs.size() != 1 || &I == Compare ||
        is_contained(Folded, I.Defs[0]) ||
        none_of(I.Uses, [&](unsigned R) { return is_contained(Folded, R); }) ||
        StringRef(I.Opcode).starts_with("ld"))
      continue;
    if (!all_of(I.Uses, [&](unsigned R) {
          return is_contained(Folded, R) || IsConstant(R);
        }))
      continue;
    Folded.push_back(I.Defs[0]);
    Number += !StringRef(I.Opcode).starts_with("mov.");
  }
  return Number;
}

/// The constant that \p Carried has in front of the loop.
std::optional<int64_t> CountingLoop::start(unsigned Carried) const {
  const ptx::Inst *Only = nullptr;
  for (const ptx::Block &Other : K.Blocks)
    for (const ptx::Inst &I : Other.Insts)
      if (&Other != &B && is_contained(I.Defs, Carried)) {
        if (Only)
          return std::nullopt;
        Only = &I;
      }
  // nvcc copies the zero of the loop around it.
  if (Only && Only->Uses.size() == 1 && !Only->Guarded &&
      StringRef(Only->Opcode).starts_with("mov."))
    Only = onlyDef(Only->Uses[0]);
  if (!Only || !StringRef(Only->Opcode).starts_with("mov.") ||
      !Only->Uses.empty() || Only->Guarded)
    return std::nullopt;
  return constantOf(*Only);
}

/// The number of iterations if it is a constant, else 0.
uint64_t CountingLoop::trips() const {
  unsigned Carried = 0;
  if (Compare->Uses.size() != 1)
    return 0;
  const ptx::Inst *Sum = counterSum(Compare->Uses[0], Carried);
  const std::optional<int64_t> From = start(Carried), To = constantOf(*Compare);
  if (!From || !To || Sum > Compare)
    return 0;
  const int64_t Step = lastConstant(*Sum), Way = *To - *From;
  const StringRef Goes = StringRef(Compare->Opcode).split('.').second;
  // The conditional branch may be the one that leaves.
  const bool Leaves = B.Successors.front() != Number;
  const bool UnlessTrue = Branch->GuardNegated != Leaves;
  const bool UntilEqual = Goes.starts_with(UnlessTrue ? "eq." : "ne.");
  if (Step == 0 || Way / Step <= 0)
    return 0;
  if (UntilEqual)
    return Way % Step ? 0 : Way / Step;
  if (Step > 0 && Goes.starts_with(UnlessTrue ? "ge." : "lt."))
    return (Way + Step - 1) / Step;
  return 0;
}

/// Whether nothing branches between block \p From and this loop.
bool CountingLoop::goesStraightBack(unsigned From) const {
  for (size_t N = 0; N != K.Blocks.size(); ++N) {
    if (From == Number)
      return true;
    const ptx::Block &Way = K.Blocks[From];
    if (Way.Successors.size() != 1)
      return false;
    From = Way.Successors[0];
  }
  return false;
}

/// Whether all of \p B runs, once, whenever the block runs, apart from the
/// branch at its end.
static bool isStraight(const ptx::Block &B) {
  const auto Branch = find_if(B.Insts, [](const ptx::Inst &I) {
    return I.Guarded && !I.Label.empty();
  });
  auto Runs = [](const ptx::Inst &I) {
    return !I.Guarded && !I.isIndexedJump() &&
           (!keepsLoop(I.Opcode) || isBarrierSync(I.Opcode));
  };
  if (Branch == B.Insts.end())
    return all_of(B.Insts, Runs);
  return B.Successors.size() == 2 &&
         all_of(make_range(B.Insts.begin(), Branch), Runs) &&
         all_of(make_range(Branch, B.Insts.end()),
                [](const ptx::Inst &I) { return !I.Label.empty(); });
}

/// Whether a loop around this one has no other branch than its own test.
bool CountingLoop::isAloneInLoop() const {
  unsigned At = B.Successors[B.Successors.front() == Number];
  bool Tested = false;
  for (size_t N = 0; N != K.Blocks.size() && At != Number; ++N) {
    const ptx::Block &Way = K.Blocks[At];
    if (!isStraight(Way) || Way.Successors.empty() ||
        (Way.Successors.size() > 1 && Tested))
      return false;
    Tested |= Way.Successors.size() > 1;
    const auto Next = find_if(Way.Successors,
                              [&](unsigned S) { return goesStraightBack(S); });
    // In front of the test, the way goes on to it.
    At = Next != Way.Successors.end() ? *Next : Way.Successors[0];
  }
  return At == Number && Tested;
}

namespace {

/// What a loop that counts to a constant gains by having all its iterations
/// written: its control, and in part what then is a constant (\p Folds).
double gainOf(unsigned Folds) { return LoopWeight::Control + 0.8 * Folds; }

/// The most weight of all iterations: WholeWeight and so much for the part of
/// an iteration that is gained. Measured with ptxas 11.8 on loops of 6 to 160
/// multiply-adds (4 to 277 iterations, and 2 of 160), within one iteration or a
/// twentieth; 1 to 16 loads of either memory fit them, and so do sm_70 to
/// sm_90. What is gained by constants: 20 loops with addresses computed from
/// the counter, sm_80 and sm_90.
constexpr double WholeWeight = 280, WholeForGain = 2944;
/// Alone in a loop around it, from sm_60 to sm_89 (ptxas 11.8 and 12.4): the
/// other instructions of all iterations, by the part that loads of shared
/// memory are, each as six. From 38 loops of 8 to 256 multiply-adds and 1 to 64
/// loads, most within a tenth. Sums on fewer registers, barriers and stores
/// change nothing, and a load of global memory counts as another instruction.
/// From sm_90 on that is only so without loads.
constexpr unsigned WholeInNest = 5050, WholeAtLeast = 150, WholeAtMost = 3900,
                   SharedLoadWeight = 6;
/// The most weight of all copies where not every iteration is written, and of
/// an iteration: 352 and 74 are too much.
constexpr unsigned InCopies = 350, MostInCopies = 72;

bool fitsWhole(const LoopWeight &W, uint64_t Trips, bool AloneInLoop,
               unsigned Target) {
  const double Body = std::max(1u, W.body() - std::min(W.body(), W.Folds));
  if (AloneInLoop && W.SharedLoads && Target <= LastWithLoads) {
    const unsigned Loads = SharedLoadWeight * W.SharedLoads;
    const unsigned Most =
        WholeAtLeast + WholeInNest * Loads / (W.others() + Loads);
    return (W.others() - std::min(W.others(), W.Folds)) * Trips <=
           std::min(Most, WholeAtMost);
  }
  // ptxas went on to 48,000 multiply-adds, all that was tried.
  if (AloneInLoop && !W.SharedLoads && !W.HasGlobalLoads)
    return Body * Trips <= WholeAtMost;
  return Body * Trips <= WholeWeight + WholeForGain * gainOf(W.Folds) / Body;
}

} // namespace

/// Of the numbers of iterations side by side the largest that leaves room for
/// what then remains.
static void copyIterations(Unrolling &How, uint64_t Trips, unsigned Weight) {
  const unsigned Most = InCopies / Weight;
  for (unsigned Side = Most; Side > 1 && Weight <= MostInCopies; --Side) {
    const unsigned Rest = Trips % Side;
    if (Side + Rest > Most)
      continue;
    How.Copies = {Side};
    How.Repeats = Trips / Side > 1;
    if (Rest)
      How.Copies.push_back(Rest);
    return;
  }
  How.Test = 0;
}

Unrolling CountingLoop::unrolling() {
  if (!findTest())
    return {};
  LoopWeight Weight;
  for (const ptx::Inst &I : B.Insts)
    Weight.add(B, I);
  if (Weight.Never)
    return {};
  Unrolling How;
  How.Test = Branch->Uses[0];
  if (const uint64_t Trips = trips(); Trips > 1) {
    How.Counted = true;
    Weight.Folds = numFolds();
    if (fitsWhole(Weight, Trips, isAloneInLoop(), K.Target)) {
      How.Copies = {unsigned(Trips)};
      How.Repeats = false;
    } else {
      copyIterations(How, Trips, Weight.body());
    }
    return How;
  }
  const StringRef Opcode = Compare->Opcode;
  const bool CountsExactly =
      Opcode.starts_with("setp.ne.") || Opcode.starts_with("setp.eq.");
  if (!Weight.isShort() || (!CountsExactly && Weight.holdsIterations()))
    return {};
  How.Copies = {4, 2};
  return How;
}

Unrolling unrollingOf(const ptx::Kernel &K, unsigned Number) {
  return CountingLoop(K, Number).unrolling();
}

/// The constants that loop counters grow by in \p B, by value, of those that
/// only address memory: iterations tell them apart by the offset of the access.
static std::vector<uint64_t> findSteps(const Code &C, const OpBlock &B) {
  std::vector<uint64_t> Step(C.Widths.size());
  std::vector<unsigned> Defs(C.Widths.size()), Others(C.Widths.size());
  for (const Op &O : B.Ops) {
    const bool Counts = O.IsIncrement && O.Defs[0] == O.Uses[0];
    if (Counts)
      Step[O.Defs[0]] = O.Offset;
    for (unsigned V : O.Defs)
      ++Defs[V];
    for (unsigned V : O.Uses)
      Others[V] += !Counts && V != O.Base;
  }
  for (auto [V, S] : enumerate(Step))
    if (Defs[V] != 1 || Others[V])
      S = 0;
  return Step;
}

void unroll(Code &C, OpBlock &B, unsigned Number, const Unrolling &How) {
  if (any_of(B.Ops, [](const Op &O) { return O.Kind == OpKind::Fence; }))
    return;
  const std::vector<uint64_t> Step = findSteps(C, B);
  std::vector<unsigned> Now(C.Widths.size()); ///< name of each value
  std::iota(Now.begin(), Now.end(), 0);
  auto IsControl = [&](const Op &O) {
    return O.Kind == OpKind::Branch || is_contained(O.Defs, How.Test);
  };
  // Earlier iterations do not ask whether to go on.
  auto OnlyLast = [&](const Op &O) {
    return IsControl(O) || (O.IsIncrement && Step[O.Defs[0]]);
  };
  std::vector<Op> Out;
  for (unsigned Iteration = 0; Iteration != How.Copies[0]; ++Iteration) {
    const bool Last = Iteration == How.Copies[0] - 1;
    for (Op O : B.Ops) {
      if ((!Last && OnlyLast(O)) || (!How.Repeats && IsControl(O)))
        continue;
      if (!Last && O.IsCopy) {
        Now[O.Defs[0]] = Now[O.Uses[0]];
        continue;
      }
      if (Step[O.Base] && !O.IsIncrement)
        O.Offset += Iteration * Step[O.Base];
      else if (!O.IsIncrement)
        O.Base = Now[O.Base];
      for (unsigned &V : O.Uses)
        V = Now[V];
      for (unsigned &V : O.Defs) {
        const unsigned Old = V;
        if (!Last && !O.Guarded)
          V = C.addValue(C.Widths[V], C.Odd[V]);
        Now[Old] = V;
      }
      Out.push_back(std::move(O));
    }
  }
  B.Ops = std::move(Out);
  if (!How.Repeats)
    llvm::erase(B.Successors, Number);
}

} // namespace heddle::registers
