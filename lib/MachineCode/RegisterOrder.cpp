//===- RegisterOrder.cpp - An order of the code and its registers ---------===//

#include "heddle/PTX/RegisterModel.h"
#include "heddle/PTX/Registers.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace heddle::registers {

/// Registers beyond the highest that is used, the least of a kernel, the most
/// of a thread and of an attempt to schedule, as ptxas counts
/// (lib/PTX/RegisterEstimate.cpp).
constexpr unsigned OverheadRegisters = 2, MinRegisters = 4, MaxRegisters = 255,
                   MinLimit = 8;
/// The stack pointer has a register of its own, used or not.
constexpr unsigned StackPointer = 1;
/// What the limit of an attempt differs by from the one before; the hardware
/// gives a thread multiples of the granularity.
constexpr unsigned LimitStep = 2, RegisterGranularity = 8;

/// Cycles that one warp takes for each block once, loops of one block weighed
/// as some iterations.
static uint64_t cyclesOf(const Code &C) {
  constexpr unsigned Iterations = 8;
  uint64_t Sum = 0;
  for (auto [N, B] : enumerate(C.Blocks)) {
    DenseMap<unsigned, uint64_t> Ready;
    uint64_t Cycle = 0;
    for (const Op &O : B.Ops) {
      for (unsigned V : O.Uses)
        Cycle = std::max(Cycle, Ready.lookup(V));
      for (unsigned V : O.Defs)
        Ready[V] = Cycle + O.LatencyCycles;
      ++Cycle;
    }
    Sum += Cycle * (is_contained(B.Successors, N) ? Iterations : 1);
  }
  return Sum;
}

/// The order of \p Model that hides most latency with \p Most registers alive;
/// allocation is tried the way that needs fewer where the other takes more than
/// \p Enough.
static Attempt attempt(const Code &Model, unsigned Most, unsigned Enough) {
  Attempt A = {Model, 0};
  schedule(A.Ordered, Most - OverheadRegisters - StackPointer,
           UnderPressure::FewRegisters);
  A.Used = allocate(A.Ordered, Placement::Roomy) + OverheadRegisters;
  if (A.Used <= Enough)
    return A;
  Attempt Tight = {A.Ordered, 0};
  Tight.Used = allocate(Tight.Ordered, Placement::Tight) + OverheadRegisters;
  return Tight.Used < A.Used ? Tight : A;
}

/// The order that hides most latency and takes no more registers than
/// \p Enough; none if there is none.
static std::optional<Attempt> fit(const Code &Model, unsigned Enough) {
  std::optional<Attempt> Found;
  unsigned Least = OverheadRegisters + StackPointer + MinLimit, Most = Enough;
  while (Least <= Most) {
    const unsigned Middle = (Least + Most) / 2;
    if (Attempt Tried = attempt(Model, Middle, Enough); Tried.Used <= Enough) {
      Found = std::move(Tried);
      Least = Middle + LimitStep;
    } else {
      Most = Middle - LimitStep;
    }
  }
  return Found;
}

/// An order that uses more of the registers up to \p Enough than \p Within
/// does, as long as there is one: what lives at once is fewer than what is
/// used, where pairs leave gaps.
static Attempt fill(const Code &Model, unsigned Enough, Attempt Within) {
  for (unsigned Most = Enough + LimitStep; Within.Used < Enough;
       Most += LimitStep) {
    Attempt More = attempt(Model, Most, Enough);
    if (More.Used > Enough || More.Used <= Within.Used)
      break;
    Within = std::move(More);
  }
  return Within;
}

/// An order with more registers than \p Enough, which \p Tight has, that is
/// worth them; none if there is none. ptxas has more room with as many, since
/// it computes addresses again: eight more make up for that where they make the
/// code a tenth shorter, and half as long where that costs warps of a full SM.
/// A kernel that does not fill the SM anyway (\p IsBig) then gets more as long
/// as eight save a twentieth, which the registers of nvcc 13.0
/// show for products of 8 x 8 to 16 x 8 values a thread.
static std::optional<Attempt> roomier(const Code &Model, unsigned Enough,
                                      const Attempt &Tight, bool IsBig) {
  auto within = [&](unsigned More, uint64_t Cycles, unsigned Percent) {
    auto Found = fit(Model, std::min(Enough + More, MaxRegisters));
    if (Found && cyclesOf(Found->Ordered) * 100 >= Cycles * Percent)
      Found.reset();
    return Found;
  };
  auto Best =
      within(RegisterGranularity, cyclesOf(Tight.Ordered), IsBig ? 90 : 50);
  while (Best && IsBig) {
    Enough = alignTo(Best->Used, RegisterGranularity);
    const uint64_t Cycles = cyclesOf(Best->Ordered);
    auto Next = within(RegisterGranularity, Cycles, 95);
    if (!Next || Next->Used <= Enough)
      break;
    Best = std::move(Next);
  }
  return Best;
}

/// Moves what is read of the constant bank into registers, as sm_90 has to,
/// ahead of its reader by its latency: ptxas 11.8 has it there when it
/// allocates. Generated kernels that read the address of a store so have two
/// registers more than in the order of the text.
static void readAhead(Code &C) {
  for (OpBlock &B : C.Blocks)
    for (size_t I = 0; I != B.Ops.size(); ++I) {
      const Op &O = B.Ops[I];
      if (O.Kind != OpKind::Read || !O.Uses.empty() || O.Guarded)
        continue;
      const auto Touches = [&](const Op &Before) {
        return any_of(O.Defs, [&](unsigned V) {
          return is_contained(Before.Defs, V) || is_contained(Before.Uses, V);
        });
      };
      size_t To = I;
      while (To != 0 && I - To < O.LatencyCycles &&
             B.Ops[To - 1].Kind != OpKind::Branch && !Touches(B.Ops[To - 1]))
        --To;
      std::rotate(B.Ops.begin() + To, B.Ops.begin() + I, B.Ops.begin() + I + 1);
    }
}

/// Writes the constants of each block in front of what it computes: ptxas 11.8
/// has the value of an atomic in a register of its own while the address is
/// computed. A call ends a block. Kernels whose loads bring several values have
/// them where they are read.
static void writeConstantsFirst(Code &C) {
  constexpr unsigned ConstantCycles = 6; // as the allocator tells them
  for (const OpBlock &B : C.Blocks)
    if (any_of(B.Ops, [](const Op &O) { return O.Defs.size() > 1; }))
      return;
  for (OpBlock &B : C.Blocks)
    for (auto Begin = B.Ops.begin(); Begin != B.Ops.end();) {
      const auto End = std::find_if(Begin, B.Ops.end(), [](const Op &O) {
        return O.Kind == OpKind::Branch;
      });
      std::stable_partition(Begin, End, [](const Op &O) {
        return O.Kind == OpKind::Plain && O.Uses.empty() && !O.Guarded &&
               O.Defs.size() == 1 && O.LatencyCycles <= ConstantCycles;
      });
      Begin = End == B.Ops.end() ? End : End + 1;
    }
}

/// The registers that \p Model takes in the order of the text, 0 if they are
/// more than \p Enough or it has loops. ptxas allocates before it orders a
/// block for its latencies: small kernels compiled with ptxas 11.8 keep for the
/// address of a late store, and for the constants in it, what the text needs
/// there, although it is computed early in the end.
static unsigned inOrderOfText(Code Model, unsigned Enough) {
  for (auto [N, B] : enumerate(Model.Blocks))
    if (any_of(B.Successors, [&](unsigned To) { return To <= N; }))
      return 0;
  readAhead(Model);
  writeConstantsFirst(Model);
  const unsigned Used = allocate(Model, Placement::ByBank) + OverheadRegisters;
  return Used <= Enough ? Used : 0;
}

Attempt chooseOrder(const Code &Model, const RegisterBounds &Bounds) {
  unsigned Enough = Bounds.Target;
  Attempt Chosen = attempt(Model, Enough, Enough);
  if (Chosen.Used <= Enough) {
    Chosen = fill(Model, Enough, std::move(Chosen));
  } else {
    Chosen = attempt(Model, OverheadRegisters + StackPointer, Enough);
    Enough =
        std::max<unsigned>(Enough, alignTo(Chosen.Used, RegisterGranularity));
    if (auto Fitting = fit(Model, Enough))
      Chosen = std::move(*Fitting);
    if (auto Roomy = roomier(Model, Enough, Chosen, Enough > Bounds.Target);
        Roomy && Roomy->Used <= Bounds.Most)
      Chosen = std::move(*Roomy);
  }
  Chosen.Used = std::clamp(std::max(Chosen.Used, inOrderOfText(Model, Enough)),
                           MinRegisters, MaxRegisters);
  return Chosen;
}

} // namespace heddle::registers
