//===- RegisterUnrolling.cpp - Loops that the allocator unrolls -----------===//

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace heddle::registers {

/// Iterations that stand side by side, as ptxas unrolls loops of one block.
constexpr unsigned UnrollFactor = 4;

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
                            Most = 99;
  unsigned Sum = 0, SharedLoads = 0;
  bool HasGlobalLoads = false, Never = false, HasUpdates = false;
  /// A store keeps the next iteration's loads of its memory behind it.
  bool HoldsGlobal = false, HoldsShared = false;

  void add(const ptx::Block &B, const ptx::Inst &I);
  bool isShort() const {
    const unsigned Shared = std::min(Plain + ForSharedLoad * SharedLoads, Most);
    return Sum <= std::max(Shared, HasGlobalLoads ? WithGlobalLoads : Plain);
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
  const unsigned Base = Access.Symbol.empty() ? Access.firstUse() : 0;
  return Base && any_of(B.Insts, [&](const ptx::Inst &I) {
           return is_contained(I.Defs, Base) && !is_contained(I.Uses, Base);
         });
}

void LoopWeight::add(const ptx::Block &B, const ptx::Inst &I) {
  const StringRef Opcode = I.Opcode;
  const StringRef Base = Opcode.split('.').first;
  if (Base == "mov")
    return;
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
  // What has a slow path behind a branch, and what lanes do together.
  const bool Divides =
      Base == "div" || Base == "rem" || Base == "sqrt" || Base == "rcp";
  if (Divides && (Opcode.contains(".approx") || Opcode.contains(".full")))
    Sum += Base == "div" ? 6 : 0; // 7 instructions
  else
    Never |= Divides || Base == "shfl" || Base == "vote" || Base == "match" ||
             Base == "bar" || Base == "barrier" || Base == "call";
}

bool unrolls(const ptx::Block &B, bool CountsExactly) {
  LoopWeight Weight;
  for (const ptx::Inst &I : B.Insts)
    Weight.add(B, I);
  return !Weight.Never && Weight.isShort() &&
         (CountsExactly || !Weight.holdsIterations());
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

void unroll(Code &C, OpBlock &B, unsigned ExitTest) {
  if (any_of(B.Ops, [](const Op &O) { return O.Kind == OpKind::Fence; }))
    return;
  const std::vector<uint64_t> Step = findSteps(C, B);
  std::vector<unsigned> Now(C.Widths.size()); ///< name of each value
  std::iota(Now.begin(), Now.end(), 0);
  // Earlier iterations do not ask whether to go on.
  auto OnlyLast = [&](const Op &O) {
    return O.Kind == OpKind::Branch || (O.IsIncrement && Step[O.Defs[0]]) ||
           is_contained(O.Defs, ExitTest);
  };
  std::vector<Op> Out;
  for (unsigned Iteration = 0; Iteration != UnrollFactor; ++Iteration) {
    const bool Last = Iteration == UnrollFactor - 1;
    for (Op O : B.Ops) {
      if (!Last && OnlyLast(O))
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
}

} // namespace heddle::registers
