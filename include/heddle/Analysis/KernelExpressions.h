//===- KernelExpressions.h - The values of a kernel as formulas -*- C++ -*-===//

#ifndef HEDDLE_ANALYSIS_KERNELEXPRESSIONS_H
#define HEDDLE_ANALYSIS_KERNELEXPRESSIONS_H

#include "heddle/Analysis/Expression.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/PassManager.h"

#include <functional>
#include <memory>

namespace llvm {
class BasicBlock;
class CallBase;
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class ScalarEvolution;
class SCEV;
} // namespace llvm

namespace heddle {

/// "FILE:LINE" where \p I stands in the source, innermost inlined position;
/// "" without debug information.
std::string sourceLineOf(const llvm::Instruction &I);

/// Puts values of one kernel into formulas, on demand. A value of a loop is in
/// terms of that loop's iteration number; loops are numbered outer before
/// inner, in the order of the function.
///
/// Limits: a formula is at most 300 operations deep and a kernel has at most
/// 200,000 nodes; what goes beyond, or is no function of arguments, ids and
/// iterations, is an Opaque leaf.
class KernelExpressions {
public:
  KernelExpressions(llvm::Function &F, llvm::DominatorTree &DT,
                    llvm::LoopInfo &LI, llvm::ScalarEvolution &SE);
  KernelExpressions(KernelExpressions &&) = default;

  llvm::Function &function() const { return *F; }
  llvm::LoopInfo &loopInfo() const { return *LI; }
  llvm::ScalarEvolution &scalarEvolution() const { return *SE; }
  llvm::DominatorTree &dominators() const { return *DT; }
  ExprPool &pool() { return *Pool; }
  const ExprPool &pool() const { return *Pool; }
  const ExprNames &names() const { return Names; }
  std::string text(const Expr *E) const {
    return heddle::text(E, Names, *Pool);
  }

  /// Whether formulas were given up for the number of nodes.
  bool isTooLarge() const { return Pool->size() > MaxNodes; }

  unsigned numLoops() const { return Loops.size(); }
  const llvm::Loop *loop(unsigned N) const { return Loops[N]; }
  unsigned loopNumber(const llvm::Loop *L) const { return Numbers.at(L); }

  /// The formula of \p V inside the loops where it is computed; never null.
  const Expr *get(const llvm::Value *V);
  /// The formula of \p V as \p User sees it: what a loop that \p User is not in
  /// has left behind.
  const Expr *get(const llvm::Value *V, const llvm::BasicBlock *User);
  /// Null if ScalarEvolution does not know.
  const Expr *get(const llvm::SCEV *S);
  /// The condition of \p Block's branch to successor \p Successor.
  const Expr *edgeCondition(const llvm::BasicBlock *Block,
                            const llvm::BasicBlock *Successor);

  /// How often a loop's backedge is taken, null if unknown; set by LoopBounds,
  /// needed for what loops leave behind.
  std::function<const Expr *(const llvm::Loop *)> BackedgesOf;

  bool invalidate(llvm::Function &, const llvm::PreservedAnalyses &PA,
                  llvm::FunctionAnalysisManager::Invalidator &);

private:
  static constexpr size_t MaxNodes = 200000;

  const Expr *build(const llvm::Value *V);
  const Expr *buildInstruction(const llvm::Instruction &I);
  const Expr *buildArithmetic(const llvm::Instruction &I);
  const Expr *buildCast(const llvm::Instruction &I);
  const Expr *buildCall(const llvm::CallBase &Call);
  const Expr *buildAddress(const llvm::Instruction &I);
  const Expr *buildLoad(const llvm::Instruction &I);
  const Expr *buildPhi(const llvm::PHINode &Phi);
  const Expr *buildMerge(const llvm::PHINode &Phi);
  const Expr *buildRecurrence(const llvm::PHINode &Phi, const llvm::Loop &L);
  const Expr *opaque(const llvm::Value *V, llvm::StringRef Label = "");
  const Expr *buildSCEV(const llvm::SCEV *S);
  std::string nameOfValue(const llvm::Value *V) const;

  llvm::Function *F;
  llvm::DominatorTree *DT;
  llvm::LoopInfo *LI;
  llvm::ScalarEvolution *SE;
  std::unique_ptr<ExprPool> Pool = std::make_unique<ExprPool>();
  ExprNames Names;
  std::vector<const llvm::Loop *> Loops;
  llvm::DenseMap<const llvm::Loop *, unsigned> Numbers;
  llvm::DenseMap<const llvm::Value *, const Expr *> Memo;
  /// Values in terms of the states of the recurrences that are being built.
  std::vector<llvm::DenseMap<const llvm::Value *, const Expr *>> Scopes;
  struct Open {
    const llvm::Loop *L;
    unsigned Number;
    std::vector<const llvm::PHINode *> Phis;
    bool Failed = false;
  };
  std::vector<Open> Building;
  llvm::SmallVector<const llvm::Value *, 16> InProgress;
  llvm::DenseMap<const llvm::SCEV *, const Expr *> SCEVMemo;
  unsigned Depth = 0;
};

class KernelExpressionsAnalysis
    : public llvm::AnalysisInfoMixin<KernelExpressionsAnalysis> {
public:
  using Result = KernelExpressions;
  Result run(llvm::Function &F, llvm::FunctionAnalysisManager &AM);

private:
  friend llvm::AnalysisInfoMixin<KernelExpressionsAnalysis>;
  static llvm::AnalysisKey Key;
};

} // namespace heddle

#endif // HEDDLE_ANALYSIS_KERNELEXPRESSIONS_H
