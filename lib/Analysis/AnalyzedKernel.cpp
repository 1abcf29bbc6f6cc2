//===- AnalyzedKernel.cpp - All static analyses of one kernel -------------===//

#include "heddle/Analysis/AnalyzedKernel.h"

#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace heddle {

struct AnalyzedKernel::State {
  State(Function &F, ArrayRef<LoopAssumption> Assumptions)
      : DT(F), LI(DT), AC(F), TLII(F.getParent()->getTargetTriple()), TLI(TLII),
        SE(F, TLI, AC, DT, LI), X(F, DT, LI, SE), Loops(X, Assumptions),
        Dependence(X), Branches(X, Dependence), Accesses(X, Dependence) {}

  DominatorTree DT;
  LoopInfo LI;
  AssumptionCache AC;
  TargetLibraryInfoImpl TLII;
  TargetLibraryInfo TLI;
  ScalarEvolution SE;
  KernelExpressions X;
  LoopBounds Loops;
  ThreadDependence Dependence;
  BranchConditions Branches;
  AccessPattern Accesses;
};

/// The source's assumptions after the caller's, which were given later.
static std::vector<LoopAssumption> withSource(const Function &Kernel,
                                              ArrayRef<LoopAssumption> Given) {
  std::vector<LoopAssumption> All = assumptionsInSource(Kernel);
  All.insert(All.begin(), Given.begin(), Given.end());
  return All;
}

AnalyzedKernel::AnalyzedKernel(Function &Kernel,
                               ArrayRef<LoopAssumption> Assumptions)
    : S(std::make_unique<State>(Kernel, withSource(Kernel, Assumptions))) {}
AnalyzedKernel::~AnalyzedKernel() = default;

Function &AnalyzedKernel::kernel() const { return S->X.function(); }
KernelExpressions &AnalyzedKernel::expressions() { return S->X; }
const LoopBounds &AnalyzedKernel::loops() const { return S->Loops; }
const ThreadDependence &AnalyzedKernel::dependence() const {
  return S->Dependence;
}
const BranchConditions &AnalyzedKernel::branches() const { return S->Branches; }
const AccessPattern &AnalyzedKernel::accesses() const { return S->Accesses; }

void registerAnalyses(FunctionAnalysisManager &AM) {
  AM.registerPass([] { return KernelExpressionsAnalysis(); });
  AM.registerPass([] { return LoopBoundsAnalysis(); });
  AM.registerPass([] { return ThreadDependenceAnalysis(); });
  AM.registerPass([] { return BranchConditionsAnalysis(); });
  AM.registerPass([] { return AccessPatternAnalysis(); });
}

} // namespace heddle
