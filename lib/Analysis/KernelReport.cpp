//===- KernelReport.cpp - What the static analyses found ------------------===//

#include "heddle/Analysis/KernelReport.h"

#include "heddle/Analysis/KernelInfo.h"

#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace heddle {

namespace {
/// Iterations of a loop over the launch's warps: the least, the most and the
/// mean, over at most 64 warps spread over the launch, with the loops around it
/// in their first iteration.
struct IterationRange {
  int64_t Least, Most;
  double Mean;
};
} // namespace

/// Shows \p Look warps of the launch, spread over it, with the loops that
/// \p Shown depends on in their first iteration; until it returns false.
static void lookAtWarps(ArrayRef<const Expr *> Shown, const ExprPool &Pool,
                        const LaunchValues &Launch,
                        function_ref<bool(WarpEvaluator &)> Look) {
  constexpr uint64_t MaxWarps = 64;
  WarpEvaluator Evaluator(Pool, Launch);
  const uint64_t Warps = uint64_t(Launch.Grid[0]) * Launch.Grid[1] *
                         Launch.Grid[2] * Launch.warpsPerBlock();
  const uint64_t Step = std::max<uint64_t>(1, Warps / MaxWarps) | 1;
  for (uint64_t W = 0; W < Warps; W += Step) {
    Evaluator.setWarp(W / Launch.warpsPerBlock(), W % Launch.warpsPerBlock());
    for (unsigned Loop = 0; Loop < 64; ++Loop)
      if (any_of(Shown, [&](const Expr *E) { return E->dependsOnLoop(Loop); }))
        Evaluator.setIteration(Loop, uint64_t(0));
    if (!Look(Evaluator))
      return;
  }
}

/// Whether \p Test, the condition of a branch in \p At, has a value for the
/// first entry of \p L: loops around it may be asked for their own test only.
static bool decidesEntry(const Expr *Test, const BasicBlock &At, const Loop &L,
                         const KernelExpressions &X) {
  if (Test->dependsOn(OnData | OnOpaque | OnState))
    return false;
  for (unsigned N = 0; N < X.numLoops(); ++N)
    if (Test->dependsOnLoop(N) &&
        (!X.loop(N)->contains(&L) || X.loop(N)->getHeader() != &At))
      return false;
  return true;
}

/// Whether a thread comes to \p L, as far as the branches before it say.
static const Expr *reached(const Loop &L, KernelExpressions &X) {
  constexpr unsigned MaxBlocks = 256;
  const DominatorTree &DT = X.dominators();
  const Expr *All = X.pool().constant(1, 1);
  const auto *Node = DT.getNode(L.getHeader());
  for (unsigned N = 0; N < MaxBlocks && (Node = Node->getIDom()); ++N) {
    const BasicBlock *At = Node->getBlock();
    for (const BasicBlock *S : successors(At)) {
      if (!DT.dominates(BasicBlockEdge(At, S), L.getHeader()))
        continue;
      const Expr *Test = X.edgeCondition(At, S);
      if (decidesEntry(Test, *At, L, X))
        All = X.pool().binary(ExprOp::And, All, Test);
    }
  }
  return All;
}

/// The threads that come to the loop, and how often its body runs for one
/// entry. 0 if none does.
static std::optional<IterationRange> iterationsOf(const LoopBound &Bound,
                                                  KernelExpressions &X,
                                                  const LaunchValues &Launch) {
  if (!Bound.Iterations)
    return std::nullopt;
  const Expr *Reached = reached(*X.loop(Bound.Loop), X);
  constexpr uint64_t MaxLanes = 64 * 32;
  IterationRange Range = {INT64_MAX, INT64_MIN, 0};
  uint64_t Count = 0;
  bool Known = true, Misses = false;
  const auto Look = [&](WarpEvaluator &Evaluator) {
    WarpEvaluator::Lanes Values;
    uint32_t Mask = Evaluator.fullMask();
    if (const auto Come = Evaluator.mask(Reached, Mask))
      Mask = *Come;
    Misses |= !Mask;
    if (!Mask)
      return true;
    Known = Evaluator.evaluate(Bound.Iterations, Mask, Values);
    for (unsigned Lane = 0; Known && Lane < 32; ++Lane)
      if (Mask >> Lane & 1) {
        int64_t N = std::max<int64_t>(0, int64_t(Values[Lane]));
        Range.Least = std::min(Range.Least, N);
        Range.Most = std::max(Range.Most, N);
        Range.Mean += double(N);
        ++Count;
      }
    return Known && Count < MaxLanes;
  };
  lookAtWarps({Bound.Iterations, Reached}, X.pool(), Launch, Look);
  if (Known && !Count && Misses)
    return IterationRange{0, 0, 0};
  if (!Known || !Count)
    return std::nullopt;
  Range.Mean /= double(Count);
  return Range;
}

static const char *operationName(const Access &A) {
  return A.IsAtomic ? "atomic" : A.IsStore ? "store" : "load";
}

static std::string loadList(ArrayRef<const Instruction *> Loads,
                            KernelExpressions &X) {
  std::string Text;
  for (const Instruction *I : Loads)
    Text += (Text.empty() ? "" : ", ") + describeLoad(*I, X);
  return Text;
}

/// "a.cl:12  " padded, or blanks.
static std::string place(StringRef Line) {
  return formatv("{0,-20} ", Line.empty() ? StringRef("-") : Line).str();
}

static std::string placeOf(const LoopBound &B) {
  return B.Line ? B.File + ":" + std::to_string(B.Line) : "";
}

static std::string launchLanes(const BranchCondition &C, const ExprPool &Pool,
                               const LaunchValues &Launch) {
  unsigned All = 0, None = 0, Both = 0;
  bool Known = true;
  lookAtWarps(C.Condition, Pool, Launch, [&](WarpEvaluator &Evaluator) {
    const auto Mask = Evaluator.mask(C.Condition, Evaluator.fullMask());
    if ((Known = Mask.has_value()))
      (*Mask == Evaluator.fullMask() ? All : *Mask == 0 ? None : Both)++;
    return Known;
  });
  return Known
             ? formatv("warps: {0} all, {1} none, {2} divided", All, None, Both)
                   .str()
             : "";
}

/// What the report does not say because it takes too long; "" if nothing.
static std::string givenUp(const KernelExpressions &X,
                           const LaunchValues *Launch) {
  if (X.isTooLarge())
    return "formulas of this kernel: it has too many operations; values "
           "without a formula are named only";
  if (Launch && Launch->Budget && Launch->Budget->GivenUp)
    return formatv("{0} numbers of this launch: they take too many steps to "
                   "evaluate (--max-steps allows more)",
                   Launch->Budget->GivenUp)
        .str();
  return "";
}

std::string reportText(AnalyzedKernel &K, const LaunchValues *Launch) {
  KernelExpressions &X = K.expressions();
  std::string Out;
  raw_string_ostream OS(Out);
  OS << kernelName(K.kernel()) << "\n";
  const auto &Loops = K.loops().loops();
  if (Loops.empty())
    OS << "  no loops\n";
  for (const LoopBound &B : Loops) {
    OS << "  loop    " << place(placeOf(B))
       << std::string(2 * (B.Depth - 1), ' ') << "L" << B.Loop << ": ";
    if (B.Iterations)
      OS << (B.IsUpperBound ? "at most " : "") << X.text(B.Iterations) << " ["
         << nameOf(B.Source) << (B.WrapAssumed ? ", no wrap assumed" : "")
         << "]";
    else
      OS << nameOf(B.Source);
    if (!B.Reason.empty())
      OS << ", " << B.Reason;
    if (!B.Deciders.empty())
      OS << (B.Iterations ? "; may end earlier by " : ", decided by ")
         << loadList(B.Deciders, X);
    if (Launch)
      if (auto Range = iterationsOf(B, X, *Launch))
        OS << formatv(" = {0}{1}", Range->Least,
                      Range->Most == Range->Least
                          ? std::string()
                          : formatv(" to {0}", Range->Most).str());
    OS << "\n";
  }
  for (const BranchCondition &C : K.branches().branches()) {
    OS << "  branch  " << place(sourceLineOf(*C.Terminator)) << nameOf(C.Class)
       << (C.MayDiverge ? ", may diverge" : "");
    if (C.ExitOfLoop >= 0)
      OS << ", leaves L" << C.ExitOfLoop;
    OS << ": " << X.text(C.Condition);
    if (C.FirstWarpLanes)
      OS << " [lanes of warp 0: " << laneText(*C.FirstWarpLanes) << "]";
    if (!C.Loads.empty())
      OS << " [data: " << loadList(C.Loads, X) << "]";
    if (Launch)
      if (std::string Lanes = launchLanes(C, X.pool(), *Launch); !Lanes.empty())
        OS << " [" << Lanes << "]";
    OS << "\n";
  }
  for (const Access &A : K.accesses().accesses()) {
    OS << "  access  " << place(sourceLineOf(*A.Inst)) << operationName(A)
       << " " << A.Bytes << " B " << spaceName(A.Space) << " " << A.Object
       << ": " << nameOf(A.Class);
    const char *Separator = " ";
    for (const AffineForm::Term &T : A.Form.Terms) {
      OS << Separator << X.text(T.Variable) << " * " << X.text(T.Factor)
         << " B";
      Separator = ", ";
    }
    if (A.Class == AccessClass::Formula)
      OS << " " << X.text(A.Address);
    if (!A.Loads.empty())
      OS << " by " << loadList(A.Loads, X);
    std::optional<RequestCost> Cost = A.Cost;
    if (Launch && A.Space != HEDDLE_SPACE_LOCAL)
      if (auto Known = costOfLaunch(A, X.pool(), *Launch))
        Cost = Known;
    if (Cost && A.Space == HEDDLE_SPACE_SHARED)
      OS << formatv(" [{0:f2} bank-conflict replays per request]",
                    Cost->Conflicts - 1);
    else if (Cost)
      OS << formatv(" [{0:f2} sectors, {1:f2} lines per request]",
                    Cost->Sectors, Cost->Lines);
    OS << "\n";
  }
  if (std::string What = givenUp(X, Launch); !What.empty())
    OS << "  given up: " << What << "\n";
  return Out;
}

static json::Array loadArray(ArrayRef<const Instruction *> Loads,
                             KernelExpressions &X) {
  json::Array Array;
  for (const Instruction *I : Loads)
    Array.push_back(describeLoad(*I, X));
  return Array;
}

static void addPlace(json::Object &O, const Instruction &I) {
  if (const DebugLoc &Loc = I.getDebugLoc(); Loc && Loc.getLine()) {
    O["file"] = Loc->getFilename();
    O["line"] = int64_t(Loc.getLine());
  }
}

static json::Object loopJSON(const LoopBound &B, KernelExpressions &X,
                             const LaunchValues *Launch) {
  json::Object O;
  O["loop"] = int64_t(B.Loop);
  O["parent"] = int64_t(B.Parent);
  O["depth"] = int64_t(B.Depth);
  if (B.Line) {
    O["file"] = B.File;
    O["line"] = int64_t(B.Line);
  }
  O["source"] = nameOf(B.Source);
  O["closed"] = B.isClosed();
  O["attributed"] = B.isAttributed();
  if (B.Iterations) {
    O["iterations"] = X.text(B.Iterations);
    O["backedges"] = X.text(B.Backedges);
    O["upper_bound"] = B.IsUpperBound;
    O["wrap_assumed"] = B.WrapAssumed;
    if (B.Iterations->isConstant())
      O["constant"] = B.Iterations->signedValue();
    if (Launch)
      if (auto Range = iterationsOf(B, X, *Launch))
        O["launch"] = json::Object{{"least", Range->Least},
                                   {"most", Range->Most},
                                   {"mean", Range->Mean}};
  }
  if (!B.Deciders.empty())
    O["decided_by"] = loadArray(B.Deciders, X);
  if (!B.Reason.empty())
    O["reason"] = B.Reason;
  return O;
}

static json::Object costJSON(const RequestCost &Cost, HeddleMemorySpace Space) {
  if (Space == HEDDLE_SPACE_SHARED)
    return json::Object{{"passes", Cost.Conflicts}};
  return json::Object{{"sectors", Cost.Sectors},
                      {"lines", Cost.Lines},
                      {"ideal_sectors", Cost.IdealSectors}};
}

json::Object reportJSON(AnalyzedKernel &K, const LaunchValues *Launch) {
  KernelExpressions &X = K.expressions();
  json::Array Loops, Branches, Accesses;
  for (const LoopBound &B : K.loops().loops())
    Loops.push_back(loopJSON(B, X, Launch));
  for (const BranchCondition &C : K.branches().branches()) {
    json::Object O;
    addPlace(O, *C.Terminator);
    O["condition"] = X.text(C.Condition);
    O["class"] = nameOf(C.Class);
    O["may_diverge"] = C.MayDiverge;
    if (C.ExitOfLoop >= 0)
      O["exit_of"] = int64_t(C.ExitOfLoop);
    if (C.FirstWarpLanes)
      O["lanes_of_warp_0"] = laneText(*C.FirstWarpLanes);
    if (!C.Loads.empty())
      O["data"] = loadArray(C.Loads, X);
    Branches.push_back(std::move(O));
  }
  for (const Access &A : K.accesses().accesses()) {
    json::Object O;
    addPlace(O, *A.Inst);
    O["operation"] = operationName(A);
    O["bytes"] = int64_t(A.Bytes);
    O["space"] = spaceName(A.Space);
    O["object"] = A.Object;
    O["class"] = nameOf(A.Class);
    json::Object Factors;
    for (const AffineForm::Term &T : A.Form.Terms)
      Factors[X.text(T.Variable)] = X.text(T.Factor);
    O["bytes_per_step"] = std::move(Factors);
    if (!A.Loads.empty())
      O["data"] = loadArray(A.Loads, X);
    if (A.Cost)
      O["per_request"] = costJSON(*A.Cost, A.Space);
    if (Launch && A.Space != HEDDLE_SPACE_LOCAL)
      if (auto Cost = costOfLaunch(A, X.pool(), *Launch))
        O["per_request_of_launch"] = costJSON(*Cost, A.Space);
    Accesses.push_back(std::move(O));
  }
  json::Object Report;
  Report["kernel"] = demangle(K.kernel().getName());
  Report["symbol"] = K.kernel().getName();
  Report["loops"] = std::move(Loops);
  Report["branches"] = std::move(Branches);
  Report["accesses"] = std::move(Accesses);
  if (std::string What = givenUp(X, Launch); !What.empty())
    Report["given_up"] = What;
  return Report;
}

} // namespace heddle
