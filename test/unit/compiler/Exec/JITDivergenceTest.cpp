//===- JITDivergenceTest.cpp - The order of docs/Rationale/Divergence.md --===//

#include "WarpHarness.h"

using namespace heddle;
using namespace heddle::test;

namespace {

const char *const Tid = "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n";

using Events = std::vector<WarpHarness::BlockEvent>;

class JITDivergence : public testing::Test {
protected:
  WarpHarness H;
  void compile(const std::string &Body) {
    H.Observe = true;
    H.Options.Counters = true;
    H.compile(Tid + Body);
    ASSERT_EQ(H.Refusal, "");
  }
  void expectEvents(const Events &Expected) {
    ASSERT_EQ(H.Blocks.size(), Expected.size());
    for (size_t I = 0; I < Expected.size(); ++I) {
      EXPECT_EQ(H.Blocks[I].Block, Expected[I].Block) << "event " << I;
      EXPECT_EQ(H.Blocks[I].Mask, Expected[I].Mask) << "event " << I;
    }
    std::vector<uint64_t> Counts(H.BlockCounters.size());
    for (const auto &E : Expected) {
      Counts[2 * E.Block] += 1;
      Counts[2 * E.Block + 1] += __builtin_popcount(E.Mask);
    }
    EXPECT_EQ(H.BlockCounters, Counts);
  }
};

TEST_F(JITDivergence, TrueSideThenFalseSideThenJoin) {
  compile(R"(define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 8
  %p = getelementptr i32, ptr %out, i32 %t
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  %v = phi i32 [ 1, %a ], [ 2, %b ]
  store i32 %v, ptr %p
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0]);
  EXPECT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], L < 8 ? 1 : 2);
  expectEvents({{0, ~0u}, {1, 0xFF}, {2, ~0xFFu}, {3, ~0u}});
}

TEST_F(JITDivergence, OneWayBranchesDoNotSplit) {
  compile(R"(define ptx_kernel void @k(i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, %n
  br i1 %c, label %a, label %b
a:
  br label %join
b:
  br label %join
join:
  ret void
})");
  H.arguments(uint32_t(0));
  EXPECT_EQ(H.run(), HEDDLE_WARP_DONE);
  expectEvents({{0, ~0u}, {2, ~0u}, {3, ~0u}});
}

TEST_F(JITDivergence, LanesLeaveALoopOneByOne) {
  compile(R"(define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lim = and i32 %t, 1
  %p = getelementptr i32, ptr %out, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %loop ]
  %n = add i32 %i, 1
  %more = icmp ule i32 %n, %lim
  br i1 %more, label %loop, label %done
done:
  store i32 %n, ptr %p
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0]);
  EXPECT_EQ(H.run(), HEDDLE_WARP_DONE);
  // The counter is the same for all lanes in the loop, not after it.
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], 1 + (L & 1));
  expectEvents({{0, ~0u}, {1, ~0u}, {1, 0xAAAAAAAA}, {2, ~0u}});
}

TEST_F(JITDivergence, FalseSidesWaitWhileTheLoopGoesOn) {
  // Lanes leave through %x; the others go round first, so the stack grows.
  compile(R"(define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lim = and i32 %t, 3
  %p = getelementptr i32, ptr %out, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %latch ]
  %more = icmp ult i32 %i, %lim
  br i1 %more, label %latch, label %x
latch:
  %n = add i32 %i, 1
  %again = icmp ult i32 %n, 3
  br i1 %again, label %loop, label %done
x:
  %i10 = add i32 %i, 10
  br label %done
done:
  %v = phi i32 [ %i10, %x ], [ %n, %latch ]
  store i32 %v, ptr %p
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0]);
  EXPECT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], (L & 3) == 3 ? 3 : 10 + (L & 3)) << L;
  expectEvents({{0, ~0u},
                {1, ~0u},
                {2, 0xEEEEEEEE},
                {1, 0xEEEEEEEE},
                {2, 0xCCCCCCCC},
                {1, 0xCCCCCCCC},
                {2, 0x88888888},
                {3, 0x44444444},
                {3, 0x22222222},
                {3, 0x11111111},
                {4, ~0u}});
}

TEST_F(JITDivergence, ReturnsWhereNothingJoins) {
  compile(R"(define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp ult i32 %t, 4
  br i1 %c, label %a, label %b
a:
  ret void
b:
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 7, ptr %p
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0]);
  EXPECT_EQ(H.run(), HEDDLE_WARP_DONE);
  EXPECT_EQ(H.Warp.ExitedMask, ~0u);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], L < 4 ? 0 : 7);
  expectEvents({{0, ~0u}, {1, 0xF}, {2, ~0xFu}});
}

TEST_F(JITDivergence, SharedTargetRunsOncePerPath) {
  // a || b: %x is reached from %entry and from %second before the join.
  compile(R"(define ptx_kernel void @k(ptr %out) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr i32, ptr %out, i32 %t
  %c = icmp ult i32 %t, 8
  br i1 %c, label %x, label %second
second:
  %d = icmp ugt i32 %t, 23
  br i1 %d, label %x, label %done
x:
  %v = phi i32 [ 1, %entry ], [ 2, %second ]
  store i32 %v, ptr %p
  br label %done
done:
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0]);
  EXPECT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], L < 8 ? 1 : L > 23 ? 2 : 0);
  expectEvents(
      {{0, ~0u}, {2, 0x000000FF}, {1, 0xFFFFFF00}, {2, 0xFF000000}, {3, ~0u}});
}

} // namespace
