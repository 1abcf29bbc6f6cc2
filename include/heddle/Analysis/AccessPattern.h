//===- AccessPattern.h - Where memory instructions go -----------*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_ACCESSPATTERN_H
#define HEDDLE_ANALYSIS_ACCESSPATTERN_H

#include "heddle/ABI/CodeTable.h"
#include "heddle/Analysis/Evaluation.h"
#include "heddle/Analysis/LoopBounds.h"
#include "heddle/Analysis/ThreadDependence.h"

#include <optional>

namespace heddle {

enum class AccessClass {
  Uniform,  ///< one address for the whole warp
  Affine,   ///< affine in thread ids and iterations
  Formula,  ///< another function of arguments, ids and iterations
  Computed, ///< depends on what is no formula, such as pow() or a clock
  Data      ///< depends on loaded data
};
llvm::StringRef nameOf(AccessClass Class);

/// What reports call a memory space.
const char *spaceName(HeddleMemorySpace Space);

/// What one request of a warp costs.
struct RequestCost {
  double Sectors = 0;      ///< 32-byte sectors; memory other than shared
  double Lines = 0;        ///< 128-byte lines
  double Conflicts = 1;    ///< bank cycles: 1, and one per replay
  double IdealSectors = 0; ///< if the same bytes lay side by side
};

/// One memory instruction.
struct Access {
  const llvm::Instruction *Inst;
  HeddleMemorySpace Space;
  unsigned Bytes; ///< per lane
  bool IsStore = false, IsAtomic = false;
  std::string Object; ///< argument or variable; "?" if it may be several
  AccessClass Class;
  const Expr *Address; ///< bytes
  /// Affine, Uniform: factors are bytes per step. Computed, Data: the same in
  /// thread ids alone, if what else there is does not differ by thread.
  AffineForm Form;
  std::vector<const llvm::Instruction *> Loads; ///< Data: which ones
  /// Without a launch: for warps whose threads follow each other in x, and
  /// where all that is not a thread id is a multiple of 128 bytes.
  std::optional<RequestCost> Cost;
};

class AccessPattern {
public:
  AccessPattern(KernelExpressions &X, const ThreadDependence &Dependence);

  const std::vector<Access> &accesses() const { return Accesses; }
  KernelExpressions &expressions() const { return *X; }
  void print(llvm::raw_ostream &OS) const;
  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &PA,
                  llvm::FunctionAnalysisManager::Invalidator &) {
    return !PA.areAllPreserved();
  }

private:
  KernelExpressions *X;
  std::vector<Access> Accesses;
};

/// What a warp's request of \p Bytes at the addresses of the lanes in \p Mask
/// costs in \p Space.
RequestCost costOf(const WarpEvaluator::Lanes &Addresses, uint32_t Mask,
                   unsigned Bytes, HeddleMemorySpace Space);

/// The mean over a launch's warps, of which at most \p MaxWarps are looked at,
/// with every loop in its first iteration; nothing if an address is no formula
/// of what the launch says.
std::optional<RequestCost> costOfLaunch(const Access &A, const ExprPool &Pool,
                                        const LaunchValues &Launch,
                                        unsigned MaxWarps = 64);

class AccessPatternAnalysis
    : public llvm::AnalysisInfoMixin<AccessPatternAnalysis> {
public:
  using Result = AccessPattern;
  Result run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

private:
  friend llvm::AnalysisInfoMixin<AccessPatternAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace heddle

#endif // HEDDLE_ANALYSIS_ACCESSPATTERN_H
