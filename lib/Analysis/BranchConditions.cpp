//===- BranchConditions.cpp - What branches depend on ---------------------===//

#include "heddle/Analysis/BranchConditions.h"

#include "heddle/Analysis/Evaluation.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

AnalysisKey BranchConditionsAnalysis::Key;

BranchConditions BranchConditionsAnalysis::run(Function &F,
                                               FunctionAnalysisManager &AM) {
  return BranchConditions(AM.getResult<KernelExpressionsAnalysis>(F),
                          AM.getResult<ThreadDependenceAnalysis>(F));
}

StringRef nameOf(BranchClass Class) {
  static constexpr const char *Names[] = {"uniform", "by block", "by iteration",
                                          "by thread", "by data"};
  return Names[unsigned(Class)];
}

std::string laneText(uint32_t Mask) {
  if (Mask == 0)
    return "none";
  if (Mask == ~uint32_t(0))
    return "all";
  std::string Text;
  for (unsigned Lane = 0; Lane < 32;) {
    if (!(Mask >> Lane & 1)) {
      ++Lane;
      continue;
    }
    unsigned Last = Lane;
    while (Last < 31 && (Mask >> (Last + 1) & 1))
      ++Last;
    Text += (Text.empty() ? "" : ",") + std::to_string(Lane);
    if (Last > Lane)
      Text += "-" + std::to_string(Last);
    Lane = Last + 1;
  }
  return Text;
}

/// Arguments, sizes or iterations would have to be known.
static bool isOfThreadsOnly(const Expr *E, unsigned Depth = 0) {
  switch (E->Op) {
  case ExprOp::Constant:
    return true;
  case ExprOp::Special:
    return E->dependsOn(OnThread) ||
           E->Payload == uint64_t(SpecialValue::WarpSize);
  default:
    return !E->isLeaf() && Depth < 40 && E->Op != ExprOp::FirstTrue &&
           E->Op != ExprOp::StateAt &&
           all_of(
               E->Operands,
               [&](const Expr *O) { return isOfThreadsOnly(O, Depth + 1); });
  }
}

BranchConditions::BranchConditions(KernelExpressions &X,
                                   const ThreadDependence &Dependence)
    : X(&X) {
  // A block whose rows are whole warps, and more of these than anyone asks for.
  LaunchValues Rows;
  Rows.Block = {1024, 1, 1};
  for (const BasicBlock &B : X.function()) {
    const Instruction *End = B.getTerminator();
    const Value *Condition = nullptr;
    if (const auto *Branch = dyn_cast<BranchInst>(End);
        Branch && Branch->isConditional() &&
        Branch->getSuccessor(0) != Branch->getSuccessor(1))
      Condition = Branch->getCondition();
    else if (const auto *Switch = dyn_cast<SwitchInst>(End))
      Condition = Switch->getCondition();
    if (!Condition || !X.dominators().getNode(&B))
      continue;
    BranchCondition C;
    C.Terminator = End;
    C.Condition = X.get(Condition, &B);
    unsigned Mask = Dependence.of(Condition);
    C.MayDiverge = Mask & OnThread;
    C.Class = Mask & (OnData | OnOpaque) ? BranchClass::Data
              : Mask & OnThread          ? BranchClass::ByThread
              : Mask & OnIteration       ? BranchClass::ByIteration
              : Mask & OnBlock           ? BranchClass::ByBlock
                                         : BranchClass::Uniform;
    if (C.Class == BranchClass::Data)
      C.Loads = decidingLoads({Condition}, X.dominators());
    if (const Loop *L = X.loopInfo().getLoopFor(&B);
        L && any_of(successors(&B),
                    [&](const BasicBlock *S) { return !L->contains(S); }))
      C.ExitOfLoop = X.loopNumber(L);
    if (C.Class == BranchClass::ByThread && C.Condition->Bits == 1 &&
        isOfThreadsOnly(C.Condition))
      C.FirstWarpLanes =
          WarpEvaluator(X.pool(), Rows).mask(C.Condition, ~uint32_t(0));
    Branches.push_back(std::move(C));
  }
}

void BranchConditions::print(raw_ostream &OS) const {
  OS << "Branch conditions of " << X->function().getName() << ":\n";
  for (const BranchCondition &C : Branches) {
    std::string Line = sourceLineOf(*C.Terminator);
    OS << "  " << (Line.empty() ? "branch" : Line) << ": " << nameOf(C.Class)
       << (C.MayDiverge ? ", may diverge" : "");
    if (C.ExitOfLoop >= 0)
      OS << ", leaves L" << C.ExitOfLoop;
    OS << ": " << X->text(C.Condition);
    if (C.FirstWarpLanes)
      OS << " (lanes of warp 0: " << laneText(*C.FirstWarpLanes) << ")";
    for (unsigned I = 0; I < C.Loads.size(); ++I)
      OS << (I ? ", " : "; data: ") << describeLoad(*C.Loads[I], *X);
    OS << "\n";
  }
}

} // namespace heddle
