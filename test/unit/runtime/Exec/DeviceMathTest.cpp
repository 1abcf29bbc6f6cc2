//===- DeviceMathTest.cpp - Accuracy of the vectorised functions ----------===//

#include "heddle/ABI/DeviceMath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <utility>

namespace {

using Exact = double (*)(double);

/// The largest error of \p Name over [Low, High] in units of the last place.
double worstError(const char *Name, Exact F, float Low, float High) {
  const HeddleMathEntry *Entry = heddleFindMath(Name);
  EXPECT_NE(Entry, nullptr) << Name;
  double Worst = 0;
  alignas(64) float X[32], Y[32];
  for (unsigned Row = 0; Row < 2000; ++Row) {
    for (unsigned L = 0; L < 32; ++L)
      X[L] = Low + (High - Low) * float(Row * 32 + L) / 64000.0f;
    Entry->Function(Y, X, nullptr, nullptr);
    for (unsigned L = 0; L < 32; ++L) {
      double True = F(X[L]);
      float Up = std::nextafter(std::fabs(float(True)), INFINITY);
      double Ulp = Up - std::fabs(float(True));
      Worst = std::max(Worst, std::fabs(Y[L] - True) / Ulp);
    }
  }
  return Worst;
}

TEST(DeviceMath, VectorisedFunctionsRoundWell) {
  EXPECT_LT(worstError("exp.f32", std::exp, -80, 80), 0.51);
  EXPECT_LT(worstError("exp2.f32", std::exp2, -120, 120), 0.51);
  EXPECT_LT(worstError("log.f32", std::log, 1e-3f, 1000), 0.51);
  EXPECT_LT(worstError("log2.f32", std::log2, 1e-3f, 1000), 0.51);
  EXPECT_LT(worstError("log10.f32", std::log10, 1e-3f, 1e30f), 0.51);
  EXPECT_LT(worstError("sin.f32", std::sin, -1000, 1000), 0.51);
  EXPECT_LT(worstError("cos.f32", std::cos, -1000, 1000), 0.51);
  EXPECT_LT(worstError("tan.f32", std::tan, -100, 100), 0.51);
  EXPECT_LT(worstError("sin.f32", std::sin, -3e6f, 3e6f), 0.51);
  // As exact as CUDA promises (C++ Programming Guide, table of
  // single-precision functions: 2 ulp for both).
  EXPECT_LT(
      worstError(
          "rsqrt.f32", [](double X) { return 1 / std::sqrt(X); }, 0.1f, 1e9f),
      2);
  EXPECT_LT(worstError("tanh.f32", std::tanh, -20, 20), 2);
}

float one(const char *Name, float A, float B = 0) {
  alignas(64) float X[32], Y[32], R[32];
  for (unsigned L = 0; L < 32; ++L) {
    X[L] = A;
    Y[L] = B;
  }
  heddleFindMath(Name)->Function(R, X, Y, nullptr);
  return R[5];
}

/// 2^X as DeviceMathFast.cpp has it, each product rounded before it is added.
double exp2InTwoRoundings(double X) {
  X = std::isnan(X) ? 0 : std::clamp(X, -200.0, 200.0);
  const double Whole = std::nearbyint(X);
  const double Y = (X - Whole) * std::numbers::ln2;
  double P = 1.0 / 39916800;
  for (double Factorial :
       {3628800., 362880., 40320., 5040., 720., 120., 24., 6., 2., 1., 1.}) {
    volatile double Product = P * Y;
    P = Product + 1 / Factorial;
  }
  return std::ldexp(P, int(Whole));
}

// Hosts with and without fused operations agree. The step is odd, so that all
// exponents and ends of mantissas come.
TEST(DeviceMath, ExponentialsAreTheSameOnAllHosts) {
  const std::pair<const char *, double> Functions[] = {
      {"exp.f32", std::numbers::log2e},
      {"exp2.f32", 1},
      {"exp10.f32", 3.321928094887362347870319429489}};
  constexpr uint64_t Step = 40009;
  for (const auto &[Name, Scale] : Functions) {
    const HeddleMathEntry *Entry = heddleFindMath(Name);
    ASSERT_NE(Entry, nullptr) << Name;
    unsigned Different = 0;
    alignas(64) float X[32], Y[32];
    for (uint64_t Bits = 0; Bits + 32 * Step < (uint64_t(1) << 32);) {
      for (float &In : X)
        In = std::bit_cast<float>(uint32_t(Bits += Step));
      Entry->Function(Y, X, nullptr, nullptr);
      for (unsigned L = 0; L < 32; ++L)
        if (!std::isnan(X[L]))
          Different += Y[L] != float(exp2InTwoRoundings(X[L] * Scale));
    }
    EXPECT_EQ(Different, 0u) << Name;
  }
}

TEST(DeviceMath, SpecialValues) {
  const float Inf = std::numeric_limits<float>::infinity();
  const float NaN = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(one("exp.f32", -Inf), 0);
  EXPECT_EQ(one("exp.f32", Inf), Inf);
  EXPECT_EQ(one("exp.f32", 1000), Inf);
  EXPECT_TRUE(std::isnan(one("exp.f32", NaN)));
  EXPECT_EQ(one("log.f32", 0), -Inf);
  EXPECT_EQ(one("log.f32", Inf), Inf);
  EXPECT_TRUE(std::isnan(one("log.f32", -1)));
  EXPECT_TRUE(std::isnan(one("sin.f32", Inf)));
  EXPECT_TRUE(std::signbit(one("sin.f32", -0.0f)));
  EXPECT_EQ(one("cos.f32", 0), 1);
  EXPECT_EQ(one("pow.f32", 2, 10), 1024);
  EXPECT_EQ(one("pow.f32", -2, 3), -8);
  EXPECT_EQ(one("pow.f32", 0, 0), 1);
  EXPECT_EQ(one("pow.f32", 1, NaN), 1);
  EXPECT_TRUE(std::isnan(one("pow.f32", -2, 0.5f)));
  EXPECT_EQ(one("pow.f32", 1e30f, 2), Inf);
  EXPECT_EQ(one("exp.f32", -100), std::exp(-100.0f)); // subnormal
}

TEST(DeviceMath, TableIsSortedAndHasNoDoubles) {
  uint32_t Count;
  const HeddleMathEntry *E = heddleMathEntries(&Count);
  ASSERT_GT(Count, 300u);
  for (uint32_t I = 1; I < Count; ++I)
    EXPECT_LT(std::string_view(E[I - 1].Name), std::string_view(E[I].Name));
  EXPECT_EQ(heddleFindMath("nosuch"), nullptr);
}

uint32_t word(const char *Name, uint32_t A, uint32_t B, uint32_t C) {
  alignas(64) uint32_t X[32], Y[32], Z[32], R[32];
  for (unsigned L = 0; L < 32; ++L) {
    X[L] = A;
    Y[L] = B;
    Z[L] = C;
  }
  heddleFindMath(Name)->Function(R, X, Y, Z);
  return R[31];
}

TEST(DeviceMath, Intrinsics) {
  EXPECT_EQ(word("llvm.nvvm.prmt", 0x33221100, 0x77665544, 0x7410),
            0x77441100u);
  EXPECT_EQ(word("llvm.nvvm.prmt", 0x80, 0, 0x8), 0x808080FFu);
  EXPECT_EQ(word("llvm.nvvm.mulhi.ui", 0x80000000, 6, 0), 3u);
  EXPECT_EQ(word("llvm.nvvm.idp4a.s.s", 0xFF01FF01, 0x02020202, 10), 10u);
  EXPECT_EQ(word("llvm.nvvm.idp4a.u.u", 0xFF01FF01, 0x02020202, 10), 1034u);
  EXPECT_EQ(word("llvm.nvvm.fns", 0b1011, 0, 3), 3u);
  EXPECT_EQ(word("llvm.nvvm.fshl.clamp", 0x80000000, 1, 40), 1u);
  EXPECT_EQ(word("llvm.nvvm.fshr.clamp", 0x80000000, 1, 4), 0x00000000u);
  EXPECT_EQ(word("heddle.ptx.vabsdiff4.u32.u32.u32", 0x00FF0102, 0xFF000201, 9),
            0xFFFF0101u);
  EXPECT_EQ(one("llvm.nvvm.add.rz.f", 1, 0x1.8p-24f), 1);
  EXPECT_EQ(one("llvm.nvvm.add.rp.f", 1, 0x1.8p-24f), 1 + 0x1p-23f);
  EXPECT_EQ(one("llvm.nvvm.add.rn.f", 1, 0x1.8p-24f), 1 + 0x1p-23f);
  EXPECT_EQ(one("llvm.nvvm.add.rm.f", -1, -0x1p-30f), -1 - 0x1p-23f);
}

} // namespace
