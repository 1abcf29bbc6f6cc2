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
  unsigned Sum = 0, SharedLoads = 0, Barriers = 0;
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

void LoopWeight::add(const ptx::Block &B, const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const StringRef Base = Opcode.split('.').first;
  if (Base == "mov")
    return;
  if (Opcode.starts_with("bar.sync") || Opcode.starts_with("barrier.sync")) {
    ++Barriers;
    return;
  }
  const bool Loads = (Base == "ld" || Base == "ldu") &&
                     !Opcode.contains(".param") && !Opcode.contains(".const");
  const bool Updates = Base == "red" || Base == "atom";
  const bool Accesses = Loads || Base == "st" || Updates;
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
  // What has a slow path behind a branch, and what lanes do together.
  const bool Divides =
      Base == "div" || Base == "rem" || Base == "sqrt" || Base == "rcp";
  if (Divides && (Opcode.contains(".approx") || Opcode.contains(".full")))
    Sum += Base == "div" ? 6 : 0; // 7 instructions
  else
    Never |= Divides || Base == "shfl" || Base == "vote" || Base == "match" ||
             Base == "bar" || Base == "barrier" || Base == "call";
}

uint64_t lastConstant(const ptx::Inst &I) {
  int64_t N = 0;
  StringRef(I.Text).rsplit(',').second.trim().getAsInteger(0, N);
  return N;
}

namespace {

/// A loop of one block and what it counts.
class CountingLoop {
public:
  CountingLoop(const ptx::Kernel &K, unsigned Number)
      : K(K), B(K.Blocks[Number]), Number(Number) {}
  Unrolling unrolling();

private:
  const ptx::Inst *lastDef(unsigned R) const;
  const ptx::Inst *counterSum(unsigned R, unsigned &Carried) const;
  bool findTest();
  std::optional<int64_t> start(unsigned Carried) const;
  uint64_t trips() const;
  bool isNested() const;

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
  int64_t N = 0;
  if (!Only || !StringRef(Only->Opcode).starts_with("mov.") ||
      !Only->Uses.empty() || Only->Guarded ||
      StringRef(Only->Text).rsplit(',').second.trim().getAsInteger(0, N))
    return std::nullopt;
  return N;
}

/// The number of iterations if it is a constant, else 0.
uint64_t CountingLoop::trips() const {
  unsigned Carried = 0;
  if (Compare->Uses.size() != 1)
    return 0;
  const ptx::Inst *Sum = counterSum(Compare->Uses[0], Carried);
  const std::optional<int64_t> From = start(Carried);
  int64_t To = 0;
  if (!From || Sum > Compare ||
      StringRef(Compare->Text).rsplit(',').second.trim().getAsInteger(0, To))
    return 0;
  const int64_t Step = lastConstant(*Sum), Way = To - *From;
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

/// Whether the loop is a part of another one.
bool CountingLoop::isNested() const {
  std::vector<bool> Seen(K.Blocks.size());
  std::vector<unsigned> Work = B.Successors;
  while (!Work.empty()) {
    const unsigned N = Work.back();
    Work.pop_back();
    if (N == Number || Seen[N])
      continue;
    Seen[N] = true;
    if (is_contained(K.Blocks[N].Successors, Number))
      return true;
    append_range(Work, K.Blocks[N].Successors);
  }
  return false;
}

namespace {

/// A loop that counts to a constant: the most iterations that ptxas 11.8 writes
/// all, by the weight of one. From loops of n multiply-adds of which none is
/// the same; 1, 4 or 8 loads of global memory and 4 of shared memory fit the
/// same rows, and so do sm_70, 75, 80, 86, 89 and 90.
struct WholeLimit {
  unsigned Weight, Trips;
} constexpr WholeLimits[] = {{6, 277}, {8, 173}, {12, 89}, {16, 52}, {20, 37},
                             {24, 27}, {28, 20}, {32, 16}, {40, 12}, {48, 9},
                             {56, 8},  {64, 6},  {80, 4},  {96, 4},  {160, 2}};
/// With loads of shared memory in a loop within another, weight times
/// iterations: the least that any of eight such loops of 24 to 192 could have
/// (4 or 16 loads to 16, 32 or 64 multiply-adds, and products of 4 to 12 by 4
/// to 12 values). The most was 7,700; what decides between them is not known.
constexpr unsigned WholeInNest = 1650;
/// The most weight of all copies where not every iteration is written, and of
/// an iteration: between 336 and 352, and between 72 and 80.
constexpr unsigned InCopies = 344, MostInCopies = 76;

bool fitsWhole(const LoopWeight &W, uint64_t Trips, bool Nested) {
  if (Nested && W.SharedLoads && W.body() * Trips <= WholeInNest)
    return true;
  const WholeLimit *Row = find_if(
      WholeLimits, [&](const WholeLimit &L) { return W.body() <= L.Weight; });
  return Row != std::end(WholeLimits) && Trips <= Row->Trips;
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
    if (fitsWhole(Weight, Trips, isNested())) {
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
