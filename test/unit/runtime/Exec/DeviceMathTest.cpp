//===- DeviceMathTest.cpp - Accuracy of the vectorised functions ----------===//

#include "heddle/ABI/DeviceMath.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>

namespace {

using Exact = double (*)(double);

/// The largest error of \p Name over [Low, High] in units of the last place.
/// \p Second is its other argument, if it has one.
double worstError(const char *Name, Exact F, float Low, float High,
                  float Second = 0) {
  const HeddleMathEntry *Entry = heddleFindMath(Name);
  EXPECT_NE(Entry, nullptr) << Name;
  double Worst = 0;
  alignas(64) float X[32], Y[32], Other[32];
  std::fill(Other, Other + 32, Second);
  for (unsigned Row = 0; Row < 2000; ++Row) {
    for (unsigned L = 0; L < 32; ++L)
      X[L] = Low + (High - Low) * float(Row * 32 + L) / 64000.0f;
    Entry->Function(Y, X, Other, nullptr);
    for (unsigned L = 0; L < 32; ++L) {
      double True = F(X[L]);
      float Up = std::nextafter(std::fabs(float(True)), INFINITY);
      double Ulp = Up - std::fabs(float(True));
      Worst = std::max(Worst, std::fabs(Y[L] - True) / Ulp);
    }
  }
  return Worst;
}

// As exact as CUDA promises (C++ Programming Guide, table of single-precision
// functions).
TEST(DeviceMath, VectorisedFunctionsRoundWell) {
  EXPECT_LT(worstError("exp2.f32", std::exp2, -120, 120), 0.51);
  EXPECT_LT(worstError("exp.f32", std::exp, -80, 80), 2);
  EXPECT_LT(worstError("expm1.f32", std::expm1, -80, 80), 2);
  EXPECT_LT(worstError("log.f32", std::log, 1e-3f, 1000), 1);
  EXPECT_LT(worstError("log2.f32", std::log2, 1e-3f, 1000), 1);
  EXPECT_LT(worstError("log10.f32", std::log10, 1e-3f, 1e30f), 2);
  EXPECT_LT(worstError("log1p.f32", std::log1p, -0.9f, 1000), 1);
  EXPECT_LT(worstError("sin.f32", std::sin, -1000, 1000), 2);
  EXPECT_LT(worstError("cos.f32", std::cos, -1000, 1000), 2);
  EXPECT_LT(worstError("tan.f32", std::tan, -100, 100), 4);
  EXPECT_LT(worstError("sin.f32", std::sin, -3e6f, 3e6f), 2);
  EXPECT_LT(worstError("asin.f32", std::asin, -1, 1), 2);
  EXPECT_LT(worstError("acos.f32", std::acos, -1, 1), 2);
  EXPECT_LT(worstError("atan.f32", std::atan, -100, 100), 2);
  EXPECT_LT(worstError("sinh.f32", std::sinh, -20, 20), 3);
  EXPECT_LT(worstError("cosh.f32", std::cosh, -20, 20), 2);
  EXPECT_LT(worstError("tanh.f32", std::tanh, -20, 20), 2);
  EXPECT_LT(worstError("erf.f32", std::erf, -5, 5), 2);
  EXPECT_LT(worstError("erfc.f32", std::erfc, -5, 9), 4);
  EXPECT_LT(worstError("cbrt.f32", std::cbrt, -1000, 1000), 1);
  EXPECT_LT(
      worstError(
          "rsqrt.f32", [](double X) { return 1 / std::sqrt(X); }, 0.1f, 1e9f),
      2);
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

/// 2^X as DeviceMathSingle.cpp has it, each product rounded before it is added.
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
  constexpr uint64_t Step = 40009;
  const HeddleMathEntry *Entry = heddleFindMath("exp2.f32");
  ASSERT_NE(Entry, nullptr);
  unsigned Different = 0;
  alignas(64) float X[32], Y[32];
  for (uint64_t Bits = 0; Bits + 32 * Step < (uint64_t(1) << 32);) {
    for (float &In : X)
      In = std::bit_cast<float>(uint32_t(Bits += Step));
    Entry->Function(Y, X, nullptr, nullptr);
    for (unsigned L = 0; L < 32; ++L)
      if (!std::isnan(X[L]))
        Different += Y[L] != float(exp2InTwoRoundings(X[L]));
  }
  EXPECT_EQ(Different, 0u);
}

struct Known {
  const char *Name;
  float X, Y, Result;
};

// What nvcc 13's PTX gives for arguments at which it is not the number nearest
// to the exact one, with ex2, lg2 and reciprocals as they are here.
TEST(DeviceMath, SingleFunctionsHaveCUDAsBits) {
  const Known Rows[] = {
      {"exp.f32", 0x1.19930cp+3f, 0, 0x1.9e4f08p+12f},
      {"exp.f32", -0x1.3710ccp+2f, 0, 0x1.fbbb82p-8f},
      {"exp10.f32", 0x1.ca0f9p+2f, 0, 0x1.b6473ap+23f},
      {"exp10.f32", -0x1.7b646p-1f, 0, 0x1.73d146p-3f},
      {"expm1.f32", 0x1.d8fc6p-1f, 0, 0x1.84d308p+0f},
      {"expm1.f32", -0x1.e354p-4f, 0, -0x1.c7e6acp-4f},
      {"sinh.f32", 0x1.ca0f9p+2f, 0, 0x1.40d3f4p+9f},
      {"sinh.f32", -0x1.df3eacp+2f, 0, -0x1.beb548p+9f},
      {"cosh.f32", 0x1.d8fc6p-1f, 0, 0x1.753aa8p+0f},
      {"cosh.f32", -0x1.0e339cp+3f, 0, 0x1.2262d4p+11f},
      {"tanh.f32", 0x1.74bc8p-3f, 0, 0x1.70acb6p-3f},
      {"tanh.f32", -0x1.06738p-1f, 0, -0x1.e34bb6p-2f},
      {"log.f32", 0x1.efbc76p+1f, 0, 0x1.5aa0a4p+0f},
      {"log.f32", 0x1.6228eep+5f, 0, 0x1.e528c8p+1f},
      {"log2.f32", 0x1.50531cp-1f, 0, -0x1.366b8cp-1f},
      {"log2.f32", 0x1.47acbp+4f, 0, 0x1.16caacp+2f},
      {"log10.f32", 0x1.44a398p+5f, 0, 0x1.9bba42p+0f},
      {"log10.f32", 0x1.1c4ab8p+5f, 0, 0x1.8cf902p+0f},
      {"log1p.f32", 0x1.f16efp+1f, 0, 0x1.961f44p+0f},
      {"log1p.f32", -0x1.ce136cp-2f, 0, -0x1.3340f4p-1f},
      {"erf.f32", 0x1.6d35a8p+1f, 0, 0x1.fff8dap-1f},
      {"erf.f32", -0x1.d4f0ep+0f, 0, -0x1.fb181p-1f},
      {"erfc.f32", 0x1.9281c4p+2f, 0, 0x1.5b3f0ap-61f},
      {"erfc.f32", -0x1.70c0bp-2f, 0, 0x1.63b244p+0f},
      {"normcdf.f32", 0x1.4467p-4f, 0, 0x1.10290ap-1f},
      {"normcdf.f32", -0x1.165aeep+3f, 0, 0x1.efdaccp-60f},
      {"sin.f32", 0x1.ca0f9p+2f, 0, 0x1.88a8ap-1f},
      {"sin.f32", -0x1.8d70a4p+2f, 0, 0x1.2b7fd6p-4f},
      {"cos.f32", 0x1.fd22p+0f, 0, -0x1.9fade8p-2f},
      {"cos.f32", -0x1.10ac08p+3f, 0, -0x1.3cbf3p-1f},
      {"tan.f32", 0x1.b8ebfp+2f, 0, 0x1.62f83ap-1f},
      {"tan.f32", -0x1.91c77ap+2f, 0, 0x1.60edf2p-8f},
      {"atan.f32", 0x1.d8fc6p-1f, 0, 0x1.7ddacep-1f},
      {"atan.f32", -0x1.c5a1cp-2f, 0, -0x1.ab0698p-2f},
      {"asin.f32", 0x1.3eb074p-1f, 0, 0x1.57fd9p-1f},
      {"asin.f32", -0x1.3df3b6p-1f, 0, -0x1.570c96p-1f},
      {"acos.f32", 0x1.60bccp-1f, 0, 0x1.9f1d54p-1f},
      {"acos.f32", -0x1.5bf488p-1f, 0, 0x1.28b4aap+1f},
      {"cbrt.f32", 0x1.ca0f9p+2f, 0, 0x1.ed595ep+0f},
      {"cbrt.f32", -0x1.b23a2ap+2f, 0, -0x1.e4a3c2p+0f},
      {"atan2.f32", 0x1.e0f604p+0f, 0x1.13d5bcp+1f, 0x1.6f1e9cp-1f},
      {"atan2.f32", 0x1.0bb22cp+1f, 0x1.fbbd8p-5f, 0x1.8a8a0ep+0f},
      {"hypot.f32", 0x1.02bbp+1f, 0x1.372dap+1f, 0x1.94b07p+1f},
      {"hypot.f32", 0x1.6fcafap+0f, -0x1.19a804p+0f, 0x1.cf405cp+0f},
      {"pow.f32", 0x1.33ddd2p+2f, 0x1.a1412p+0f, 0x1.9e0978p+3f},
      {"pow.f32", 0x1.9bc9fp+0f, 0x1.3da51p+1f, 0x1.a06348p+1f},
      {"sin.f32", 0x1.6e36p+21f, 0, -0x1.c1c974p-1f},
      {"sin.f32", -0x1.5af1d8p+66f, 0, -0x1.502ad2p-1f},
  };
  for (const Known &K : Rows)
    EXPECT_EQ(one(K.Name, K.X, K.Y), K.Result) << K.Name << " of " << K.X;
}

struct KnownDouble {
  const char *Name;
  double X, Result;
};

// Computed with 300 bits. CUDA promises 5 ulp and more for these.
TEST(DeviceMath, ErrorFunctionsOfDoubles) {
  const KnownDouble Rows[] = {
      {"erfinv.f64", 0x1.3333333333333p-2, 0x1.1700774485ed2p-2},
      {"erfinv.f64", -0x1.8000000000000p-1, -0x1.a07890f6b2ba1p-1},
      {"erfinv.f64", 0x1.f5c28f5c28f5cp-1, 0x1.a51d2ba8948b8p+0},
      {"erfinv.f64", -0x1.fffffca501acbp-1, -0x1.e21eb9013cbe7p+1},
      {"erfcinv.f64", 0x0.0000000000001p-1022, 0x1.b369a6244e684p+4},
      {"erfcinv.f64", 0x1.56e1fc2f8f359p-997, 0x1.a359fd2c5e942p+4},
      {"erfcinv.f64", 0x1.4f8b588e368f1p-17, 0x1.8fcc019497d9dp+1},
      {"erfcinv.f64", 0x1.1eb851eb851ecp-4, 0x1.47fda973ab424p+0},
      {"erfcinv.f64", 0x1.8000000000000p+0, -0x1.e861fbb24c00ap-2},
      {"erfcinv.f64", 0x1.fff972474538fp+0, -0x1.6022dcb01ea50p+1},
      {"normcdfinv.f64", 0x0.00000000007e8p-1022, -0x1.32272b3016ccdp+5},
      {"normcdfinv.f64", 0x1.a36e2eb1c432dp-14, -0x1.dc08bb712893bp+1},
      {"normcdfinv.f64", 0x1.3333333333333p-2, -0x1.0c7e39582c5fbp-1},
      {"normcdfinv.f64", 0x1.ff7ced916872bp-1, 0x1.8b8cbb7204470p+1},
      {"erfcx.f64", -0x1.a800000000000p+4, 0x1.18a49e30f3487p+1014},
      {"erfcx.f64", -0x1.8000000000000p+1, 0x1.fa6fe92c4925fp+13},
      {"erfcx.f64", 0x1.9000000000000p+3, 0x1.7093453935bbap-5},
      {"erfcx.f64", 0x1.8e66666666666p+4, 0x1.72eefdc51e449p-6},
      {"erfcx.f64", 0x1.9800000000000p+4, 0x1.6a382043f7ebdp-6},
      {"erfcx.f64", 0x1.9000000000000p+6, 0x1.71ba92b1d1777p-8},
      {"erfcx.f64", 0x1.7e43c8800759cp+996, 0x1.82e6d98711d39p-998},
      {"normcdf.f64", -0x1.2800000000000p+5, 0x1.eaccc6bfeb0afp-995},
      {"normcdf.f64", -0x1.44ccccccccccdp+4, 0x1.0c37ea06f83fap-303},
      {"normcdf.f64", -0x1.4000000000000p+0, 0x1.b0bdd12ba9c29p-4},
      {"normcdf.f64", 0x1.0000000000000p-1, 0x1.62075e232ac77p-1},
      {"normcdf.f64", 0x1.2000000000000p+3, 0x1.0000000000000p+0},
  };
  for (const KnownDouble &K : Rows) {
    alignas(64) double X[32], Y[32];
    std::fill(X, X + 32, K.X);
    heddleFindMath(K.Name)->Function(Y, X, nullptr, nullptr);
    const double Ulp =
        std::nextafter(std::fabs(K.Result), INFINITY) - std::fabs(K.Result);
    EXPECT_LE(std::fabs(Y[7] - K.Result), 5 * Ulp) << K.Name << " of " << K.X;
  }
}

TEST(DeviceMath, PowersAndErrorFunctionsOfFloats) {
  EXPECT_LT(worstError(
                "pow.f32", [](double X) { return std::pow(X, -149.0); }, 0.6f,
                1.6f, -149),
            4);
  EXPECT_FALSE(std::signbit(one("normcdfinv.f32", 0.5f)));
  EXPECT_EQ(one("erfcx.f32", -26.6771088f), INFINITY);
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
  EXPECT_TRUE(std::signbit(one("tan.f32", -0.0f)));
  EXPECT_TRUE(std::signbit(one("log1p.f32", -0.0f)));
  EXPECT_EQ(one("log1p.f32", -1), -Inf);
  EXPECT_TRUE(std::isnan(one("log1p.f32", -2)));
  EXPECT_EQ(one("erfc.f32", Inf), 0);
  EXPECT_EQ(one("hypot.f32", NaN, -Inf), Inf);
  EXPECT_EQ(one("pow.f32", -Inf, -3), 0);
  EXPECT_EQ(one("pow.f32", -1, Inf), 1);
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
