//===- LoopBounds.h - How often loops iterate -------------------*- C++ -*-===//
//
// After Wang et al., HPCA 2019, section III.A.2: a constant, ScalarEvolution,
// or an induction analysis of our own; then what the source's author assumes,
// and else the loads that decide. docs/Analysis/LoopBounds.md has the rules.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_ANALYSIS_LOOPBOUNDS_H
#define HEDDLE_ANALYSIS_LOOPBOUNDS_H

#include "heddle/Analysis/KernelExpressions.h"

#include <string>
#include <vector>

namespace heddle {

/// How a bound was found.
enum class BoundSource {
  Constant,        ///< a number
  ScalarEvolution, ///< LLVM's, on the loop as it stands
  AfterRotation,   ///< LLVM's, on a rotated copy of the kernel
  Induction,       ///< affine induction variable, "no wrap" assumed
  GridStride,      ///< the same, stepping by the size of the grid
  BlockStride,     ///< the same, stepping by the size of the block
  Geometric,       ///< multiplied or shifted each time
  Recurrence,      ///< by stepping through what the loop carries
  MemoryInduction, ///< the induction variable lives in memory
  Assumption,      ///< the user says so
  Data,            ///< unknown: a load decides
  Endless,         ///< there is no way out
  Unknown          ///< unknown for another reason
};
llvm::StringRef nameOf(BoundSource Source);

/// "In the loop that begins at line LINE (0: loop number Loop) there are COUNT
/// iterations."
struct LoopAssumption {
  unsigned Line = 0;
  int Loop = -1;
  uint64_t Iterations = 0;
  std::string Kernel; ///< empty: in every kernel
  std::string text() const;
};

/// Parses "[KERNEL:]LINE=COUNT" or "[KERNEL:]L<N>=COUNT".
llvm::Expected<LoopAssumption> parseAssumption(llvm::StringRef Text);

/// Assumptions that the source of \p F makes: "#pragma heddle iterations(N)"
/// before a loop. None if the source cannot be read.
std::vector<LoopAssumption> assumptionsInSource(const llvm::Function &F);

struct LoopBound {
  unsigned Loop = 0;  ///< number, outer before inner
  int Parent = -1;    ///< number of the loop around it
  unsigned Depth = 1; ///< 1: outermost
  std::string File;
  unsigned Line = 0; ///< 0: unknown
  BoundSource Source = BoundSource::Unknown;
  /// How often the loop goes around; null if unknown. Per thread where ids
  /// occur in it; over iterations of the loops around it.
  const Expr *Backedges = nullptr;
  /// Executions of the loop's body for one entry: Backedges, plus one unless
  /// the test stands at the top.
  const Expr *Iterations = nullptr;
  bool IsUpperBound = false; ///< another exit may leave earlier
  bool WrapAssumed = false;
  /// Loads and atomics that decide (Data) or may end it earlier.
  std::vector<const llvm::Instruction *> Deciders;
  std::string Reason; ///< Unknown: why

  bool isClosed() const { return Backedges != nullptr; }
  bool isAttributed() const { return isClosed() || !Deciders.empty(); }
};

class LoopBounds {
public:
  LoopBounds(KernelExpressions &X,
             llvm::ArrayRef<LoopAssumption> Assumptions = {});

  const std::vector<LoopBound> &loops() const { return Loops; }
  const LoopBound &of(const llvm::Loop *L) const {
    return Loops[X->loopNumber(L)];
  }
  /// Assumptions that name no loop of the kernel.
  const std::vector<LoopAssumption> &unused() const { return Unused; }
  KernelExpressions &expressions() const { return *X; }
  void print(llvm::raw_ostream &OS) const;
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &PA,
                  llvm::FunctionAnalysisManager::Invalidator &) {
    return !PA.areAllPreserved();
  }

private:
  KernelExpressions *X;
  std::vector<LoopBound> Loops;
  std::vector<LoopAssumption> Unused;
};

class LoopBoundsAnalysis : public llvm::AnalysisInfoMixin<LoopBoundsAnalysis> {
public:
  using Result = LoopBounds;
  Result run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

private:
  friend llvm::AnalysisInfoMixin<LoopBoundsAnalysis>;
  static llvm::AnalysisKey Key;
};

/// The loads, atomics and opaque calls that \p Roots depend on, by data and by
/// the branches that choose among merged values; at most \p Limit.
std::vector<const llvm::Instruction *>
decidingLoads(llvm::ArrayRef<const llvm::Value *> Roots,
              const llvm::DominatorTree &DT, unsigned Limit = 8);

/// "rowOffsets[...] at k.cl:12"
std::string describeLoad(const llvm::Instruction &I, KernelExpressions &X);

} // namespace heddle

#endif // HEDDLE_ANALYSIS_LOOPBOUNDS_H
