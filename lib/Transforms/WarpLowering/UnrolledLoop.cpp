//===- UnrolledLoop.cpp - A loop and what its unrolling leaves over -------===//

#include "UnrolledLoop.h"

#include "LoopRound.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"

using namespace llvm;

namespace heddle {

namespace {

class Finder {
public:
  explicit Finder(BasicBlock &Main) : Body(Main), T(Main.getDataLayout()) {}
  bool find() { return findBlocks() && isSelfContained() && findState(); }
  UnrolledLoop Found;

private:
  using Part = UnrolledLoop::Part;
  using Carried = UnrolledLoop::Carried;

  bool findBlocks();
  bool isSelfContained() const;
  bool findState();
  bool assign(ArrayRef<PHINode *> Left);
  bool isProven();
  std::optional<Carried> pair(PHINode &Main, PHINode &Remainder) const;
  bool isHandedOn(PHINode &Main, PHINode &Remainder) const;
  Value *resultOf(PHINode &Phi, const LoopRound &Main) const;

  BasicBlock &Body;
  Terms T;
  /// A round of each part by itself, and the last of as many rounds of the
  /// remainder as are one of the main loop.
  std::optional<LoopRound> MainAlone, First, Last;
  unsigned Attempts = 0;
};

} // namespace

/// The part whose loop is \p Body, with what comes before it and after it.
static bool describe(BasicBlock &Body, UnrolledLoop::Part &Part,
                     BasicBlock *&From, BasicBlock *&To) {
  std::optional<Countdown> Count = findCountdown(Body);
  if (!Count || pred_size(&Body) != 2)
    return false;
  Part.Body = &Body;
  Part.Count = *Count;
  Part.Before =
      *find_if(predecessors(&Body), [&](BasicBlock *B) { return B != &Body; });
  From = Part.Before->getSingleSuccessor() ? Part.Before->getSinglePredecessor()
                                           : Part.Before;
  To = *find_if(successors(&Body), [&](BasicBlock *B) { return B != &Body; });
  return From;
}

/// Whether \p From branches either to what comes before \p Part or to \p Past.
static bool branchesAround(const BasicBlock *From,
                           const UnrolledLoop::Part &Part,
                           const BasicBlock *Past) {
  const auto *Br = dyn_cast<BranchInst>(From->getTerminator());
  const BasicBlock *Into = Part.Before == From ? Part.Body : Part.Before;
  return Br && Br->isConditional() && Into != Past &&
         is_contained(successors(From), Into) &&
         is_contained(successors(From), Past);
}

bool Finder::findBlocks() {
  if (!describe(Body, Found.Main, Found.Join, Found.Exit) ||
      !branchesAround(Found.Join, Found.Main, Found.Exit) ||
      pred_size(Found.Join) != 2)
    return false;
  for (BasicBlock *B : predecessors(Found.Join)) {
    BasicBlock *To = nullptr;
    if (!is_contained(successors(B), B) ||
        !describe(*B, Found.Remainder, Found.Entry, To) || To != Found.Join)
      continue;
    // More copies of a loop are not worth proving.
    constexpr unsigned MostShift = 4;
    const Countdown &Main = Found.Main.Count, &Single = Found.Remainder.Count;
    Found.FactorShift = Main.Shift - Single.Shift;
    return Main.Shift > Single.Shift && Found.FactorShift <= MostShift &&
           Main.Phi->getType() == Single.Phi->getType() &&
           is_contained(predecessors(Found.Join), Found.Entry) &&
           branchesAround(Found.Entry, Found.Remainder, Found.Join);
  }
  return false;
}

/// Whether nothing but the exit's phis uses what is computed here, the loops
/// write nothing, and the blocks around them only compute.
bool Finder::isSelfContained() const {
  const BasicBlock *Loops[] = {Found.Remainder.Body, Found.Main.Body};
  SmallVector<const BasicBlock *, 5> Blocks(Loops, std::end(Loops));
  Blocks.push_back(Found.Join);
  for (const BasicBlock *B : {Found.Remainder.Before, Found.Main.Before})
    if (B != Found.Entry && B != Found.Join)
      Blocks.push_back(B);
  auto isOutside = [&](const Use &U) {
    const auto *User = cast<Instruction>(U.getUser());
    const auto *Phi = dyn_cast<PHINode>(User);
    if (Phi && Phi->getParent() == Found.Exit)
      return !is_contained(Blocks, Phi->getIncomingBlock(U));
    return !is_contained(Blocks, User->getParent());
  };
  for (const BasicBlock *Block : Blocks)
    for (const Instruction &I : *Block) {
      bool MayBeSkipped =
          isa<PHINode>(I) || I.isTerminator() || is_contained(Loops, Block) ||
          (!I.mayReadFromMemory() && isSafeToSpeculativelyExecute(&I));
      if (!MayBeSkipped || I.mayWriteToMemory() || any_of(I.uses(), isOutside))
        return false;
    }
  return true;
}

/// Whether \p Main starts with what \p Remainder ends with or, in lanes that
/// have not come by there, would have started with.
bool Finder::isHandedOn(PHINode &Main, PHINode &Remainder) const {
  auto *Phi = dyn_cast<PHINode>(Found.Main.start(Main));
  if (!Phi || Phi->getParent() != Found.Join)
    return false;
  Value *Past = Phi->getIncomingValueForBlock(Found.Entry);
  return Phi->getIncomingValueForBlock(Found.Remainder.Body) ==
             Found.Remainder.next(Remainder) &&
         (Past == Found.Remainder.start(Remainder) || isa<PoisonValue>(Past));
}

/// How the two phis would belong to each other, if they do.
std::optional<UnrolledLoop::Carried> Finder::pair(PHINode &Main,
                                                  PHINode &Remainder) const {
  if (Main.getType() != Remainder.getType())
    return std::nullopt;
  Carried Pair{&Main, &Remainder, First->step(Remainder)};
  std::optional<int64_t> MainStep = MainAlone->step(Main);
  if (Pair.Step.has_value() != MainStep.has_value() ||
      (!Pair.Step && !isHandedOn(Main, Remainder)))
    return std::nullopt;
  if (!Pair.Step)
    return Pair;
  if (uint64_t(*MainStep) != uint64_t(*Pair.Step) << Found.FactorShift)
    return std::nullopt;
  // What the first of the copies uses is what the remainder uses.
  auto OfMain = MainAlone->offsets(Main),
       OfRemainder = First->offsets(Remainder);
  if (OfMain.empty() != OfRemainder.empty())
    return std::nullopt;
  auto first = [&](ArrayRef<int64_t> Offsets) {
    return *Pair.Step > 0 ? *min_element(Offsets) : *max_element(Offsets);
  };
  if (!OfMain.empty())
    Pair.Ahead = uint64_t(first(OfRemainder)) - uint64_t(first(OfMain));
  return Pair;
}

/// The value for Exit's phi after a round of the remainder, or null.
Value *Finder::resultOf(PHINode &Phi, const LoopRound &Main) const {
  Value *Past = Phi.getIncomingValueForBlock(Found.Join),
        *Through = Phi.getIncomingValueForBlock(Found.Main.Body);
  if (auto *Joined = dyn_cast<PHINode>(Past);
      Joined && Joined->getParent() == Found.Join)
    Past = Joined->getIncomingValueForBlock(Found.Remainder.Body);
  auto isBetween = [&](const Value *V) {
    const auto *I = dyn_cast<Instruction>(V);
    return I &&
           is_contained({Found.Join, Found.Remainder.Before, Found.Main.Before},
                        I->getParent());
  };
  auto *Before = dyn_cast<PHINode>(Past);
  if (isBetween(Past) || isBetween(Through) ||
      (Before && Before->getParent() == Found.Remainder.Body))
    return nullptr;
  return Last->of(Past) == Main.of(Through) ? Past : nullptr;
}

/// Whether, with the phis paired as they are, a round of the main loop leaves
/// what its rounds of the remainder leave.
bool Finder::isProven() {
  LoopRound::State Start, End = Last->next();
  auto ahead = [&](const Carried &C, Term OfRemainder) {
    return T.plus(OfRemainder, C.Ahead, C.Main->getType());
  };
  for (const Carried &C : Found.State)
    Start[C.Main] = ahead(C, First->of(C.Remainder));
  LoopRound Main(T, *Found.Main.Body, Start);
  LoopRound::State MainEnd = Main.next();
  for (const Carried &C : Found.State)
    if (MainEnd[C.Main] != ahead(C, End[C.Remainder]))
      return false;
  Found.Results.clear();
  for (PHINode &Phi : Found.Exit->phis()) {
    Value *Result = resultOf(Phi, Main);
    if (!Result)
      return false;
    Found.Results.push_back({&Phi, Result});
  }
  return true;
}

/// Tries all ways to pair the phis of the main loop that are left.
bool Finder::assign(ArrayRef<PHINode *> Left) {
  constexpr unsigned MostAttempts = 64;
  if (Left.empty())
    return ++Attempts <= MostAttempts && isProven();
  for (PHINode &Phi : Found.Remainder.Body->phis()) {
    std::optional<Carried> Pair = pair(*Left.front(), Phi);
    if (&Phi == Found.Remainder.Count.Phi || !Pair)
      continue;
    Found.State.push_back(*Pair);
    if (assign(Left.drop_front()))
      return true;
    Found.State.pop_back();
  }
  return false;
}

bool Finder::findState() {
  BasicBlock &Remainder = *Found.Remainder.Body;
  MainAlone.emplace(T, *Found.Main.Body);
  First.emplace(T, Remainder);
  Last.emplace(*First);
  for (unsigned N = 1; N < 1u << Found.FactorShift; ++N)
    Last.emplace(T, Remainder, Last->next());
  SmallVector<PHINode *, 8> Phis;
  for (PHINode &Phi : Found.Main.Body->phis())
    if (&Phi != Found.Main.Count.Phi)
      Phis.push_back(&Phi);
  return assign(Phis);
}

std::optional<UnrolledLoop> findUnrolledLoop(BasicBlock &Main) {
  Finder F(Main);
  return F.find() ? std::optional(std::move(F.Found)) : std::nullopt;
}

} // namespace heddle
