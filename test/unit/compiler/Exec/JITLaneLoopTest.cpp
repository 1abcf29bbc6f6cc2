//===- JITLaneLoopTest.cpp - Loops that lanes run one by one --------------===//
//
// A function with counters runs the same loops in lockstep: both must agree.
//
//===----------------------------------------------------------------------===//

#include "UnrolledKernel.h"
#include "WarpHarness.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// Row t of a sparse matrix has Rows[t + 1] - Rows[t] elements.
struct Data {
  int Rows[33], Columns[512];
  unsigned Bins[8], Sums[32] = {};
  uint8_t Odd[32] = {};
  explicit Data(int Long) {
    Rows[0] = 0;
    for (int T = 0; T < 32; ++T)
      Rows[T + 1] = Rows[T] + (T % 8 == 3 ? Long : T % 3);
    for (int I = 0; I < 512; ++I)
      Columns[I] = (I * 37 + 11) % 32;
    for (unsigned &B : Bins)
      B = 7;
  }
};

class JITLaneLoop : public testing::Test {
protected:
  /// Runs \p Text on \p D; \p Bins is where atomics go.
  HeddleWarpStatus run(const std::string &Text, Data &D, void *Bins,
                       bool Lockstep, uint64_t Steps = 100000) {
    WarpHarness H;
    H.Options.BlockDim = {32, 1, 1};
    H.Options.Counters = Lockstep;
    H.compile(Text);
    EXPECT_EQ(H.Refusal, "");
    H.Warp.StepsLeft = Steps;
    H.arguments(&D.Rows[0], &D.Columns[0], Bins, &D.Sums[0], &D.Odd[0]);
    return H.run();
  }
  void expectSame(const std::string &Text, bool BinsAreColumns = false) {
    for (int Long : {0, 1, 40}) {
      Data Alone(Long), Together(Long);
      auto bins = [&](Data &D) -> void * {
        return BinsAreColumns ? static_cast<void *>(D.Columns) : D.Bins;
      };
      EXPECT_EQ(run(Text, Alone, bins(Alone), false), HEDDLE_WARP_DONE);
      EXPECT_EQ(run(Text, Together, bins(Together), true), HEDDLE_WARP_DONE);
      EXPECT_EQ(std::memcmp(&Alone, &Together, sizeof(Data)), 0) << Long;
    }
  }
};

std::string kernel(const std::string &InLoop) {
  return R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %rows, ptr %columns, ptr %bins, ptr %sums,
                          ptr %odd) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %rows, i32 %t
  %first = load i32, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  %end = load i32, ptr %q
  br label %head
head:
  %i = phi i32 [ %first, %entry ], [ %next, %latch ]
  %sum = phi i32 [ %t, %entry ], [ %added, %latch ]
  %flag = phi i1 [ false, %entry ], [ %flipped, %latch ]
  %in = icmp slt i32 %i, %end
  br i1 %in, label %body, label %exit
body:
  %at = getelementptr i32, ptr %columns, i32 %i
  %column = load i32, ptr %at
  %added = add i32 %sum, %column
  %flipped = xor i1 %flag, true
  %odd.column = trunc i32 %column to i1
  br i1 %odd.column, label %then, label %latch
then:
)" + InLoop +
         R"(
  br label %latch
latch:
  %next = add i32 %i, 1
  br label %head
exit:
  %out = getelementptr i32, ptr %sums, i32 %t
  store i32 %sum, ptr %out
  %byte = zext i1 %flag to i8
  %to = getelementptr i8, ptr %odd, i32 %t
  store i8 %byte, ptr %to
  ret void
})";
}

TEST_F(JITLaneLoop, Sums) { expectSame(kernel("")); }

const char *const Atomic = R"(
  %few = and i32 %column, 7
  %bin = getelementptr i32, ptr %bins, i32 %few
  %old = atomicrmw add ptr %bin, i32 %column monotonic)";

TEST_F(JITLaneLoop, AtomicsThatCommute) { expectSame(kernel(Atomic)); }

// Lanes read what others write: the order shows, so lockstep stays.
TEST_F(JITLaneLoop, BuffersThatAreOne) { expectSame(kernel(Atomic), true); }

TEST_F(JITLaneLoop, OneValueStoredByAll) {
  expectSame(kernel("  store i32 5, ptr %bins"));
}

// The values differ, the last one stays.
TEST_F(JITLaneLoop, OrderedStores) {
  expectSame(kernel("  store i32 %i, ptr %bins"));
}

TEST_F(JITLaneLoop, OldValuesOfAtomics) {
  expectSame(kernel(R"(
  %old = atomicrmw add ptr %bins, i32 1 monotonic
  %x = getelementptr i8, ptr %odd, i32 %t
  %small = trunc i32 %old to i8
  store i8 %small, ptr %x)"));
}

TEST_F(JITLaneLoop, EndlessLoopsEnd) {
  Data D(0);
  EXPECT_EQ(run(R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %rows, ptr %columns, ptr %bins, ptr %sums,
                          ptr %odd) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %few = icmp ult i32 %t, 2
  br i1 %few, label %loop, label %exit
loop:
  %i = phi i32 [ %t, %entry ], [ %column, %loop ]
  %at = getelementptr i32, ptr %columns, i32 %i
  %column = load i32, ptr %at
  %more = icmp sge i32 %column, 0
  br i1 %more, label %loop, label %exit
exit:
  ret void
})",
                D, D.Bins, false, 1000),
            HEDDLE_WARP_FAILED);
}

/// Sums up floats two links away; what counts the rounds goes down by \p Step.
std::string countdown(int Step) {
  return R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @k(ptr %rows, ptr %columns, ptr %bins, ptr %sums,
                          ptr %odd) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %rows, i32 %t
  %first = load i32, ptr %p
  %q = getelementptr i32, ptr %p, i32 1
  %end = load i32, ptr %q
  %count = sub i32 %end, %first
  %start = sitofp i32 %t to float
  %none = icmp eq i32 %count, 0
  br i1 %none, label %exit, label %loop
loop:
  %left = phi i32 [ %count, %entry ], [ %less, %loop ]
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ %start, %entry ], [ %added, %loop ]
  %at = getelementptr i32, ptr %columns, i32 %i
  %column = load i32, ptr %at
  %to = getelementptr i32, ptr %columns, i32 %column
  %second = load i32, ptr %to
  %back = getelementptr i32, ptr %columns, i32 %second
  %third = load i32, ptr %back
  %number = sitofp i32 %third to float
  %scaled = fmul float %sum, 0.75
  %added = fadd float %scaled, %number
  %next = add i32 %i, 1
  %less = add i32 %left, -)" +
         std::to_string(Step) + R"(
  %done = icmp eq i32 %less, 0
  br i1 %done, label %exit, label %loop
exit:
  %s = phi float [ %start, %entry ], [ %added, %loop ]
  %last = phi i32 [ -1, %entry ], [ %third, %loop ]
  %bits = bitcast float %s to i32
  %mixed = xor i32 %bits, %last
  %out = getelementptr i32, ptr %sums, i32 %t
  store i32 %mixed, ptr %out
  ret void
})";
}

TEST_F(JITLaneLoop, CountedRounds) { expectSame(countdown(1)); }

TEST_F(JITLaneLoop, CountedRoundsOfSeveral) {
  for (int Long : {0, 4, 40}) {
    Data Alone(Long), Together(Long);
    for (Data *D : {&Alone, &Together})
      for (int T = 0; T < 32; ++T)
        D->Rows[T + 1] = D->Rows[T] + (T % 8 == 3 ? Long : T % 3 * 4);
    EXPECT_EQ(run(countdown(4), Alone, Alone.Bins, false), HEDDLE_WARP_DONE);
    EXPECT_EQ(run(countdown(4), Together, Together.Bins, true),
              HEDDLE_WARP_DONE);
    EXPECT_EQ(std::memcmp(&Alone, &Together, sizeof(Data)), 0) << Long;
  }
}

// One lane never comes to zero; the others do not end before it.
TEST_F(JITLaneLoop, CountedRoundsWithoutEnd) {
  Data Alone(40);
  for (int T = 0; T < 32; ++T)
    Alone.Rows[T + 1] = T * 2;
  Data Together = Alone;
  EXPECT_EQ(run(countdown(4), Alone, Alone.Bins, false, 50),
            HEDDLE_WARP_FAILED);
  EXPECT_EQ(run(countdown(4), Together, Together.Bins, true, 50),
            HEDDLE_WARP_FAILED);
}

// A limit of exactly the rounds of the longest lane.
TEST_F(JITLaneLoop, CountedRoundsWithinTheLimit) {
  for (uint64_t Steps : {30, 41, 42, 43, 44, 60}) {
    Data Alone(40), Together(40);
    EXPECT_EQ(run(countdown(1), Alone, Alone.Bins, false, Steps),
              run(countdown(1), Together, Together.Bins, true, Steps))
        << Steps;
  }
}

TEST_F(JITLaneLoop, UnrolledLoops) {
  expectSame(unrolledKernel());
  // One copy does something else, which is seen when compiled.
  expectSame(unrolledKernel("%c1"));
  // The main loop does not go on where the rest ends, which is seen when run.
  expectSame(unrolledKernel("%c2", 1));
}

TEST_F(JITLaneLoop, UnrolledLoopsOfAllLengths) {
  for (int Long = 0; Long < 14; ++Long) {
    Data Alone(Long), Together(Long);
    for (Data *D : {&Alone, &Together})
      for (int T = 0; T < 32; ++T)
        D->Rows[T + 1] = D->Rows[T] + (T + Long) % 14;
    EXPECT_EQ(run(unrolledKernel(), Alone, Alone.Bins, false),
              HEDDLE_WARP_DONE);
    EXPECT_EQ(run(unrolledKernel(), Together, Together.Bins, true),
              HEDDLE_WARP_DONE);
    EXPECT_EQ(std::memcmp(&Alone, &Together, sizeof(Data)), 0) << Long;
  }
}

// A lane of 250 rounds, which are 62 of the main loop and two of the rest.
TEST_F(JITLaneLoop, UnrolledLoopsWithinTheLimit) {
  for (uint64_t Steps : {20, 50, 80, 200}) {
    Data Alone(0), Together(0);
    for (Data *D : {&Alone, &Together})
      for (int T = 0; T < 32; ++T)
        D->Rows[T + 1] = D->Rows[T] + (T == 5 ? 250 : 1);
    HeddleWarpStatus Expected =
        Steps > 70 ? HEDDLE_WARP_DONE : HEDDLE_WARP_FAILED;
    EXPECT_EQ(run(unrolledKernel(), Alone, Alone.Bins, false, Steps), Expected);
    EXPECT_EQ(run(unrolledKernel(), Together, Together.Bins, true, Steps),
              Expected);
  }
}

} // namespace
