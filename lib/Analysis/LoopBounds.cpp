//===- LoopBounds.cpp - How often loops iterate ---------------------------===//

#include "heddle/Analysis/LoopBounds.h"

#include "LoopExits.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

AnalysisKey LoopBoundsAnalysis::Key;

LoopBounds LoopBoundsAnalysis::run(Function &F, FunctionAnalysisManager &AM) {
  return LoopBounds(AM.getResult<KernelExpressionsAnalysis>(F));
}

StringRef nameOf(BoundSource Source) {
  static constexpr const char *Names[] = {"constant",
                                          "scalar evolution",
                                          "scalar evolution after rotation",
                                          "induction",
                                          "grid stride",
                                          "block stride",
                                          "geometric",
                                          "recurrence",
                                          "induction in memory",
                                          "assumption",
                                          "data",
                                          "endless",
                                          "unknown"};
  return Names[unsigned(Source)];
}

std::string LoopAssumption::text() const {
  std::string Where = Kernel.empty() ? "" : Kernel + ":";
  Where += Line ? std::to_string(Line) : "L" + std::to_string(Loop);
  return Where + "=" + std::to_string(Iterations);
}

Expected<LoopAssumption> parseAssumption(StringRef Text) {
  LoopAssumption A;
  auto [Where, Count] = Text.trim().rsplit('=');
  if (Where.contains(':')) {
    auto [Kernel, Rest] = Where.rsplit(':');
    A.Kernel = Kernel.trim().str();
    Where = Rest;
  }
  Where = Where.trim();
  bool Bad = Count.trim().getAsInteger(10, A.Iterations);
  if (Where.consume_front("L"))
    Bad |= Where.getAsInteger(10, A.Loop);
  else
    Bad |= Where.getAsInteger(10, A.Line) || A.Line == 0;
  if (Bad)
    return createStringError(
        "'" + Text +
        "' is not an assumption: write LINE=COUNT, L0=COUNT "
        "or KERNEL:LINE=COUNT");
  return A;
}

namespace {

class BoundFinder {
public:
  BoundFinder(KernelExpressions &X, std::vector<LoopBound> &Loops)
      : X(X), Loops(Loops) {}

  void find(const Loop &L);
  const Expr *backedgesOf(const Loop &L);
  const Expr *iterationsOf(const Loop &L, const LoopBound &Bound);

private:
  const Expr *stayCondition(const Loop &L, const BasicBlock *B);
  bool askScalarEvolution(const Loop &L, LoopBound &Bound);
  void analyseExits(const Loop &L, LoopBound &Bound);
  void addControl(const Loop &L, ArrayRef<BasicBlock *> Exiting,
                  SmallVectorImpl<const Value *> &Conditions);
  void explain(const Loop &L, LoopBound &Bound);

  KernelExpressions &X;
  std::vector<LoopBound> &Loops;
  std::vector<const Expr *> Rotated;
  bool HasRotated = false;
  SmallVector<const Loop *, 4> Open;
  SmallVector<const Loop *, 16> Done;
};

} // namespace

/// Its bound inside formulas: exact ones only.
const Expr *BoundFinder::backedgesOf(const Loop &L) {
  if (!is_contained(Done, &L)) {
    if (is_contained(Open, &L))
      return nullptr;
    find(L);
  }
  const LoopBound &Bound = Loops[X.loopNumber(&L)];
  return Bound.IsUpperBound ? nullptr : Bound.Backedges;
}

static bool isUsable(const Expr *E, unsigned Loop) {
  return E && !E->dependsOn(OnData | OnOpaque | OnState) &&
         !E->dependsOnLoop(Loop);
}

bool BoundFinder::askScalarEvolution(const Loop &L, LoopBound &Bound) {
  ScalarEvolution &SE = X.scalarEvolution();
  unsigned Number = Bound.Loop;
  const Expr *E = X.get(SE.getBackedgeTakenCount(&L));
  bool Upper = false;
  if (!isUsable(E, Number)) {
    E = X.get(SE.getSymbolicMaxBackedgeTakenCount(&L));
    Upper = true;
    if (!isUsable(E, Number))
      return false;
    // "As often as the type can count" is no bound.
    if (E->isConstant() && E->Bits >= 32 &&
        E->Payload >= maskTrailingOnes<uint64_t>(E->Bits - 1) - 64)
      return false;
  }
  Bound.Backedges = X.pool().resize(E, 64, false);
  Bound.IsUpperBound = Upper;
  Bound.Source =
      E->isConstant() ? BoundSource::Constant : BoundSource::ScalarEvolution;
  return true;
}

/// The condition under which \p L goes on behind its exiting block \p B.
const Expr *BoundFinder::stayCondition(const Loop &L, const BasicBlock *B) {
  const Expr *Stay = X.pool().constant(0, 1);
  for (const BasicBlock *S : successors(B))
    if (L.contains(S))
      Stay = X.pool().binary(ExprOp::Or, Stay, X.edgeCondition(B, S));
  return Stay;
}

/// The exits one by one; the least of those that are known bounds the loop.
void BoundFinder::analyseExits(const Loop &L, LoopBound &Bound) {
  SmallVector<BasicBlock *, 8> Exiting;
  L.getExitingBlocks(Exiting);
  unsigned Known = 0;
  ExitBound Least;
  bool Upper = false;
  for (BasicBlock *B : Exiting) {
    // An exit that an iteration may go around bounds nothing, nor does one of
    // a loop inside.
    if (!L.getLoopLatch() || !X.dominators().dominates(B, L.getLoopLatch()) ||
        X.loopInfo().getLoopFor(B) != &L)
      continue;
    ExitBound E = boundOfExit(stayCondition(L, B), Bound.Loop, X, Upper);
    if (!E.Backedges)
      if (const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
          Branch && Branch->isConditional())
        E = boundOfMemoryInduction(Branch->getCondition(),
                                   L.contains(Branch->getSuccessor(0)), L, X);
    if (!isUsable(E.Backedges, Bound.Loop))
      continue;
    ++Known;
    if (!Least.Backedges) {
      Least = E;
      continue;
    }
    Least.Backedges =
        X.pool().binary(ExprOp::SMin, Least.Backedges, E.Backedges);
    Least.WrapAssumed |= E.WrapAssumed;
    Least.Source = std::max(Least.Source, E.Source);
  }
  if (!Known)
    return;
  Bound.Backedges = Least.Backedges;
  Bound.WrapAssumed = Least.WrapAssumed;
  Bound.Source =
      Bound.Backedges->isConstant() ? BoundSource::Constant : Least.Source;
  Bound.IsUpperBound = Upper || Known < Exiting.size();
}

/// Adds to \p Conditions those in \p L that decide whether control comes to one
/// of \p Exiting at all.
void BoundFinder::addControl(const Loop &L, ArrayRef<BasicBlock *> Exiting,
                             SmallVectorImpl<const Value *> &Conditions) {
  PostDominatorTree PDT(X.function());
  SmallSetVector<const BasicBlock *, 8> Reached(llvm::from_range, Exiting);
  for (unsigned N = 0; N < Reached.size(); ++N)
    for (const BasicBlock *Other : L.blocks()) {
      const auto *Branch = dyn_cast<BranchInst>(Other->getTerminator());
      if (!Branch || !Branch->isConditional() || Other == Reached[N] ||
          PDT.properlyDominates(Reached[N], Other) ||
          none_of(successors(Other), [&](const BasicBlock *S) {
            return L.contains(S) && PDT.dominates(Reached[N], S);
          }))
        continue;
      Conditions.push_back(Branch->getCondition());
      Reached.insert(Other);
    }
}

/// Which loads decide, or why nothing is known.
void BoundFinder::explain(const Loop &L, LoopBound &Bound) {
  SmallVector<BasicBlock *, 8> Exiting;
  L.getExitingBlocks(Exiting);
  SmallVector<const Value *, 8> Conditions;
  for (BasicBlock *B : Exiting) {
    if (const auto *Branch = dyn_cast<BranchInst>(B->getTerminator());
        Branch && Branch->isConditional())
      Conditions.push_back(Branch->getCondition());
    else if (const auto *Switch = dyn_cast<SwitchInst>(B->getTerminator()))
      Conditions.push_back(Switch->getCondition());
  }
  addControl(L, Exiting, Conditions);
  if (!Bound.Backedges || Bound.IsUpperBound)
    Bound.Deciders = decidingLoads(Conditions, X.dominators());
  if (Bound.Backedges)
    return;
  if (Exiting.empty()) {
    Bound.Source = BoundSource::Endless;
    Bound.Reason = "no way out of the loop";
  } else if (!Bound.Deciders.empty()) {
    Bound.Source = BoundSource::Data;
  } else {
    Bound.Source = BoundSource::Unknown;
    Bound.Reason = "no exit is a formula of arguments, ids and iterations";
  }
}

void BoundFinder::find(const Loop &L) {
  Open.push_back(&L);
  unsigned Number = X.loopNumber(&L);
  LoopBound Bound = Loops[Number];
  if (!askScalarEvolution(L, Bound) || Bound.IsUpperBound) {
    LoopBound Own = Loops[Number];
    analyseExits(L, Own);
    // Both bound from above: an exact one wins, and else ours, which sees the
    // conditions that ScalarEvolution gives up on.
    if (Own.Backedges && (!Bound.Backedges || !Own.IsUpperBound))
      Bound = Own;
  }
  if (!Bound.Backedges || Bound.Source == BoundSource::Recurrence) {
    if (!HasRotated)
      Rotated = boundsAfterRotation(X);
    HasRotated = true;
    if (Number < Rotated.size() && Rotated[Number]) {
      Bound.Backedges = Rotated[Number];
      Bound.IsUpperBound = false;
      Bound.Source = BoundSource::AfterRotation;
    }
  }
  explain(L, Bound);
  Loops[Number] = std::move(Bound);
  Done.push_back(&L);
  Open.pop_back();
}

/// Executions of the body. The test at the top, if it is the one that ends the
/// loop, does not run the body; any other test has run a part of it.
const Expr *BoundFinder::iterationsOf(const Loop &L, const LoopBound &Bound) {
  ExprPool &Pool = X.pool();
  const Expr *More =
      Pool.binary(ExprOp::Add, Bound.Backedges, Pool.constant(1, 64));
  BasicBlock *Top = L.getHeader();
  if (!L.isLoopExiting(Top) || Top == L.getLoopLatch())
    return More;
  if (L.getExitingBlock())
    return Bound.Backedges;
  const Expr *AtTop = X.get(X.scalarEvolution().getExitCount(&L, Top));
  if (!isUsable(AtTop, Bound.Loop)) {
    bool IsUpper = false;
    AtTop =
        boundOfExit(stayCondition(L, Top), Bound.Loop, X, IsUpper).Backedges;
    if (!isUsable(AtTop, Bound.Loop))
      return More;
  }
  AtTop = Pool.resize(AtTop, 64, false);
  return AtTop == Bound.Backedges ? AtTop
                                  : Pool.binary(ExprOp::SMin, AtTop, More);
}

static bool namesLoop(const LoopAssumption &A, const LoopBound &Bound) {
  return A.Line ? A.Line == Bound.Line : A.Loop == int(Bound.Loop);
}

LoopBounds::LoopBounds(KernelExpressions &X,
                       ArrayRef<LoopAssumption> Assumptions)
    : X(&X) {
  for (unsigned N = 0; N < X.numLoops(); ++N) {
    const Loop *L = X.loop(N);
    LoopBound Bound;
    Bound.Loop = N;
    Bound.Depth = L->getLoopDepth();
    if (const Loop *Parent = L->getParentLoop())
      Bound.Parent = X.loopNumber(Parent);
    if (DebugLoc Loc = L->getStartLoc()) {
      Bound.Line = Loc.getLine();
      Bound.File = Loc->getFilename().str();
    }
    Loops.push_back(std::move(Bound));
  }
  BoundFinder Finder(X, Loops);
  X.BackedgesOf = [&](const Loop *L) { return Finder.backedgesOf(*L); };
  for (unsigned N = 0; N < X.numLoops(); ++N)
    Finder.backedgesOf(*X.loop(N));
  for (unsigned N = 0; N < X.numLoops(); ++N)
    if (Loops[N].Backedges)
      Loops[N].Iterations = Finder.iterationsOf(*X.loop(N), Loops[N]);
  for (const LoopAssumption &A : Assumptions) {
    bool Used = false;
    for (LoopBound &Bound : Loops) {
      if (!namesLoop(A, Bound))
        continue;
      Used = true;
      // What is known beats what is assumed, and so does what was assumed
      // first.
      if (Bound.Backedges && !Bound.IsUpperBound)
        continue;
      Bound.Source = BoundSource::Assumption;
      Bound.Iterations = X.pool().constant(A.Iterations, 64);
      Bound.Backedges =
          X.pool().constant(A.Iterations ? A.Iterations - 1 : 0, 64);
      Bound.IsUpperBound = false;
    }
    if (!Used)
      Unused.push_back(A);
  }
  std::vector<const Expr *> Known;
  for (const LoopBound &Bound : Loops)
    Known.push_back(Bound.IsUpperBound ? nullptr : Bound.Backedges);
  X.BackedgesOf = [Known, Expressions = &X](const Loop *L) {
    return Known[Expressions->loopNumber(L)];
  };
}

void LoopBounds::print(raw_ostream &OS) const {
  OS << "Loop bounds of " << X->function().getName() << ":\n";
  for (const LoopBound &B : Loops) {
    OS << std::string(2 * B.Depth, ' ') << "L" << B.Loop;
    if (B.Line)
      OS << " line " << B.Line;
    OS << ": ";
    if (B.Iterations)
      OS << (B.IsUpperBound ? "at most " : "") << X->text(B.Iterations)
         << " iterations (" << nameOf(B.Source)
         << (B.WrapAssumed ? ", no wrap assumed" : "") << ")";
    else
      OS << nameOf(B.Source);
    if (!B.Reason.empty())
      OS << ": " << B.Reason;
    for (unsigned I = 0; I < B.Deciders.size(); ++I)
      OS << (I              ? ", "
             : B.Iterations ? "; may end earlier by "
                            : " decided by ")
         << describeLoad(*B.Deciders[I], *X);
    OS << "\n";
  }
}

} // namespace heddle
