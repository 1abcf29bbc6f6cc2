//===- JITEngineTest.cpp - What one lowered warp computes -----------------===//

#include "WarpHarness.h"

using namespace heddle;
using namespace heddle::test;

namespace {

const char *const Declarations = R"(
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)
declare void @llvm.trap()
)";

/// Widest vectors in bits, and whether code is generated quickly.
class JITEngine : public testing::TestWithParam<std::pair<unsigned, bool>> {
protected:
  WarpHarness H;
  void compile(const std::string &Body) {
    std::tie(H.Options.MaxVectorBits, H.Options.QuickHostCode) = GetParam();
    H.compile(Declarations + Body);
  }
};
INSTANTIATE_TEST_SUITE_P(VectorBits, JITEngine,
                         testing::Values(std::pair(0u, false),
                                         std::pair(0u, true),
                                         std::pair(256u, false),
                                         std::pair(128u, false)));

TEST_P(JITEngine, IntegerOperationsThatTheHostWouldTrapOn) {
  compile(R"(define ptx_kernel void @k(ptr %a, ptr %b, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i32, ptr %a, i32 %t
  %pb = getelementptr i32, ptr %b, i32 %t
  %x = load i32, ptr %pa
  %y = load i32, ptr %pb
  %q = sdiv i32 %x, %y
  %r = srem i32 %x, %y
  %u = udiv i32 %x, %y
  %s = shl i32 %x, %y
  %h = ashr i32 %x, %y
  %i0 = shl i32 %t, 3
  %p0 = getelementptr i32, ptr %out, i32 %i0
  %p1 = getelementptr i32, ptr %p0, i32 1
  %p2 = getelementptr i32, ptr %p0, i32 2
  %p3 = getelementptr i32, ptr %p0, i32 3
  %p4 = getelementptr i32, ptr %p0, i32 4
  store i32 %q, ptr %p0
  store i32 %r, ptr %p1
  store i32 %u, ptr %p2
  store i32 %s, ptr %p3
  store i32 %h, ptr %p4
  ret void
})");
  int A[32], C[32], Out[32][8] = {};
  for (int L = 0; L < 32; ++L) {
    A[L] = L == 5 ? INT32_MIN : L * 1234567 - 9999999;
    C[L] = L == 5 ? -1 : L - 3; // lane 3 divides by zero
  }
  H.arguments(&A[0], &C[0], &Out[0][0]);
  ASSERT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (int L = 0; L < 32; ++L) {
    int64_t X = A[L], Y = C[L] ? C[L] : 1;
    uint32_t Shift = C[L];
    EXPECT_EQ(Out[L][0], int(X / Y)) << L;
    EXPECT_EQ(Out[L][1], int(X % Y)) << L;
    EXPECT_EQ(uint32_t(Out[L][2]), uint32_t(A[L]) / uint32_t(Y)) << L;
    EXPECT_EQ(Out[L][3], Shift < 32 ? int(uint32_t(A[L]) << Shift) : 0) << L;
    EXPECT_EQ(Out[L][4], A[L] >> (Shift < 32 ? Shift : 31)) << L;
  }
}

/// Quick code comes from blocks that were cut.
TEST_P(JITEngine, BlocksOfManyInstructions) {
  constexpr int Rounds = 300;
  std::string Text = R"(define ptx_kernel void @k(ptr %a, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr i32, ptr %a, i32 %t
  %s0 = load i32, ptr %pa
)";
  for (int I = 0; I < Rounds; ++I) {
    const std::string N = std::to_string(I);
    Text += "  %m" + N + " = mul i32 %s" + N + ", 7\n  %x" + N +
            " = xor i32 %m" + N + ", %t\n  %s" + std::to_string(I + 1) +
            " = add i32 %x" + N + ", %s0\n";
  }
  compile(Text + "  %p = getelementptr i32, ptr %out, i32 %t\n  store i32 %s" +
          std::to_string(Rounds) + ", ptr %p\n  ret void\n}\n");
  uint32_t A[32], Out[32] = {};
  for (uint32_t L = 0; L < 32; ++L)
    A[L] = L * 77 + 5;
  H.arguments(&A[0], &Out[0]);
  ASSERT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (uint32_t L = 0; L < 32; ++L) {
    uint32_t S = A[L];
    for (int I = 0; I < Rounds; ++I)
      S = (S * 7 ^ L) + A[L];
    EXPECT_EQ(Out[L], S) << L;
  }
}

TEST_P(JITEngine, ConversionsToIntegersSaturate) {
  compile(R"(define ptx_kernel void @k(ptr %a, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pa = getelementptr float, ptr %a, i32 %t
  %x = load float, ptr %pa
  %i = fptosi float %x to i32
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %i, ptr %p
  ret void
})");
  float A[32] = {1e20f, -1e20f, __builtin_nanf(""), 2.9f, -2.9f};
  int Out[32];
  H.arguments(&A[0], &Out[0]);
  ASSERT_EQ(H.run(), HEDDLE_WARP_DONE);
  EXPECT_EQ(Out[0], INT32_MAX);
  EXPECT_EQ(Out[1], INT32_MIN);
  EXPECT_EQ(Out[2], 0);
  EXPECT_EQ(Out[3], 2);
  EXPECT_EQ(Out[4], -2);
}

TEST_P(JITEngine, InactiveLanesTouchNoMemory) {
  compile(R"(define ptx_kernel void @k(ptr %a, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %t, 0
  br i1 %c, label %use, label %end
use:
  %far = mul i32 %t, 100000000
  %w = zext i32 %far to i64
  %pa = getelementptr i16, ptr %a, i64 %w
  %x = load i16, ptr %pa
  %q = udiv i16 1000, %x
  %p = getelementptr i16, ptr %out, i64 %w
  store i16 %q, ptr %p
  br label %end
end:
  ret void
})");
  uint16_t A[2] = {7, 7}, Out[2] = {};
  H.arguments(&A[0], &Out[0]);
  H.Warp.LiveMask = 0x0000FFFF;
  ASSERT_EQ(H.run(), HEDDLE_WARP_DONE);
  EXPECT_EQ(Out[0], 142);
  EXPECT_EQ(Out[1], 0);
}

TEST_P(JITEngine, OddWidthsVectorsAndLocalArrays) {
  compile(R"(define ptx_kernel void @k(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = alloca [4 x i32], align 16
  %w = zext i32 %t to i64
  %s = and i64 %w, 3
  %slot = getelementptr [4 x i32], ptr %a, i64 0, i64 %s
  store <4 x i32> <i32 10, i32 20, i32 30, i32 40>, ptr %a, align 16
  %v = load i32, ptr %slot
  %n = trunc i32 %t to i5
  %m = mul i5 %n, 3
  %z = zext i5 %m to i32
  %sum = add i32 %v, %z
  %wide = zext i32 %sum to i128
  %big = shl i128 %wide, 70
  %back = lshr i128 %big, 69
  %r = trunc i128 %back to i32
  %vec0 = insertelement <2 x i32> zeroinitializer, i32 %r, i32 0
  %i = and i32 %t, 1
  %vec1 = insertelement <2 x i32> %vec0, i32 5, i32 1
  %e = extractelement <2 x i32> %vec1, i32 %i
  %p = getelementptr i32, ptr %out, i32 %t
  store i32 %e, ptr %p
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0]);
  ASSERT_EQ(H.Refusal, "");
  ASSERT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], L & 1 ? 5 : 2 * (10 * (L % 4 + 1) + L * 3 % 32)) << L;
}

TEST_P(JITEngine, BarrierKeepsWhatLivesOn) {
  compile(R"(define ptx_kernel void @k(ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %sq = mul i32 %t, %t
  %small = icmp ult i32 %t, 3
  %p = getelementptr i32, ptr %out, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %loop ]
  %acc = phi i32 [ %sq, %entry ], [ %more, %loop ]
  %more = add i32 %acc, %t
  %j = add i32 %i, 1
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %c = icmp ult i32 %j, %n
  br i1 %c, label %loop, label %end
end:
  %votes = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, i1 %small)
  %with = add i32 %more, %votes
  store i32 %with, ptr %p
  ret void
})");
  int Out[32] = {};
  H.arguments(&Out[0], 3);
  for (int I = 0; I < 3; ++I) {
    ASSERT_EQ(H.run(), HEDDLE_WARP_BARRIER);
    EXPECT_EQ(H.Warp.BarrierOp, HEDDLE_BARRIER_SYNC);
  }
  ASSERT_EQ(H.run(), HEDDLE_WARP_BARRIER);
  EXPECT_EQ(H.Warp.BarrierOp, HEDDLE_BARRIER_POPC);
  EXPECT_EQ(H.Warp.BarrierValue, 0b111u); // a lane mask: the runtime counts
  H.Warp.BarrierResult = 100;
  ASSERT_EQ(H.run(), HEDDLE_WARP_DONE);
  for (int L = 0; L < 32; ++L)
    EXPECT_EQ(Out[L], L * L + 3 * L + 100);
}

TEST_P(JITEngine, ErrorsSayWhere) {
  compile(R"(define ptx_kernel void @k(i32 %which) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %half = icmp ult i32 %t, 16
  %loops = icmp eq i32 %which, 0
  br i1 %loops, label %spin, label %other
spin:
  br label %spin
other:
  %bars = icmp eq i32 %which, 1
  br i1 %bars, label %split, label %boom
split:
  br i1 %half, label %wait, label %end
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %end
boom:
  call void @llvm.trap()
  unreachable
end:
  fence seq_cst
  ret void
})");
  ASSERT_EQ(H.Refusal, "");
  auto Fresh = H.Warp;
  H.arguments(0);
  Fresh.Params = H.Warp.Params;
  EXPECT_EQ(H.run(), HEDDLE_WARP_FAILED);
  EXPECT_EQ(H.Warp.Error, HEDDLE_ERROR_STEP_LIMIT);
  EXPECT_EQ(H.Warp.ErrorBlock, 1u);
  H.Warp = Fresh;
  H.arguments(1);
  EXPECT_EQ(H.run(), HEDDLE_WARP_FAILED);
  EXPECT_EQ(H.Warp.Error, HEDDLE_ERROR_DIVERGENT_BARRIER);
  EXPECT_EQ(H.Warp.ErrorBlock, 4u);
  H.Warp = Fresh;
  H.arguments(2);
  EXPECT_EQ(H.run(), HEDDLE_WARP_FAILED);
  EXPECT_EQ(H.Warp.Error, HEDDLE_ERROR_TRAP);
  EXPECT_EQ(H.Warp.ErrorBlock, 5u);
}

TEST_P(JITEngine, FunctionForOneShapeRefusesAnother) {
  H.Options.BlockDim = {64, 1, 1};
  compile("define ptx_kernel void @k() {\n  ret void\n}");
  H.arguments();
  EXPECT_EQ(H.run(), HEDDLE_WARP_FAILED); // the harness runs blocks of 32
  EXPECT_EQ(H.Warp.Error, HEDDLE_ERROR_UNSUPPORTED);
}

TEST_P(JITEngine, RefusesWithTheReason) {
  compile(R"(define ptx_kernel void @k() {
  call void asm sideeffect "bar.sync 0;", ""()
  ret void
})");
  EXPECT_NE(H.Refusal.find("asm sideeffect"), std::string::npos) << H.Refusal;
}

} // namespace
