//===- SavedStateTest.cpp - Simulations that go on later ------------------===//

#include "Restarts.h"
#include "SyntheticLaunch.h"

#include "arch/SpecReader.h"
#include "trace/Compression.h"

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::timing::test;

/// Addresses that follow no pattern.
static std::array<uint64_t, 32> scattered(uint64_t Seed, uint64_t Bytes) {
  std::array<uint64_t, 32> A;
  for (uint64_t &Each : A) {
    Seed = Seed * 6364136223846793005 + 1442695040888963407; // Knuth, TAOCP 2
    Each = (Seed >> 33) % (Bytes / 4) * 4;
  }
  return A;
}

/// A kernel that uses most of a machine: each warp loads, stores and adds at
/// places of its own, in all memories, and waits for the others.
static trace::CodeTable mixedCode(uint8_t BarrierFlags = 0) {
  CodeBuilder Code;
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_GLOBAL, {1}, {});
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_CONST, {2}, {});
  Code.add(HEDDLE_OP_MAD, {3}, {1, 2});
  Code.add(HEDDLE_OP_SFU, {4}, {3});
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_SHARED, {5}, {});
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_SHARED, {}, {4});
  Code.add(HEDDLE_OP_BARRIER, {}, {}).Flags = BarrierFlags;
  Code.newBlock();
  Code.memory(HEDDLE_OP_TEXTURE, HEDDLE_SPACE_TEXTURE, {6}, {});
  Code.memory(HEDDLE_OP_ATOMIC, HEDDLE_SPACE_GLOBAL, {7}, {5});
  Code.memory(HEDDLE_OP_LOAD, HEDDLE_SPACE_LOCAL, {8}, {});
  Code.memory(HEDDLE_OP_STORE, HEDDLE_SPACE_GLOBAL, {}, {8});
  Code.add(HEDDLE_OP_FENCE, {}, {});
  Code.add(HEDDLE_OP_MAD, {9}, {6, 7, 8});
  return Code.Table;
}

static SyntheticSource mixedLaunch(unsigned Blocks, unsigned Rounds,
                                   uint64_t Salt = 1,
                                   uint8_t BarrierFlags = 0) {
  SyntheticSource S(
      mixedCode(BarrierFlags), Blocks, 128,
      [=](trace::WarpEncoder &E, uint64_t Block, unsigned Warp) {
        constexpr HeddleMemorySpace Spaces[] = {
            HEDDLE_SPACE_GLOBAL, HEDDLE_SPACE_CONST,   HEDDLE_SPACE_SHARED,
            HEDDLE_SPACE_SHARED, HEDDLE_SPACE_TEXTURE, HEDDLE_SPACE_GLOBAL,
            HEDDLE_SPACE_LOCAL,  HEDDLE_SPACE_GLOBAL};
        uint64_t Seed = Salt * 7919 + Block * 131 + Warp;
        for (unsigned Round = 0; Round < Rounds; ++Round)
          for (unsigned B = 0; B < 2; ++B) {
            const uint32_t Mask = B && Round % 3 == 1 ? 0x0f0f3355u : ~0u;
            E.block(B, Mask);
            for (unsigned R = B * 4; R < B * 4 + 4; ++R) {
              const uint64_t Size = Spaces[R] == HEDDLE_SPACE_GLOBAL  ? 1 << 20
                                    : Spaces[R] == HEDDLE_SPACE_LOCAL ? 64
                                                                      : 8192;
              E.memory(R, Spaces[R], Mask, scattered(++Seed, Size).data());
            }
          }
      });
  S.Header.SharedBytesPerBlock = 8192;
  S.Header.LocalBytesPerThread = 64;
  return S;
}

static arch::GPUSpec machine(const std::string &Name, unsigned SMs,
                             const std::vector<std::string> &Sets = {}) {
  auto M = arch::loadMachine(Name, Sets);
  EXPECT_TRUE(M.has_value()) << (M ? "" : M.error().Message);
  M->SM.Count = SMs;
  return *M;
}

TEST(SavedState, GoesOnWhereItStoppedOnAllKindsOfMachines) {
  SyntheticSource S = mixedLaunch(60, 3);
  for (const char *Name : {"v100", "a100", "h100", "gtx480", "p100",
                           "reference-gtx480", "reference-qv100", "gpumech"})
    expectSameInParts(S, machine(Name, 4), 9);
}

TEST(SavedState, KeepsWhatPoliciesRemember) {
  SyntheticSource S = mixedLaunch(40, 3);
  for (const char *Policy : {"lrr", "gto", "two-level"})
    for (const char *Name : {"v100", "reference-gtx480"})
      expectSameInParts(
          S, machine(Name, 2, {std::string("sm.scheduler=") + Policy}), 15);
}

TEST(SavedState, KeepsBlocksThatMeet) {
  SyntheticSource S = mixedLaunch(16, 4, 1, HEDDLE_INST_GRID);
  expectSameInParts(S, machine("v100", 4), 25);
}

TEST(SavedState, KeepsTheDispatcher) {
  SyntheticSource S = mixedLaunch(300, 1);
  expectSameInParts(S, machine("v100", 3, {"launch.blocks_per_cycle=0.01"}),
                    12);
}

namespace {
/// A simulation that was stopped in the middle.
struct Stopped {
  arch::GPUSpec Spec = machine("v100", 2);
  SyntheticSource Source = mixedLaunch(30, 2);
  HeldState Held;

  Stopped() {
    const auto R = simulateUntil(Source, Spec, 8000, Held);
    EXPECT_TRUE(R && R->Truncated);
    EXPECT_EQ(Held.Kept, 1u);
  }
  /// Why \p S does not go on from \p State.
  std::string refusal(SyntheticSource &S, std::vector<uint8_t> State) const {
    HeldState Other;
    Other.State = std::move(State);
    const auto R = simulateUntil(S, Spec, NeverCycle, Other);
    return R ? "" : R.error().Message;
  }
};
} // namespace

TEST(SavedState, DamagedOnesAreRefused) {
  Stopped Run;
  const std::vector<uint8_t> Good = Run.Held.State;
  EXPECT_EQ(Run.refusal(Run.Source, Good), "");
  const size_t Step = std::max<size_t>(1, Good.size() / 40);
  for (size_t At = 0; At < Good.size(); At += Step) {
    std::vector<uint8_t> Flipped = Good;
    Flipped[At] ^= 0x10;
    // Some bits of a compressed frame say nothing.
    const auto Raw = trace::decompress(Flipped, uint64_t(1) << 30);
    if (!Raw || *Raw != *trace::decompress(Good, uint64_t(1) << 30))
      EXPECT_NE(Run.refusal(Run.Source, Flipped), "") << At;
    if (At)
      EXPECT_NE(Run.refusal(Run.Source, {Good.begin(), Good.begin() + At}), "")
          << At;
  }
}

/// Whoever writes such a file can compress it, too: what names warps and traces
/// is checked.
TEST(SavedState, HostileOnesDoNoHarm) {
  Stopped Run;
  const auto Good = trace::decompress(Run.Held.State, uint64_t(1) << 30);
  ASSERT_TRUE(Good.has_value());
  const size_t Step = std::max<size_t>(1, Good->size() / 40);
  for (size_t At = 0; At < Good->size(); At += Step) {
    std::vector<uint8_t> Changed = *Good;
    Changed[At] ^= 0xff;
    HeldState Other;
    Other.State = trace::compress(Changed, 1);
    const auto R = simulateUntil(Run.Source, Run.Spec, 0, Other);
    EXPECT_TRUE(R || !R.error().Message.empty()) << At;
  }
}

TEST(SavedState, ThoseOfOtherLaunchesAreRefused) {
  Stopped Run;
  SyntheticSource OtherBlocks = mixedLaunch(30, 2, 2);
  EXPECT_NE(Run.refusal(OtherBlocks, Run.Held.State).find("other blocks"),
            std::string::npos);
  SyntheticSource OtherGrid = mixedLaunch(31, 2);
  EXPECT_NE(Run.refusal(OtherGrid, Run.Held.State).find("another launch"),
            std::string::npos);
}

/// Nothing is kept before the first window, and nothing at MaxCycles: windows
/// would lie elsewhere.
TEST(SavedState, IsNotKeptWhereItCannotGoOn) {
  SyntheticSource S = mixedLaunch(30, 2);
  const arch::GPUSpec M = machine("v100", 2);
  HeldState Held;
  ASSERT_TRUE(simulateUntil(S, M, 0, Held).has_value());
  EXPECT_EQ(Held.Kept, 0u);
  SimulationOptions O;
  O.MaxCycles = 8000;
  O.States = &Held;
  const auto R = simulate(S, M, O);
  EXPECT_TRUE(R && R->Truncated);
  EXPECT_EQ(Held.Kept, 0u);
}
