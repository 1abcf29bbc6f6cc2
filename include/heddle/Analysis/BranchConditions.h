//===- BranchConditions.h - What branches depend on -------------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_BRANCHCONDITIONS_H
#define HEDDLE_ANALYSIS_BRANCHCONDITIONS_H

#include "heddle/Analysis/LoopBounds.h"
#include "heddle/Analysis/ThreadDependence.h"

namespace heddle {

/// What decides a branch; the last that applies.
enum class BranchClass { Uniform, ByBlock, ByIteration, ByThread, Data };
llvm::StringRef nameOf(BranchClass Class);

/// One conditional branch (or switch), its condition refined down to arguments,
/// ids, iterations and loads (Wang et al., HPCA 2019, section III.A.3).
struct BranchCondition {
  const llvm::Instruction *Terminator;
  const Expr *Condition; ///< of the first successor; a switch: its operand
  BranchClass Class;
  bool MayDiverge;     ///< threads of a warp may go different ways
  int ExitOfLoop = -1; ///< the innermost loop that it may leave
  std::vector<const llvm::Instruction *> Loads; ///< Data: which ones
  /// Lanes of warp 0 that take the first way, where thread ids and constants
  /// alone say so, for blocks of a multiple of 32 threads in x.
  std::optional<uint32_t> FirstWarpLanes;
};

class BranchConditions {
public:
  BranchConditions(KernelExpressions &X, const ThreadDependence &Dependence);

  const std::vector<BranchCondition> &branches() const { return Branches; }
  void print(llvm::raw_ostream &OS) const;
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &PA,
                  llvm::FunctionAnalysisManager::Invalidator &) {
    return !PA.areAllPreserved();
  }

private:
  KernelExpressions *X;
  std::vector<BranchCondition> Branches;
};

/// "0-15", "all", "none", "0,2,4,...": the set bits of a lane mask.
std::string laneText(uint32_t Mask);

class BranchConditionsAnalysis
    : public llvm::AnalysisInfoMixin<BranchConditionsAnalysis> {
public:
  using Result = BranchConditions;
  Result run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

private:
  friend llvm::AnalysisInfoMixin<BranchConditionsAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace heddle

#endif // HEDDLE_ANALYSIS_BRANCHCONDITIONS_H
