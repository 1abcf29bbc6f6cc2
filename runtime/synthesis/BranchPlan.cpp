//===- BranchPlan.cpp - Where the threads of a clone go -------------------===//

#include "synthesis/BranchPlan.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace heddle::synthesis {

using namespace behavior;

bool BranchPlan::inLoop(unsigned Block, unsigned L) const {
  const auto &Body = P.Loops[L].Blocks;
  return std::find(Body.begin(), Body.end(), Block) != Body.end();
}

/// The block from which most warps leave the loop.
unsigned BranchPlan::chooseExit(unsigned L) const {
  unsigned Best = None;
  uint64_t Most = 0;
  for (const Edge &E : P.Edges)
    if (inLoop(E.From, L) && !inLoop(E.To, L) && E.Count > Most) {
      Most = E.Count;
      Best = E.From;
    }
  return Best;
}

/// The predicate is written at the end of the block in place of the original's
/// comparison, or of some integer instruction.
void BranchPlan::compare(unsigned B, const std::string &Comparison) {
  std::string Register = Code.newRegister(Kind::Predicate);
  std::string Text = fmt::format(fmt::runtime(Comparison), Register);
  if (ChainBlocks::Slot *S = Blocks.lastComparison(B)) {
    S->Removed = true;
    Blocks[B].End.push_back(Text);
  } else {
    Code.end(B, Text);
  }
  Decisions[B].Predicate = Register;
}

void BranchPlan::planExit(unsigned B, unsigned L) {
  Decision &D = Decisions[B];
  if (!inLoop(D.Taken, L))
    std::swap(D.Taken, D.Other);
  std::string Count = Code.iteration(L), Limit = Code.limit(L);
  compare(B, fmt::format("setp.lt.u32 {{}}, {}, {}", Count, Limit));
}

/// Iterations that a condition on nothing else counts: those at the begin and
/// at the end of the original's loop stay there.
static int64_t moved(int64_t Iteration, double Before, int64_t After) {
  if (Iteration == INT64_MIN || Iteration == INT64_MAX)
    return Iteration;
  return Iteration > Before / 2
             ? std::max<int64_t>(After - std::llround(Before) + Iteration, 1)
             : std::min(Iteration, std::max<int64_t>(After - 1, 1));
}

/// Two intervals at once.
void BranchPlan::planBoth(unsigned B, const Branch &Branch) {
  auto Inside = [&](const Keys &Coefficients, int64_t Lower, int64_t Upper) {
    auto [V, Bias] = Code.sumOf(Coefficients, P.Blocks[B].Loop, true);
    if (Lower == INT64_MIN)
      return fmt::format("setp.lt.s32 {{}}, {}, {}", V, Upper - Bias);
    if (Upper == INT64_MAX)
      return fmt::format("setp.ge.s32 {{}}, {}, {}", V, Lower - Bias);
    std::string Above = Code.newRegister(Kind::B32);
    Code.end(B, fmt::format("sub.s32 {}, {}, {}", Above, V, Lower - Bias));
    return fmt::format("setp.lt.u32 {{}}, {}, {}", Above, Upper - Lower);
  };
  const std::string First = Code.newRegister(Kind::Predicate);
  Code.end(B, fmt::format(fmt::runtime(Inside(Branch.Coefficients, Branch.Lower,
                                              Branch.Upper)),
                          First));
  compare(B,
          Inside(Branch.AlsoCoefficients, Branch.AlsoLower, Branch.AlsoUpper));
  const std::string Both = Code.newRegister(Kind::Predicate);
  Code.end(B, fmt::format("and.pred {}, {}, {}", Both, First,
                          Decisions[B].Predicate));
  Decisions[B].Predicate = Both;
}

void BranchPlan::planFixed(unsigned B, const Branch &Branch) {
  Decision &D = Decisions[B];
  if (Branch.Taken != D.Taken)
    std::swap(D.Taken, D.Other);
  int64_t Lower = Branch.Lower, Upper = Branch.Upper;
  // Does one iteration number decide alone?
  unsigned Only = None, Keys = 0;
  for (unsigned K = 0; K < NumKeys; ++K)
    if (Branch.Coefficients[K]) {
      ++Keys;
      Only = K;
    }
  const bool Counts = Keys == 1 && Only >= Iteration0 && !Branch.Modulus;
  if (Counts) {
    unsigned L = P.Blocks[B].Loop;
    while (L != None && P.Loops[L].Depth != Only - Iteration0)
      L = P.Loops[L].Parent;
    if (L != None && Plan.Loops[L].Factor > 1) {
      Lower = moved(Lower, P.Loops[L].MeanTrips, Code.maxTrips(L));
      Upper = moved(Upper, P.Loops[L].MeanTrips, Code.maxTrips(L));
    }
  }
  if (Branch.AlsoCoefficients != behavior::Keys{}) {
    planBoth(B, Branch);
    return;
  }
  auto [V, Bias] = Code.sumOf(Branch.Coefficients, P.Blocks[B].Loop,
                              !Counts && !Branch.Modulus);
  if (Branch.Modulus) {
    std::string Rest = Code.newRegister(Kind::B32);
    if (Bias) {
      Code.end(B, fmt::format("add.s32 {}, {}, {}", Rest, V, Bias));
      V = Rest;
    }
    Code.end(B, fmt::format("and.b32 {}, {}, {}", Rest, V, Branch.Modulus - 1));
    V = Rest;
    Bias = 0;
  }
  if (Lower == INT64_MIN) {
    compare(B, fmt::format("setp.lt.s32 {{}}, {}, {}", V, Upper - Bias));
  } else if (Upper == INT64_MAX) {
    compare(B, fmt::format("setp.ge.s32 {{}}, {}, {}", V, Lower - Bias));
  } else if (Upper - Lower == 1) {
    compare(B, fmt::format("setp.eq.s32 {{}}, {}, {}", V, Lower - Bias));
  } else {
    std::string Above = Code.newRegister(Kind::B32);
    Code.end(B, fmt::format("sub.s32 {}, {}, {}", Above, V, Lower - Bias));
    compare(B, fmt::format("setp.lt.u32 {{}}, {}, {}", Above, Upper - Lower));
  }
}

/// Independent lanes compare the pseudo-random number that each has loaded, or
/// one that each draws.
bool BranchPlan::decidesLanes(unsigned B, const Branch &Branch) {
  // Nearly all of the executions that would be mixed, where it costs
  // instructions.
  constexpr double NearlyAll = 0.95;
  if (const IndexPlan::Loaded By = Indices.loadedIn(B); By.Register) {
    const double Taken = shareOfLanes(P, Branch, IndexPlan::LeastMixed);
    if (Taken <= 0)
      return false;
    std::string Number = Blocks.name(By.Register);
    double Below = Taken;
    if (By.Second) {
      // No number decides alone which lanes go. The sum's distribution is a
      // triangle.
      const std::string Sum = Code.newRegister(Kind::B32);
      Code.end(B, fmt::format("add.u32 {}, {}, {}", Sum, Number,
                              Blocks.name(By.Second)));
      Number = Sum;
      Below = Taken < 0.5 ? std::sqrt(2 * Taken) : 2 - std::sqrt(2 - 2 * Taken);
    }
    compare(B,
            fmt::format("setp.lo.{} {{}}, {}, {}",
                        Blocks.kind(By.Register) == Kind::B16 ? "u16" : "u32",
                        Number, std::llround(Below * By.Limit)));
    return true;
  }
  // Trip counts are drawn for lanes that enter a loop side by side.
  if (std::any_of(Plan.Loops.begin(), Plan.Loops.end(),
                  [](const LoopPlan &L) { return L.How == LoopPlan::Drawn; }))
    return false;
  const double Taken = shareOfLanes(P, Branch, NearlyAll);
  constexpr double MinMixed = 0.1; // less is not worth its instructions
  if (Taken <= 0 || Branch.Mixed < MinMixed)
    return false;
  // Each has its own number and step, as long as they are few: with a common
  // one, branches would be correlated. Trip counts use others.
  constexpr size_t MostOwn = 6;
  const bool IsOwn = P.Blocks[B].Loop != None || LaneStates.size() < MostOwn;
  auto &[State, Step] = LaneStates[IsOwn ? B : None];
  if (State.empty()) {
    // Fractions of the roots of the first primes, in units of 2^-32, odd.
    static constexpr std::array<uint32_t, MostOwn> Roots = {
        0x6A09E667, 0xBB67AE85, 0x3C6EF373, 0xA54FF53B, 0x510E527F, 0x9B05688D};
    Step = Roots[LaneStates.size() % Roots.size()];
    State = Code.newRegister(Kind::B32);
    std::string Thread = Code.threadRandom(1);
    // Other bits of the same number come to the top.
    Code.start(PlannedCode::Entry,
               fmt::format("shf.l.wrap.b32 {0}, {1}, {1}, {2}", State, Thread,
                           4 + 4 * (LaneStates.size() % (MostOwn + 1))));
  }
  Code.end(B, fmt::format("add.u32 {0}, {0}, {1}", State, Step));
  compare(B, fmt::format("setp.lo.u32 {{}}, {}, {}", State,
                         uint32_t(std::min(Taken, 1.0) * 4294967295.0)));
  return true;
}

void BranchPlan::planShare(unsigned B, const Branch &Branch) {
  Decision &D = Decisions[B];
  if (Branch.Taken != D.Taken)
    std::swap(D.Taken, D.Other);
  if (decidesLanes(B, Branch))
    return;
  auto Fixed = [](double Share) {
    return uint32_t(std::min(Share, 1.0) * 4294967295.0);
  };
  std::string State = Code.warpRandom();
  std::string Limit = fmt::format("{}", Fixed(Branch.AllTaken));
  constexpr double MinMixed = 0.01;
  if (Branch.Mixed > MinMixed) {
    // In a mixed execution the first lanes go: their limit is higher.
    std::string Lane = Code.newRegister(Kind::B32),
                First = Code.newRegister(Kind::Predicate),
                Own = Code.newRegister(Kind::B32);
    unsigned Lanes =
        std::clamp(int(std::lround(Branch.MixedLanes * 32)), 1, 31);
    Code.start(PlannedCode::Entry, fmt::format("mov.u32 {}, %laneid", Lane));
    Code.start(PlannedCode::Entry,
               fmt::format("setp.lt.u32 {}, {}, {}", First, Lane, Lanes));
    Code.start(PlannedCode::Entry,
               fmt::format("selp.u32 {}, {}, {}, {}", Own,
                           Fixed(Branch.AllTaken + Branch.Mixed), Limit,
                           First));
    Limit = Own;
  }
  Code.end(B,
           fmt::format("add.u32 {0}, {0}, {1}", State, PlannedCode::WeylStep));
  compare(B, fmt::format("setp.lo.u32 {{}}, {}, {}", State, Limit));
}

/// Whether threads leave a loop one after the other.
static bool decidesThreads(const Branch &B) {
  return B.IsFixed && !B.Modulus &&
         std::any_of(B.Coefficients.begin(),
                     B.Coefficients.begin() + Iteration0,
                     [](int64_t C) { return C != 0; }) &&
         std::any_of(B.Coefficients.begin() + Iteration0, B.Coefficients.end(),
                     [](int64_t C) { return C != 0; });
}

Result<void> BranchPlan::plan() {
  for (const Edge &E : P.Edges) {
    Decision &D = Decisions[E.From];
    (D.Taken == None ? D.Taken : D.Other) = E.To;
  }
  std::vector<unsigned> ExitOf(P.Blocks.size(), None);
  for (unsigned L = 0; L < P.Loops.size(); ++L) {
    if (!P.Blocks[P.Loops[L].Header].ECount || P.Loops[L].MeanTrips <= 0)
      continue;
    unsigned Exit = chooseExit(L);
    if (Exit == None && P.Loops[L].Trips.back() > 1)
      return fail("a loop is left in no way that was seen");
    if (Exit != None && Decisions[Exit].Other != None)
      ExitOf[Exit] = L;
  }
  for (unsigned B = 0; B < P.Blocks.size(); ++B) {
    Decision &D = Decisions[B];
    if (!P.Blocks[B].ECount || D.Taken == None)
      continue;
    auto It = std::find_if(P.Branches.begin(), P.Branches.end(),
                           [&](const Branch &X) { return X.Block == B; });
    // Rare outcomes are left out.
    constexpr double Rare = 0.002;
    if (D.Other != None && ExitOf[B] == None && It != P.Branches.end() &&
        !It->IsFixed) {
      if (It->AllTaken > 1 - Rare || It->AllTaken + It->Mixed < Rare) {
        D.Taken = It->AllTaken > 0.5 ? It->Taken : It->Other;
        D.Other = None;
      }
    }
    if (D.Other == None) {
      if (Blocks[B].Branches)
        if (ChainBlocks::Slot *S = Blocks.lastComparison(B);
            S && S->From->Opcode.starts_with("setp")) {
          S->Pinned = true;
          D.Predicate = Blocks.name(S->From->Defs[0]);
        }
      // Never true: what would follow it goes on.
      if (D.Predicate.empty() && Blocks[B].Branches)
        D.Predicate = "%zp";
      continue;
    }
    if (ExitOf[B] != None && !(It != P.Branches.end() && decidesThreads(*It))) {
      planExit(B, ExitOf[B]);
      continue;
    }
    if (It == P.Branches.end())
      return fail("a block has two successors and no branch");
    if (It->IsFixed)
      planFixed(B, *It);
    else
      planShare(B, *It);
  }
  return {};
}

} // namespace heddle::synthesis
