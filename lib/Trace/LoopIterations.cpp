//===- LoopIterations.cpp - Rounds of loops that data ends ----------------===//

#include "heddle/Trace/LoopIterations.h"

#include "heddle/Analysis/AnalyzedKernel.h"
#include "heddle/Analysis/KernelNumbering.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <tuple>

using namespace llvm;

namespace heddle {

namespace {
/// Operation and place in the source.
using Copied = std::tuple<unsigned, unsigned, unsigned, const void *>;
} // namespace

/// How often each operation of \p L, without inner loops, occurs there.
static std::map<Copied, unsigned> occurrences(const Loop &L,
                                              const LoopInfo &LI) {
  std::map<Copied, unsigned> Count;
  for (const BasicBlock *BB : L.blocks())
    if (LI.getLoopFor(BB) == &L)
      for (const Instruction &I : *BB)
        if (const DebugLoc &Loc = I.getDebugLoc(); Loc && !isa<PHINode>(I))
          ++Count[{I.getOpcode(), Loc.getLine(), Loc.getCol(), Loc.getScope()}];
  return Count;
}

/// How many copies of the body of \p Rest, which is what unrolling left over,
/// stand in \p Main. Unrolling keeps places in the source; other passes merge
/// copies, so the largest ratio is the one.
static uint64_t copiesOf(const Loop &Rest, const Loop &Main,
                         const LoopInfo &LI) {
  const std::map<Copied, unsigned> In = occurrences(Main, LI);
  uint64_t Most = 1;
  for (const auto &[Key, Once] : occurrences(Rest, LI))
    if (auto It = In.find(Key); It != In.end())
      Most = std::max<uint64_t>(Most, It->second / Once);
  return Most;
}

LoopIterations loopIterations(Function &Kernel,
                              ArrayRef<LoopAssumption> Assumptions,
                              const LaunchValues &Launch) {
  LoopIterations Found;
  AnalyzedKernel Analyzed(Kernel, Assumptions);
  KernelExpressions &X = Analyzed.expressions();
  const LoopBounds &Bounds = Analyzed.loops();
  const KernelNumbering Numbering(Kernel);
  WarpEvaluator Values(X.pool(), Launch);
  Values.setWarp(0, 0);
  // Loops of one place in the source, around which the same loop stands.
  std::map<std::pair<unsigned, int>, SmallVector<const LoopBound *, 2>> Places;
  for (const LoopBound &Bound : Bounds.loops()) {
    if (Bound.Source == BoundSource::Assumption) {
      Places[{Bound.Line, Bound.Parent}].push_back(&Bound);
      continue;
    }
    if (Bound.Source != BoundSource::MemoryInduction || Bound.IsUpperBound)
      continue;
    if (std::optional<int64_t> N = Values.evaluate(Bound.Iterations);
        N && *N >= 0)
      Found.OfHeader[Numbering.number(X.loop(Bound.Loop)->getHeader())] =
          uint64_t(*N);
  }
  for (const auto &[Place, Loops] : Places) {
    const uint64_t N =
        uint64_t(Values.evaluate(Loops.front()->Iterations).value_or(1));
    uint64_t Factors[2] = {1, 1};
    // The two loops that unrolling makes of one; without a line they cannot be
    // matched.
    if (Loops.size() == 2 && Place.first)
      for (unsigned I = 0; I < 2; ++I)
        Factors[I] = copiesOf(*X.loop(Loops[1 - I]->Loop),
                              *X.loop(Loops[I]->Loop), X.loopInfo());
    for (unsigned I = 0; I < Loops.size(); ++I) {
      uint64_t Mine = N;
      if (I < 2 && Factors[I] > 1)
        Mine = N / Factors[I];
      else if (I < 2 && Factors[1 - I] > 1)
        Mine = N % Factors[1 - I];
      Found.OfHeader[Numbering.number(X.loop(Loops[I]->Loop)->getHeader())] =
          Mine;
    }
  }
  for (const LoopAssumption &A : Bounds.unused())
    if (any_of(Assumptions, [&](const LoopAssumption &Given) {
          return Given.text() == A.text();
        }))
      Found.Unused.push_back(A);
  return Found;
}

} // namespace heddle
