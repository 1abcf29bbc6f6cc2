//===- WarpPlanTest.cpp - Warps that do the same, decoded once ------------===//

#include "../Timing/SyntheticLaunch.h"

#include "interval/BlockIntake.h"
#include "interval/IntervalModel.h"
#include "interval/ProfileCollector.h"
#include "interval/WarpPlan.h"

#include <algorithm>

using namespace heddle;
using namespace heddle::interval;
using namespace heddle::timing::test;

namespace {

/// Loads, and stores to a third of the place, \p Times times. Warps begin
/// \p Skew bytes further than a line after the one before.
SyntheticSource copies(unsigned Blocks, unsigned Times, unsigned Skew) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_GLOBAL, {}, {1});
  return SyntheticSource(
      Code.Table, Blocks, 64,
      [=](trace::WarpEncoder &E, uint64_t Block, unsigned Warp) {
        const uint64_t Begin = (Block * 2 + Warp) * (Times * 128 + Skew);
        for (unsigned T = 0; T < Times; ++T) {
          E.block(0, ~0u);
          E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                   lanes((1 << 20) + Begin + T * 128, 4).data());
          E.memory(1, HEDDLE_SPACE_GLOBAL, ~0u,
                   lanes((1 << 28) + Begin / 3 / 4 * 4 + T * 128, 4).data());
        }
      });
}

/// What makes plans of a launch.
struct Planner {
  explicit Planner(trace::TraceSource &Source)
      : Profile(profileOf(Source)), Code(Profile.Code, Spec),
        Blocks(accessesOf(Profile.Code, Code)),
        Memory(Spec, Spec.L1, 0, Profile), Intake(Source, Profile),
        Plans(Profile.Code, Code, Blocks, Memory) {}
  static IntervalProfile profileOf(trace::TraceSource &Source) {
    IntervalProfile P;
    P.Launch = Source.header();
    P.Code = Source.code();
    P.Sites.resize(P.Code.Insts.size());
    return P;
  }

  const arch::GPUSpec Spec = smallMachine();
  IntervalProfile Profile;
  const DecodedCode Code;
  const std::vector<BlockAccesses> Blocks;
  FunctionalMemory Memory;
  BlockIntake Intake;
  WarpPlans Plans;
};

/// The lines that the warps of \p Source touch, by plan or by decoding; counts
/// the plans.
struct Seen {
  std::vector<std::pair<uint64_t, uint16_t>> Planned, Decoded;
  size_t Plans = 0, Warps = 0;
};

Seen look(trace::TraceSource &Source) {
  Planner Of(Source);
  auto &[Spec, P, Code, Blocks, Memory, Intake, Plans] = Of;
  Seen Out;
  HeldBlock Block;
  std::vector<const WarpPlan *> Different;
  for (uint64_t N = 0; N < P.Launch.Grid.count(); ++N) {
    EXPECT_TRUE(Intake.read(N, Block).has_value());
    for (const HeldBlock::Warp &W : Block.Warps) {
      ++Out.Warps;
      const std::span<uint64_t> Bases = Block.bases(W);
      const WarpPlan *Plan = Plans.find(W.Class, W.Body, Bases);
      if (!Plan)
        continue;
      if (!std::ranges::count(Different, Plan))
        Different.push_back(Plan);
      for (const WarpPlan::Access &A : Plan->Accesses)
        for (unsigned L = 0; L < A.NumLines; ++L) {
          const memory::LineAccess &Line = Plan->Lines[A.FirstLine + L];
          Out.Planned.emplace_back(Line.Line + Plans.origin(Bases[A.Base]),
                                   Line.Sectors);
        }
      trace::WarpCursor C;
      C.reset(P.Code, W.Body, Bases);
      memory::LineAccess Lines[memory::Coalescer::MaxLines];
      while (C.next())
        for (uint32_t PC : Blocks[C.block()].OffChip) {
          const unsigned Count =
              Memory.linesOf(Code[PC], C.access(Code[PC].Memory), Lines);
          for (unsigned L = 0; L < Count; ++L)
            Out.Decoded.emplace_back(Lines[L].Line, Lines[L].Sectors);
        }
    }
  }
  Out.Plans = Different.size();
  return Out;
}

} // namespace

TEST(WarpPlan, HasTheLinesOfEveryWarpOfTheBody) {
  SyntheticSource Aligned = copies(40, 5, 0);
  const Seen S = look(Aligned);
  EXPECT_FALSE(S.Planned.empty());
  EXPECT_EQ(S.Planned, S.Decoded);
  EXPECT_LT(S.Plans, S.Warps);
}

TEST(WarpPlan, IsAnotherWhereWarpsBeginElsewhereInTheLine) {
  SyntheticSource Skewed = copies(40, 5, 64);
  const Seen S = look(Skewed);
  EXPECT_EQ(S.Planned, S.Decoded);
  EXPECT_GT(S.Plans, 1u);
  EXPECT_LE(S.Plans, 16u);
}

TEST(BlockIntake, KeepsBodiesOnceAndTheOthersWithTheBlock) {
  CodeBuilder Code;
  Code.chain(3);
  // Block N is 3 * (N + 1) instructions long, so all bodies differ.
  SyntheticSource S(Code.Table, 600, 32,
                    [](trace::WarpEncoder &E, uint64_t Block, unsigned) {
                      for (uint64_t I = 0; I <= Block; ++I)
                        E.block(0, I % 2 ? ~0u : 1u);
                    });
  IntervalProfile P;
  P.Launch = S.header();
  P.Code = S.code();
  BlockIntake Intake(S, P);
  HeldBlock Block;
  uint64_t Warps = 0;
  for (uint64_t N = 0; N < 600; ++N) {
    ASSERT_TRUE(Intake.read(N, Block).has_value());
    EXPECT_EQ(Block.Size.Insts, 3 * (N + 1));
    EXPECT_EQ(Block.Size.Chain, Block.Size.Insts);
    trace::WarpCursor C;
    C.reset(P.Code, Block.Warps[0].Body, Block.bases(Block.Warps[0]));
    uint64_t Events = 0;
    while (C.next())
      ++Events;
    EXPECT_EQ(Events, N + 1);
  }
  EXPECT_LE(P.Classes.size(), 512u);
  EXPECT_GT(P.Classes.size(), 1u);
  for (const WarpClass &C : P.Classes)
    Warps += C.Count;
  EXPECT_EQ(Warps, 600u);
}

/// What the first blocks write stays in L2 for a while; the part that is read
/// must not stand for the rest in that.
TEST(ProfileCollector, ScalesWhatReachesDRAMByTheLastRound) {
  const arch::GPUSpec Spec = smallMachine();
  CollectOptions Options;
  Options.KeepInsts = Options.KeepOfUnequal = 1000;
  Options.SampleShift = 0;
  SyntheticSource Part = copies(20000, 5, 0), All = copies(20000, 5, 0);
  auto P = collectProfile(Part, Spec, Options);
  Options.Whole = true;
  auto Q = collectProfile(All, Spec, Options);
  ASSERT_TRUE(P.has_value() && Q.has_value());
  EXPECT_LT(P->CollectedShare, 0.2);
  EXPECT_NEAR(double(P->DRAMWriteSectors) / double(Q->DRAMWriteSectors), 1,
              0.03);
  EXPECT_NEAR(double(P->DRAMReadSectors) / double(Q->DRAMReadSectors), 1, 0.03);
}

/// Two warps that wait for a line in each lane, of more lines than L1 has. A
/// line on its way keeps its place, so what has come leaves before it is used
/// again, unless lines get their place when they come.
TEST(ProfileCollector, LinesOnTheirWayPushOutThoseThatHaveCome) {
  auto hitsWith = [](arch::AllocateOn Allocate) {
    arch::GPUSpec Spec = smallMachine();
    Spec.L1.Replace = arch::Replacement::NotRecent;
    Spec.L1.Allocate = Allocate;
    Spec.L1.Size = 48 * Spec.L1.Line;
    Spec.L1.Ways = 48;
    Spec.L1.Unified = 0;
    CodeBuilder Code;
    Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
    SyntheticSource Source(
        Code.Table, 1, 64, [](trace::WarpEncoder &E, uint64_t, unsigned Warp) {
          for (unsigned Times = 0; Times < 50; ++Times) {
            E.block(0, ~0u);
            E.memory(0, HEDDLE_SPACE_GLOBAL, ~0u,
                     lanes((1 << 20) + Warp * 4096, 128).data());
          }
        });
    auto P = collectProfile(Source, Spec, {});
    EXPECT_TRUE(P.has_value());
    return P ? double(P->L1.Hits) / double(P->L1.Accesses) : -1;
  };
  const double OnMiss = hitsWith(arch::AllocateOn::Miss),
               OnFill = hitsWith(arch::AllocateOn::Fill);
  EXPECT_LT(OnMiss, 0.5 * OnFill) << OnMiss << " " << OnFill;
  EXPECT_GT(OnFill, 0.3);
}
