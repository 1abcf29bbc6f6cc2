//===- VectorWidthTest.cpp - Which kernels get vectors of 256 bits --------===//

#include "LoweredText.h"

using namespace heddle;
using namespace heddle::test;

namespace {

/// The width of the vectors of kernel `@k`.
std::string widthOf(const std::string &Text, bool Counters = false) {
  LoweredText Kernel(
      "declare range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"
      "declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)\n" +
          Text,
      Counters);
  return Kernel.function()
      .getFnAttribute("prefer-vector-width")
      .getValueAsString()
      .str();
}

class VectorWidth : public LoweringTest {};

/// out[t] = what \p Text makes of %a = in[t] as %r.
std::string stream(const std::string &Text) {
  return R"(
define ptx_kernel void @k(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext nneg i32 %t to i64
  %p = getelementptr float, ptr %in, i64 %wide
  %a = load float, ptr %p
)" + Text +
         R"(
  %q = getelementptr float, ptr %out, i64 %wide
  store float %r, ptr %q
  ret void
})";
}

/// Adds up \p Bound numbers, each two links away.
std::string sum(const std::string &Bound) {
  return R"(
define ptx_kernel void @k(ptr %in, ptr %out, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %wide = zext nneg i32 %t to i64
  %q = getelementptr i32, ptr %out, i64 %wide
  %length = load i32, ptr %q
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi i32 [ 0, %entry ], [ %added, %loop ]
  %at = add i32 %i, %length
  %p = getelementptr i32, ptr %in, i32 %at
  %a = load i32, ptr %p
  %p2 = getelementptr i32, ptr %in, i32 %a
  %b = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %in, i32 %b
  %c = load i32, ptr %p3
  %added = add i32 %s, %c
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, )" +
         Bound + R"(
  br i1 %more, label %loop, label %exit
exit:
  store i32 %added, ptr %q
  ret void
})";
}

TEST_F(VectorWidth, StreamsAreNarrow) {
  std::string Bits = widthOf(stream("%r = fadd float %a, 1.0"));
  EXPECT_EQ(Bits, "256");
}

TEST_F(VectorWidth, ArithmeticIsWide) {
  std::string Text = "%v0 = fadd float %a, 1.0\n";
  for (int N = 0; N < 8; ++N)
    Text += "%v" + std::to_string(N + 1) + " = fmul float %v" +
            std::to_string(N) + ", %a\n";
  std::string Bits = widthOf(stream(Text + "%r = fadd float %v8, 1.0"));
  EXPECT_EQ(Bits, "512");
}

TEST_F(VectorWidth, ShufflesAndCountersAreWide) {
  std::string Bits = widthOf(
      stream("%r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a, "
             "i32 1, i32 31)"));
  EXPECT_EQ(Bits, "512");
  EXPECT_EQ(widthOf(stream("%r = fadd float %a, 1.0"), true), "512");
}

TEST_F(VectorWidth, LanesOneByOneAreNarrow) {
  std::string Bits = widthOf(sum("%length"));
  EXPECT_EQ(Bits, "256");
  // All lanes leave together: in lockstep.
  EXPECT_EQ(widthOf(sum("%n")), "512");
}

} // namespace
