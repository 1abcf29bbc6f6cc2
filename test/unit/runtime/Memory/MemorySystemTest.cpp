//===- MemorySystemTest.cpp -----------------------------------------------===//

#include "memory/MemorySystem.h"

#include "arch/SpecReader.h"
#include "memory/AddressMap.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

using namespace heddle;
using namespace heddle::memory;

namespace {

arch::GPUSpec machine(std::vector<std::string> Sets = {},
                      const char *Name = "reference-qv100") {
  auto Spec = arch::loadMachine(Name, Sets);
  EXPECT_TRUE(Spec) << (Spec ? "" : Spec.error().Message);
  return *Spec;
}

MemoryRequest read(uint64_t Line, Cycle Sent, uint16_t Sectors = 1,
                   uint16_t SM = 0) {
  MemoryRequest R;
  R.Line = Line;
  R.Sent = Sent;
  R.SM = SM;
  R.SectorMask = Sectors;
  return R;
}

/// Feeds requests window by window and checks what holds for every response.
std::vector<MemoryResponse> run(MemorySystem &M,
                                std::vector<MemoryRequest> Requests) {
  std::sort(Requests.begin(), Requests.end());
  std::vector<MemoryResponse> All;
  size_t At = 0;
  const Cycle Window = M.minRoundTrip();
  for (Cycle End = 0; At != Requests.size() || !M.idle();) {
    End += Window;
    // Nothing is sent any more: go straight to where something is due.
    if (At == Requests.size())
      End = std::max(End, M.nextDue());
    size_t From = At;
    while (At != Requests.size() && Requests[At].Sent < End)
      ++At;
    std::vector<MemoryResponse> Out;
    M.process(std::span(Requests).subspan(From, At - From), End, Out);
    std::map<uint16_t, Cycle> Last;
    for (const MemoryResponse &R : Out) {
      EXPECT_GE(R.Due, End);
      EXPECT_GE(R.Due, Last[R.SM]);
      Last[R.SM] = R.Due;
    }
    All.insert(All.end(), Out.begin(), Out.end());
  }
  return All;
}

TEST(MemorySystem, HitTakesTheMinimalRoundTrip) {
  MemorySystem M(machine());
  M.preload(0x1000, 128);
  auto Out = run(M, {read(0x1000, 10)});
  ASSERT_EQ(Out.size(), 1u);
  EXPECT_GE(Out[0].Due, 10 + M.minRoundTrip());
  EXPECT_LE(Out[0].Due, 10 + M.minRoundTrip() + 4);
  EXPECT_EQ(M.counters().L2Hits, 1u);
  EXPECT_EQ(M.counters().DRAMReads, 0u);
}

TEST(MemorySystem, MissAddsActivateColumnAndLatency) {
  arch::GPUSpec Spec = machine();
  MemorySystem M(Spec);
  auto Out = run(M, {read(0x1000, 0)});
  ASSERT_EQ(Out.size(), 1u);
  // 100 cycles before the queue, then tRCD + tCL + tCCD at 850 of 1132 MHz.
  Cycle Expected = M.minRoundTrip() + 100 + (12 + 12 + 1) * 1132 / 850;
  EXPECT_NEAR(double(Out[0].Due), double(Expected), 6);
  EXPECT_EQ(M.counters().DRAMActivates, 1u);
}

TEST(MemorySystem, RequestsForOneSectorShareTheFetch) {
  MemorySystem M(machine());
  auto Out = run(M, {read(0x1000, 0), read(0x1000, 1, 1, 1)});
  EXPECT_EQ(Out.size(), 2u);
  EXPECT_EQ(M.counters().L2PendingHits, 1u);
  EXPECT_EQ(M.counters().DRAMReads, 1u);
}

TEST(MemorySystem, RowHitsAreCheaperThanRowMisses) {
  auto Streams = [](uint64_t Stride) {
    MemorySystem M(machine({"l2.hash=modulo"}));
    std::vector<MemoryRequest> Requests;
    for (unsigned I = 0; I != 512; ++I)
      Requests.push_back(read(I * Stride, I, 15));
    auto Out = run(M, Requests);
    EXPECT_EQ(Out.size(), 512u);
    Cycle Last = 0;
    for (const MemoryResponse &R : Out)
      Last = std::max(Last, R.Due);
    return std::pair(Last, M.counters());
  };
  // One channel: chunks 64 x 256 bytes apart stay in one slice.
  auto [Sequential, S] = Streams(64 * 256);
  auto [Scattered, R] = Streams(64 * 256 * 128);
  EXPECT_LT(Sequential, Scattered);
  EXPECT_GT(S.DRAMRowHits, R.DRAMRowHits);
  EXPECT_EQ(S.DRAMReads, 2048u);
}

TEST(MemorySystem, SectorsSideBySideShareABurst) {
  auto Reads = [](uint16_t Sectors, unsigned Burst) {
    MemorySystem M(machine({"dram.burst=" + std::to_string(Burst)}));
    EXPECT_EQ(run(M, {read(0x1000, 0, Sectors)}).size(), 1u);
    EXPECT_EQ(M.counters().DRAMReadBytes, M.counters().DRAMReads * Burst);
    return M.counters().DRAMReads;
  };
  EXPECT_EQ(Reads(0b1111, 32), 4u);
  EXPECT_EQ(Reads(0b1111, 64), 2u);
  EXPECT_EQ(Reads(0b0110, 64), 2u);
  EXPECT_EQ(Reads(0b1100, 64), 1u);
  EXPECT_EQ(Reads(0b1000, 64), 1u);
  EXPECT_EQ(Reads(0b1001, 128), 1u);
}

TEST(MemorySystem, BandwidthIsReachedAndNotExceeded) {
  for (const char *Name : {"reference-qv100", "v100", "h100"}) {
    arch::GPUSpec Spec = machine({}, Name);
    MemorySystem M(Spec);
    std::vector<MemoryRequest> Requests;
    constexpr unsigned Count = 40000;
    for (unsigned I = 0; I != Count; ++I)
      Requests.push_back(
          read(uint64_t(I) * 128, I / 16, 15, uint16_t(I % Spec.SM.Count)));
    Cycle Last = 0;
    for (const MemoryResponse &R : run(M, Requests))
      Last = std::max(Last, R.Due);
    double BytesPerCycle = Count * 128.0 / double(Last);
    double Peak = Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core;
    EXPECT_LT(BytesPerCycle, Peak) << Name;
    EXPECT_GT(BytesPerCycle, 0.65 * Peak) << Name;
  }
}

TEST(MemorySystem, WritesStayInL2UntilEvicted) {
  arch::GPUSpec Spec = machine({"l2.size=196608"});
  MemorySystem M(Spec);
  std::vector<MemoryRequest> Requests;
  for (unsigned I = 0; I != 4096; ++I) {
    MemoryRequest R = read(uint64_t(I) * 128, I, 15);
    R.Kind = RequestKind::Write;
    Requests.push_back(R);
  }
  EXPECT_EQ(run(M, Requests).size(), 4096u);
  MemoryCounters C = M.counters();
  EXPECT_EQ(C.L2Writes, 4096u * 4);
  EXPECT_EQ(C.DRAMReads, 0u);
  // All but what L2 holds.
  EXPECT_EQ(C.DRAMWrites, C.L2Writebacks);
  EXPECT_GE(C.DRAMWrites, 4096u * 4 - 196608 / 32);
}

TEST(MemorySystem, AtomicsOnOneAddressSerialise) {
  auto Last = [](unsigned SameAddress) {
    MemorySystem M(machine());
    M.preload(0, 128);
    MemoryRequest R = read(0, 0);
    R.Kind = RequestKind::Atomic;
    R.Lanes = 32;
    R.SameAddress = uint8_t(SameAddress);
    auto Out = run(M, {R});
    EXPECT_EQ(Out.size(), 1u);
    return Out.at(0).Due;
  };
  EXPECT_GE(Last(32), Last(1) + 31);
}

TEST(MemorySystem, FixedLatencyMachineWithoutL2) {
  MemorySystem M(machine({"l2.size=0", "dram.policy=fixed"}));
  MemoryRequest W = read(0x2000, 5);
  W.Kind = RequestKind::Write;
  EXPECT_EQ(run(M, {read(0x1000, 0), W}).size(), 2u);
  EXPECT_EQ(M.counters().DRAMReads, 1u);
  EXPECT_EQ(M.counters().DRAMWrites, 1u);
}

/// A line whose home is the half of L2 that is far from the first SM.
static uint64_t farLine(const arch::GPUSpec &Spec) {
  const AddressMap Map(Spec);
  uint64_t Line = 0x10000;
  while (Map.place(Line).Slice < Spec.L2.Slices / 2)
    Line += 256;
  return Line;
}

TEST(MemorySystem, HalvesOfL2KeepCopies) {
  const arch::GPUSpec Spec = machine({}, "a100");
  const uint64_t Line = farLine(Spec);
  MemorySystem M(Spec);
  M.preload(Line, 128);
  const auto OtherSM = uint16_t(Spec.SM.Count - 1);
  auto Write = read(Line, 20000, 1, OtherSM);
  Write.Kind = RequestKind::Write;
  auto Out = run(M, {read(Line, 0), read(Line, 10000), Write, read(Line, 30000),
                     read(Line, 40000, 1, OtherSM)});
  ASSERT_EQ(Out.size(), 5u);
  const double Near = double(M.minRoundTrip()), Far = Near + 200;
  EXPECT_NEAR(double(Out[0].Due), Far, 8);
  EXPECT_NEAR(double(Out[1].Due - 10000), Near, 4) << "a copy";
  EXPECT_NEAR(double(Out[3].Due - 30000), Far, 8) << "dropped by the write";
  EXPECT_NEAR(double(Out[4].Due - 40000), Near, 4) << "at home";
  EXPECT_EQ(M.counters().DRAMReads, 0u);
}

/// A line of code, or of data, that all SMs of a machine ask for at once.
struct SharedLine {
  uint64_t L2Reads = 0; ///< sectors
  Cycle First = NeverCycle, Last = 0;
};
SharedLine askAtOnce(const arch::GPUSpec &Spec, bool Common) {
  MemorySystem M(Spec);
  std::vector<MemoryRequest> Requests;
  for (unsigned SM = 0; SM != Spec.SM.Count; ++SM) {
    Requests.push_back(read(0x1000, 5, 15, uint16_t(SM)));
    Requests.back().Common = Common;
  }
  SharedLine Line;
  std::vector<bool> Answered(Spec.SM.Count);
  for (const MemoryResponse &R : run(M, Requests)) {
    EXPECT_FALSE(Answered[R.SM]);
    Answered[R.SM] = true;
    Line.First = std::min(Line.First, R.Due);
    Line.Last = std::max(Line.Last, R.Due);
  }
  EXPECT_EQ(std::ranges::count(Answered, true), Spec.SM.Count);
  Line.L2Reads = M.counters().L2Reads;
  return Line;
}

TEST(MemorySystem, CacheOfAGPCAsksForCodeOnce) {
  const arch::GPUSpec Spec = machine({}, "v100");
  const SharedLine Code = askAtOnce(Spec, true), Data = askAtOnce(Spec, false);
  EXPECT_EQ(Code.L2Reads, Spec.Cluster.GPCs * 4u);
  EXPECT_EQ(Data.L2Reads, Spec.SM.Count * 4u);
  // A slice sends 136 bytes, 30 a cycle, to one after the other.
  EXPECT_NEAR(double(Data.Last - Data.First), 79 * 136 / 30.0, 4);
  EXPECT_NEAR(double(Code.Last - Code.First), 5 * 136 / 30.0, 4);
  EXPECT_EQ(askAtOnce(machine({"gpc_cache.size=0"}, "v100"), true).L2Reads,
            Spec.SM.Count * 4u);
}

TEST(MemorySystem, CacheOfAGPCKeepsWhatItHasUntilOthersNeedTheWay) {
  // One set of two lines.
  MemorySystem M(machine({"gpc_cache.size=256", "gpc_cache.ways=2"}, "v100"));
  std::vector<MemoryRequest> Requests;
  for (const uint64_t Line : {0, 1, 0, 2, 0, 1})
    Requests.push_back(read(Line * 128, 5000 * Requests.size(), 3));
  for (MemoryRequest &R : Requests)
    R.Common = true;
  const auto Out = run(M, Requests);
  ASSERT_EQ(Out.size(), Requests.size());
  EXPECT_EQ(M.gpcCounters().ReadHits, 2u);
  EXPECT_EQ(M.counters().L2Reads, 4u * 4u); // whole lines
  EXPECT_NEAR(double(Out[2].Due), 10000.0 + double(M.minRoundTrip()), 4);
}

TEST(MemorySystem, WarmingLeavesCopiesOfWhatIsRead) {
  const arch::GPUSpec Spec = machine({}, "a100");
  const uint64_t Line = farLine(Spec);
  for (bool Written : {false, true}) {
    MemorySystem M(Spec);
    EXPECT_EQ(M.warm(Line, 128, 0, /*Writes=*/false), 4u);
    if (Written)
      M.warm(Line, 128, Spec.SM.Count - 1, /*Writes=*/true);
    const auto Out = run(M, {read(Line, 0)});
    ASSERT_EQ(Out.size(), 1u);
    EXPECT_NEAR(double(Out[0].Due),
                double(M.minRoundTrip()) + (Written ? 200 : 0), 8);
    EXPECT_EQ(M.counters().DRAMReads, 0u);
  }
}

TEST(MemorySystem, StridesOfManyChunksUseAllBanks) {
  // 640 KiB are a multiple of chunks times channels.
  const arch::GPUSpec Spec = machine({}, "a100");
  MemorySystem M(Spec);
  std::vector<MemoryRequest> Requests;
  for (unsigned I = 0; I != 4000; ++I)
    Requests.push_back(read(uint64_t(I) * 640 * 1024, I / 16, 15,
                            uint16_t(I % Spec.SM.Count)));
  Cycle Last = 0;
  for (const MemoryResponse &R : run(M, Requests))
    Last = std::max(Last, R.Due);
  EXPECT_GT(4000 * 128.0 / double(Last),
            0.25 * Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core);
}

TEST(MemorySystem, EveryRequestIsAnsweredOnceForAnyMachine) {
  std::mt19937_64 Random(7);
  for (std::string_view Name : arch::builtinMachines()) {
    for (const char *Set :
         {"dram.queue=2", "l2.mshrs=2", "l2.mshr_merge=1", "l2.ways=1",
          "l2.dirty_share=0.01", "dram.policy=fcfs", "l2.hash=xor"}) {
      arch::GPUSpec Spec = machine({Set}, std::string(Name).c_str());
      MemorySystem M(Spec);
      std::vector<MemoryRequest> Requests;
      for (unsigned I = 0; I != 2000; ++I) {
        MemoryRequest R = read(Random() % 4096 * Spec.L2.Line, Random() % 3000,
                               1, uint16_t(Random() % Spec.SM.Count));
        R.SectorMask =
            uint16_t(1 + Random() % ((1u << Spec.L2.sectorsPerLine()) - 1));
        R.Kind = RequestKind(Random() % 4);
        R.Common = R.Kind == RequestKind::Read && I % 3 == 0;
        R.Lanes = R.SameAddress = uint8_t(1 + Random() % 32);
        R.Sequence = I;
        R.Token = I;
        Requests.push_back(R);
      }
      auto Out = run(M, Requests);
      std::vector<unsigned> Seen(2000);
      for (const MemoryResponse &R : Out)
        ++Seen.at(R.Token);
      EXPECT_EQ(std::count(Seen.begin(), Seen.end(), 1u), 2000)
          << Name << " " << Set;
    }
  }
}

} // namespace

TEST(MemorySystem, WritesAreNotTakenFasterThanDRAMWritesThem) {
  const arch::GPUSpec Spec = machine({"l2.size=1 MiB"}, "v100");
  MemorySystem M(Spec);
  constexpr uint64_t Lines = 1 << 16;
  std::vector<MemoryRequest> Writes;
  for (uint64_t N = 0; N != Lines; ++N) {
    MemoryRequest R = read(N * 128, N / 16, 0xf, uint16_t(N % 16));
    R.Kind = RequestKind::Write;
    Writes.push_back(R);
  }
  Cycle Last = 0;
  for (const MemoryResponse &R : run(M, Writes))
    Last = std::max(Last, R.Due);
  // What L2 and the channels' queues hold need not have been written.
  const double Held = (1 << 20) + 32.0 * 100 * 128;
  const double PerCycle = Spec.DRAM.Bandwidth * 1000 / Spec.Clock.Core;
  EXPECT_GT(double(Last), (Lines * 128.0 - Held) / PerCycle);
}
