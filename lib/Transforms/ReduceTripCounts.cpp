//===- ReduceTripCounts.cpp - The same loops, fewer iterations ------------===//

#include "heddle/Transforms/ReduceTripCounts.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/InstSimplifyFolder.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"

using namespace llvm;

namespace heddle {

namespace {

using Builder = IRBuilder<InstSimplifyFolder>;

/// A test that ends a loop: it goes on while "Induction Continue Bound".
struct CountedTest {
  BranchInst *Branch = nullptr;
  ICmpInst *Compare = nullptr;
  const SCEVAddRecExpr *Induction = nullptr;
  unsigned BoundOperand = 0; ///< of Compare
  CmpInst::Predicate Continue = CmpInst::BAD_ICMP_PREDICATE;
  Value *bound() const { return Compare->getOperand(BoundOperand); }
};

class TripCutter {
public:
  explicit TripCutter(Function &F)
      : F(F), Libraries(F.getParent()->getTargetTriple()), Library(Libraries),
        Assumptions(F), DT(F), LI(DT), SE(F, Library, Assumptions, DT, LI) {}

  std::vector<ReducedLoop> run(function_ref<TripCut(unsigned)> CutOf);

private:
  bool runsInEachTrip(const Loop &L, const BasicBlock *B) const;
  std::optional<CountedTest> countedTest(Loop &L, BasicBlock *Exiting);
  std::optional<CountedTest> testOf(Loop &L, bool OnlyOne);
  Instruction *placeBefore(Loop &L);
  Value *movedBound(const CountedTest &T, uint64_t Factor, Builder &B,
                    SCEVExpander &Expander);
  const SCEV *assumedCount(const CountedTest &T);
  Value *steppedBound(Loop &L, const CountedTest &T, uint64_t Factor,
                      SCEVExpander &Expander, Instruction *Where);
  bool divide(Loop &L, const CountedTest &T, uint64_t Factor);
  bool bound(Loop &L, uint64_t MostTrips);

  Function &F;
  TargetLibraryInfoImpl Libraries;
  TargetLibraryInfo Library;
  AssumptionCache Assumptions;
  DominatorTree DT;
  LoopInfo LI;
  ScalarEvolution SE;
};

} // namespace

bool TripCutter::runsInEachTrip(const Loop &L, const BasicBlock *B) const {
  SmallVector<BasicBlock *, 4> Latches;
  L.getLoopLatches(Latches);
  return all_of(Latches,
                [&](BasicBlock *Latch) { return DT.dominates(B, Latch); });
}

std::optional<CountedTest> TripCutter::countedTest(Loop &L,
                                                   BasicBlock *Exiting) {
  CountedTest T;
  T.Branch = dyn_cast<BranchInst>(Exiting->getTerminator());
  if (!T.Branch || !T.Branch->isConditional() || !runsInEachTrip(L, Exiting))
    return std::nullopt;
  T.Compare = dyn_cast<ICmpInst>(T.Branch->getCondition());
  if (!T.Compare || !T.Compare->getOperand(0)->getType()->isIntOrPtrTy())
    return std::nullopt;
  T.Continue = L.contains(T.Branch->getSuccessor(0))
                   ? T.Compare->getPredicate()
                   : T.Compare->getInversePredicate();
  for (unsigned Operand : {0, 1}) {
    const auto *Induction =
        dyn_cast<SCEVAddRecExpr>(SE.getSCEV(T.Compare->getOperand(Operand)));
    if (!Induction || Induction->getLoop() != &L || !Induction->isAffine() ||
        !SE.isLoopInvariant(SE.getSCEV(T.Compare->getOperand(1 - Operand)), &L))
      continue;
    T.Induction = Induction;
    T.BoundOperand = 1 - Operand;
    if (Operand == 1)
      T.Continue = CmpInst::getSwappedPredicate(T.Continue);
    return T;
  }
  return std::nullopt;
}

/// The test that counts; with \p OnlyOne if it is the only way out.
std::optional<CountedTest> TripCutter::testOf(Loop &L, bool OnlyOne) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  if (OnlyOne && Exiting.size() != 1)
    return std::nullopt;
  for (BasicBlock *B : Exiting)
    if (auto T = countedTest(L, B))
      return T;
  return std::nullopt;
}

/// Where what the loop needs is computed: once, just before it. Null if its
/// entry cannot be told.
Instruction *TripCutter::placeBefore(Loop &L) {
  BasicBlock *Before = L.getLoopPreheader();
  if (!Before)
    Before = InsertPreheaderForLoop(&L, &DT, &LI, nullptr,
                                    /*PreserveLCSSA=*/false);
  return Before ? Before->getTerminator() : nullptr;
}

/// Start + (bound - start) / factor, whatever the step of the variable is.
/// Never beyond the bound, whatever wraps.
Value *TripCutter::movedBound(const CountedTest &T, uint64_t Factor, Builder &B,
                              SCEVExpander &Expander) {
  Type *Ty = T.bound()->getType();
  Instruction *Where = &*B.GetInsertPoint();
  const SCEV *Start = T.Induction->getStart(), *End = SE.getSCEV(T.bound());
  if (!Ty->isIntegerTy() || !Expander.isSafeToExpandAt(Start, Where) ||
      !Expander.isSafeToExpandAt(End, Where) ||
      !isUIntN(Ty->getIntegerBitWidth() - 1, Factor))
    return nullptr;
  Value *From = Expander.expandCodeFor(Start, Ty, Where->getIterator());
  Value *To = Expander.expandCodeFor(End, Ty, Where->getIterator());
  Value *By = ConstantInt::get(Ty, Factor);
  bool Up = T.Continue == CmpInst::ICMP_SLT ||
            T.Continue == CmpInst::ICMP_SLE ||
            T.Continue == CmpInst::ICMP_ULT || T.Continue == CmpInst::ICMP_ULE;
  Value *Way = Up ? B.CreateSub(To, From) : B.CreateSub(From, To);
  bool Signed = CmpInst::isSigned(T.Continue);
  Value *Part = Signed ? B.CreateSDiv(Way, By) : B.CreateUDiv(Way, By);
  Value *Moved = Up ? B.CreateAdd(From, Part) : B.CreateSub(From, Part);
  Intrinsic::ID Nearer = Up ? (Signed ? Intrinsic::smin : Intrinsic::umin)
                            : (Signed ? Intrinsic::smax : Intrinsic::umax);
  return B.CreateBinaryIntrinsic(Nearer, Moved, To);
}

/// How often the loop goes back if `!=` ends it without a wrap. That cannot
/// be proved of an unrolled loop whose remainder runs elsewhere.
const SCEV *TripCutter::assumedCount(const CountedTest &T) {
  const auto *Step = dyn_cast<SCEVConstant>(T.Induction->getStepRecurrence(SE));
  if (T.Continue != CmpInst::ICMP_NE || !Step || Step->isZero())
    return SE.getCouldNotCompute();
  const SCEV *Start = T.Induction->getStart(), *End = SE.getSCEV(T.bound());
  const bool Up = Step->getAPInt().isStrictlyPositive();
  const SCEV *Way =
      Up ? SE.getMinusSCEV(End, Start) : SE.getMinusSCEV(Start, End);
  if (isa<SCEVCouldNotCompute>(Way))
    return Way;
  return SE.getUDivExpr(Way, SE.getConstant(Step->getAPInt().abs()));
}

/// The value of the induction variable at the test that shall end the loop.
Value *TripCutter::steppedBound(Loop &L, const CountedTest &T, uint64_t Factor,
                                SCEVExpander &Expander, Instruction *Where) {
  const SCEV *Backedges = SE.getBackedgeTakenCount(&L);
  if (isa<SCEVCouldNotCompute>(Backedges))
    Backedges = assumedCount(T);
  if (isa<SCEVCouldNotCompute>(Backedges) ||
      !isUIntN(SE.getTypeSizeInBits(Backedges->getType()), Factor))
    return nullptr;
  const SCEV *Step = T.Induction->getStepRecurrence(SE);
  const SCEV *Fewer =
      SE.getUDivExpr(Backedges, SE.getConstant(Backedges->getType(), Factor));
  const SCEV *End = SE.getAddExpr(
      T.Induction->getStart(),
      SE.getMulExpr(SE.getTruncateOrZeroExtend(Fewer, Step->getType()), Step));
  if (!Expander.isSafeToExpandAt(End, Where))
    return nullptr;
  return Expander.expandCodeFor(End, T.bound()->getType(),
                                Where->getIterator());
}

bool TripCutter::divide(Loop &L, const CountedTest &T, uint64_t Factor) {
  Instruction *Where = placeBefore(L);
  if (!Where)
    return false;
  SCEVExpander Expander(SE, "trips");
  SCEVExpanderCleaner Cleaner(Expander);
  Builder B(Where->getParent(), Where->getIterator(),
            InstSimplifyFolder(F.getDataLayout()));
  Value *Bound = CmpInst::isRelational(T.Continue)
                     ? movedBound(T, Factor, B, Expander)
                     : nullptr;
  if (!Bound)
    Bound = steppedBound(L, T, Factor, Expander, Where);
  if (!Bound)
    return false;
  Cleaner.markResultUsed();
  ICmpInst *Compare = T.Compare;
  if (!Compare->hasOneUse()) {
    Compare = cast<ICmpInst>(Compare->clone());
    Compare->insertBefore(T.Branch->getIterator());
    T.Branch->setCondition(Compare);
  }
  Compare->setOperand(T.BoundOperand, Bound);
  Compare->setSameSign(false);
  return true;
}

/// Counts trips, and leaves through an exit that is tested in each.
bool TripCutter::bound(Loop &L, uint64_t MostTrips) {
  SmallVector<BasicBlock *, 4> Exiting;
  L.getExitingBlocks(Exiting);
  BranchInst *Branch = nullptr;
  for (BasicBlock *B : Exiting)
    if (auto *Candidate = dyn_cast<BranchInst>(B->getTerminator());
        Candidate && Candidate->isConditional() && runsInEachTrip(L, B))
      Branch = Candidate;
  if (!Branch)
    return false;
  BasicBlock *Header = L.getHeader();
  IRBuilder<> B(Header, Header->begin());
  PHINode *Trip = B.CreatePHI(B.getInt32Ty(), pred_size(Header), "trip");
  B.SetInsertPoint(Header, Header->getFirstInsertionPt());
  Value *Next = B.CreateAdd(Trip, B.getInt32(1), "trip.next");
  for (BasicBlock *From : predecessors(Header))
    Trip->addIncoming(L.contains(From) ? Next : B.getInt32(0), From);
  B.SetInsertPoint(Branch);
  const auto Most =
      uint32_t(std::min(MostTrips, uint64_t(std::numeric_limits<int>::max())));
  Value *Condition = Branch->getCondition();
  Condition =
      L.contains(Branch->getSuccessor(0))
          ? B.CreateAnd(Condition, B.CreateICmpULT(Next, B.getInt32(Most)))
          : B.CreateOr(Condition, B.CreateICmpUGE(Next, B.getInt32(Most)));
  Branch->setCondition(Condition);
  return true;
}

std::vector<ReducedLoop>
TripCutter::run(function_ref<TripCut(unsigned)> CutOf) {
  DenseMap<const BasicBlock *, unsigned> Numbers;
  for (const BasicBlock &B : F)
    Numbers.try_emplace(&B, Numbers.size());
  std::vector<ReducedLoop> Out;
  for (Loop *L : LI.getLoopsInPreorder()) {
    ReducedLoop &R = Out.emplace_back();
    R.Header = Numbers.at(L->getHeader());
    const TripCut Cut = CutOf(R.Header);
    if (Cut.Factor <= 1 && !Cut.MostTrips) {
      R.Reason = "it is not to be cut";
      continue;
    }
    // Where another exit may come first, the count alone says less.
    if (auto T = testOf(*L, /*OnlyOne=*/Cut.MostTrips != 0);
        T && Cut.Factor > 1 && divide(*L, *T, Cut.Factor))
      R.How = ReducedLoop::Divided;
    else if (Cut.MostTrips && bound(*L, Cut.MostTrips))
      R.How = ReducedLoop::Bounded;
    else
      R.Reason = "no test in each trip says how often it goes around";
    SE.forgetAllLoops();
  }
  return Out;
}

PreservedAnalyses ReduceTripCountsPass::run(Function &F,
                                            FunctionAnalysisManager &) {
  if (F.isDeclaration())
    return PreservedAnalyses::all();
  const size_t Blocks =
      F.size(); // a loop may get a block before it for nothing
  std::vector<ReducedLoop> Loops = TripCutter(F).run([&](unsigned Header) {
    auto It = Of.find(Header);
    return It == Of.end() ? All : It->second;
  });
  const bool Changed = any_of(
      Loops, [](const ReducedLoop &L) { return L.How != ReducedLoop::Whole; });
  if (Reduced)
    *Reduced = std::move(Loops);
  return Changed || F.size() != Blocks ? PreservedAnalyses::none()
                                       : PreservedAnalyses::all();
}

void ReduceTripCountsPass::printPipeline(
    raw_ostream &OS, function_ref<StringRef(StringRef)> Name) {
  PassInfoMixin<ReduceTripCountsPass>::printPipeline(OS, Name);
  OS << "<factor=" << All.Factor;
  if (All.MostTrips)
    OS << ";most=" << All.MostTrips;
  for (const auto &[Header, Cut] : Of)
    OS << ";loop=" << Header << ':' << Cut.Factor << ':' << Cut.MostTrips;
  OS << '>';
}

/// "HEADER:FACTOR:MOST"
static bool parseLoop(StringRef Text, std::map<unsigned, TripCut> &Of) {
  unsigned Header = 0;
  TripCut Cut;
  return !Text.consumeInteger(10, Header) && Text.consume_front(":") &&
         !Text.consumeInteger(10, Cut.Factor) && Cut.Factor &&
         Text.consume_front(":") && !Text.getAsInteger(10, Cut.MostTrips) &&
         Of.try_emplace(Header, Cut).second;
}

Expected<ReduceTripCountsPass> ReduceTripCountsPass::parse(StringRef Options) {
  ReduceTripCountsPass Pass;
  SmallVector<StringRef, 2> Parts;
  Options.split(Parts, ';', -1, /*KeepEmpty=*/false);
  for (StringRef Part : Parts) {
    auto [Name, Value] = Part.split('=');
    uint64_t *To = Name == "factor" ? &Pass.All.Factor
                   : Name == "most" ? &Pass.All.MostTrips
                                    : nullptr;
    if (To ? Value.getAsInteger(10, *To) || !*To
           : Name != "loop" || !parseLoop(Value, Pass.Of))
      return createStringError("'" + Part +
                               "' is not a reduction of trip counts; write "
                               "factor=N or most=N with N at least 1, or "
                               "loop=HEADER:FACTOR:MOST once for a loop");
  }
  return Pass;
}

} // namespace heddle
