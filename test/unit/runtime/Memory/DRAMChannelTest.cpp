//===- DRAMChannelTest.cpp - Batches of writes, and what they cost --------===//

#include "memory/DRAMChannel.h"
#include "memory/WriteBatches.h"

#include "arch/SpecReader.h"

#include <gtest/gtest.h>

#include <random>

using namespace heddle;
using namespace heddle::memory;

namespace {

/// Without refresh, unless \p Sets say so.
arch::GPUSpec machine(std::vector<std::string> Sets = {}) {
  Sets.insert(Sets.begin(), "dram.trefi=0");
  auto Spec = arch::loadMachine("v100", Sets);
  EXPECT_TRUE(Spec) << (Spec ? "" : Spec.error().Message);
  return *Spec;
}

/// When the last read is out.
Cycle lastRead(DRAMChannel &C) {
  Cycle Last = 0;
  DRAMChannel::Completion Done;
  while (C.nextEvent() != NeverCycle)
    if (C.step(Done))
      Last = std::max(Last, Done.Time);
  return Last;
}

DRAMChannel::Request request(uint64_t Line, Cycle At, bool Write) {
  DRAMChannel::Request R;
  R.Address = Line * 128;
  R.Arrival = At;
  R.Bursts = 4;
  R.Write = Write;
  return R;
}

/// When a read is out that comes while 48 writes wait.
Cycle readBesideWrites(const arch::GPUSpec &Spec) {
  DRAMChannel C(Spec);
  for (uint64_t I = 0; I != 48; ++I)
    C.push(request(1000 + I, 0, true));
  C.push(request(0, 1, false));
  return lastRead(C);
}

TEST(DRAMChannel, ReadsWaitForWhatABatchDoesNotLeave) {
  // 48 writes of four bursts take 192 commands; with 40 left behind 32 do.
  EXPECT_GT(readBesideWrites(machine()), 192u);
  EXPECT_LT(readBesideWrites(machine({"dram.write_low=40"})), 120u);
}

/// Of rows that are open the request that came first goes first, also if its
/// bank had another before.
TEST(DRAMChannel, TheOldestOfOpenRowsGoesFirst) {
  const arch::GPUSpec Spec = machine({"dram.hash_banks=false"});
  const uint64_t Fifth = 5 * uint64_t(Spec.DRAM.RowBytes) / 128;
  DRAMChannel C(Spec);
  C.push(request(Fifth, 0, false));
  C.push(request(0, 0, false));
  lastRead(C); // both rows are open
  uint32_t Tag = 0;
  for (uint64_t Line : {Fifth, Fifth + 1, uint64_t(0)}) {
    DRAMChannel::Request R = request(Line, 1000, false);
    R.Tag = Tag++;
    C.push(R);
  }
  std::vector<uint32_t> Done;
  DRAMChannel::Completion Read;
  while (C.nextEvent() != NeverCycle)
    if (C.step(Read))
      Done.push_back(Read.Tag);
  EXPECT_EQ(Done, (std::vector<uint32_t>{0, 1, 2}));
}

TEST(DRAMChannel, ARefreshClosesItsBanksRow) {
  // The second read of a row of the last bank, around the refresh of that bank.
  auto readAt = [](Cycle At, std::vector<std::string> Sets) {
    Sets.push_back("dram.hash_banks=false");
    const arch::GPUSpec Spec = machine(Sets);
    const uint64_t Line = (Spec.DRAM.Banks - 1) * Spec.DRAM.RowBytes / 128;
    DRAMChannel C(Spec);
    C.push(request(Line, 0, false));
    C.push(request(Line + 1, At, false));
    return lastRead(C) - At;
  };
  const std::vector<std::string> Refreshed = {"dram.trefi=3420"};
  const arch::DRAMSpec D = machine(Refreshed).DRAM;
  const Cycle Begins = Cycle(D.TREFI) * (D.Banks - 1) / D.Banks;
  const Cycle Hit = readAt(Begins + 10, {});
  EXPECT_EQ(readAt(Begins - 10, Refreshed), Hit);
  EXPECT_EQ(readAt(Begins + 10, Refreshed), Hit + D.TRFC - 10 + D.TRCD);
  EXPECT_EQ(readAt(Begins + D.TRFC + 10, Refreshed), Hit + D.TRCD);
}

TEST(DRAMChannel, WaitingWritesTakeNoRoomOfReads) {
  // As many reads as fit find all banks, whether or not writes wait: 32 rows.
  auto time = [](unsigned Writes) {
    const arch::GPUSpec Spec = machine({"dram.write_low=60", "dram.queue=32"});
    DRAMChannel C(Spec);
    for (uint64_t I = 0; I != 32; ++I)
      C.push(request(I * 16, 1, false));
    for (uint64_t I = 0; I != Writes; ++I)
      C.push(request(5000 + I, 1, true));
    return lastRead(C);
  };
  EXPECT_LE(time(60), time(0) + 20);
}

/// Mean wait of reads, in DRAM cycles, where lines come at random times and
/// take the shares \p Reads and \p Writes of the bus.
double meanWait(const arch::GPUSpec &Spec, double Reads, double Writes) {
  std::mt19937_64 Random(7);
  std::exponential_distribution<double> Next((Reads + Writes) / 4.4);
  std::bernoulli_distribution IsWrite(Writes / (Reads + Writes));
  DRAMChannel C(Spec);
  std::vector<Cycle> Sent;
  double At = 0, Sum = 0;
  DRAMChannel::Completion Done;
  auto run = [&](Cycle Until) {
    while (C.nextEvent() < Until)
      if (C.step(Done))
        Sum += double(Done.Time - Sent[Done.Tag]);
  };
  // Streams through rows of 8 lines, one in each of 32 banks.
  std::uniform_int_distribution<unsigned> Bank(0, 31);
  uint64_t NextOf[2][32] = {};
  auto nextLine = [&](bool Write) {
    const unsigned B = Bank(Random);
    const uint64_t K = NextOf[Write][B]++;
    return (Write ? 1 << 20 : 0) + (K / 8 * 32 + B) * 8 + K % 8;
  };
  for (unsigned I = 0; I != 40000; ++I) {
    At += Next(Random);
    const bool Write = IsWrite(Random);
    DRAMChannel::Request R = request(nextLine(Write), Cycle(At), Write);
    if (!Write) {
      R.Tag = uint32_t(Sent.size());
      Sent.push_back(R.Arrival);
    }
    run(R.Arrival);
    C.push(R);
  }
  run(NeverCycle);
  return Sum / double(Sent.size());
}

/// The same as WriteBatches has it, beyond what there is without writes.
double predictedWait(const arch::GPUSpec &Spec, double Reads, double Writes) {
  WriteBatches B(Spec);
  const double PerLine = 4.4 * Spec.Clock.Core / Spec.Clock.DRAM;
  constexpr unsigned Lines = 4000;
  for (unsigned I = 0; I != Lines; ++I)
    B.add(I * PerLine, Reads * PerLine, Writes * PerLine, Writes);
  double Sum = 0;
  for (unsigned I = 0; I != Lines; ++I)
    Sum += B.wait(I * 256);
  return Sum / Lines * Spec.Clock.DRAM / Spec.Clock.Core;
}

TEST(WriteBatches, AddToTheWaitWhatTheyDoInAChannel) {
  // The measure is a channel whose writes give way to any read. The loads are
  // those of streams with few and with many blocks.
  for (const auto &[Reads, Writes] : {std::pair(0.1, 0.1),
                                      {0.25, 0.25},
                                      {0.4, 0.2},
                                      {0.2, 0.4},
                                      {0.6, 0.2},
                                      {0.4, 0.4}}) {
    const double Beside = meanWait(machine(), Reads, Writes);
    const double Alone =
        meanWait(machine({"dram.write_queue=65536", "dram.write_high=4096",
                          "dram.write_low=4096"}),
                 Reads, Writes);
    const double Predicted = predictedWait(machine(), Reads, Writes);
    EXPECT_NEAR(Predicted, Beside - Alone, 0.4 * (Beside - Alone));
  }
}

TEST(WriteBatches, CostNothingWhereWritesGoLikeReads) {
  const arch::GPUSpec Spec = machine({"dram.write_high=0", "dram.write_low=0"});
  WriteBatches B(Spec);
  EXPECT_EQ(B.add(100, 50, 50, 4), 0);
  EXPECT_EQ(B.wait(0), 0);
}

} // namespace
