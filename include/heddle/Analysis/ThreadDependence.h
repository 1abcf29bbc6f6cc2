//===- ThreadDependence.h - What values depend on ---------------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_THREADDEPENDENCE_H
#define HEDDLE_ANALYSIS_THREADDEPENDENCE_H

#include "heddle/Analysis/KernelExpressions.h"

namespace heddle {

enum class ValueClass {
  Uniform,   ///< the same for all threads of the launch
  ByBlock,   ///< the same for all threads of a block
  Affine,    ///< affine in thread (and block) ids
  ByThread,  ///< another function of ids
  Data,      ///< loaded data decide it, the same for all threads of a block
  DataThread ///< depends on loaded data and on the thread
};
llvm::StringRef nameOf(ValueClass Class);

/// For every value of a kernel what it depends on, as ExprDependence bits: by
/// operands, by the branches that choose among merged values, and by when
/// threads leave the loop that computes it. A loaded value depends on data and
/// on what its address depends on.
class ThreadDependence {
public:
  explicit ThreadDependence(KernelExpressions &X);

  unsigned of(const llvm::Value *V) const;
  bool isUniformInBlock(const llvm::Value *V) const {
    return !(of(V) & OnThread);
  }
  ValueClass classOf(const llvm::Value *V) const;
  void print(llvm::raw_ostream &OS) const;
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &PA,
                  llvm::FunctionAnalysisManager::Invalidator &) {
    return !PA.areAllPreserved();
  }

private:
  unsigned compute(const llvm::Instruction &I) const;
  unsigned controlOf(const llvm::BasicBlock &Merge) const;

  KernelExpressions *X;
  llvm::DenseMap<const llvm::Value *, unsigned> Masks;
  llvm::DenseMap<const llvm::BasicBlock *,
                 llvm::SmallVector<const llvm::Value *, 4>>
      Controls; ///< conditions that choose the way to a merge
};

class ThreadDependenceAnalysis
    : public llvm::AnalysisInfoMixin<ThreadDependenceAnalysis> {
public:
  using Result = ThreadDependence;
  Result run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

private:
  friend llvm::AnalysisInfoMixin<ThreadDependenceAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace heddle

#endif // HEDDLE_ANALYSIS_THREADDEPENDENCE_H
