//===- RegisterUnrolling.cpp - Loops that the allocator unrolls -----------===//

#include "heddle/PTX/RegisterModel.h"

#include "llvm/ADT/STLExtras.h"

#include <numeric>

using namespace llvm;

namespace heddle::registers {

/// Iterations that stand side by side, as ptxas unrolls loops of one block.
constexpr unsigned UnrollFactor = 4;

/// Loops that would become longer stay as they are.
constexpr unsigned MaxUnrolledOps = 96;

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
  if (B.Ops.size() * UnrollFactor > MaxUnrolledOps ||
      any_of(B.Ops, [](const Op &O) { return O.Kind == OpKind::Fence; }))
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
