//===- DeviceMathFast.cpp - The common f32 functions, vectorised ----------===//
//
// exp, log, sin, cos, tan, pow and reciprocals in f32. Each evaluates in f64
// with branch-free arithmetic that the host compiler turns into vector code,
// and rounds once at the end, so the error stays below 0.501 ulp of f32 and
// does not depend on the vector width. Lanes outside the range of the fast path
// take libm's f64 function.
//
//===----------------------------------------------------------------------===//

#include "exec/DeviceMathTables.h"

#include <bit>
#include <cmath>
#include <limits>
#include <numbers>

namespace heddle::exec {

// One copy per vector width, chosen when the program is loaded. The copies
// compute the same: contraction is off for this file.
#define HEDDLE_CLONES                                                          \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))

static inline double mulAdd(double X, double Y, double Z) { return X * Y + Z; }
/// The same with one rounding where the host has an instruction for it.
static inline double mulAddOnce(double X, double Y, double Z) {
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
  return X * Y + Z;
}

/// 2^x for |x| < 1020: splits off the integer, then exp(f ln 2) by its Taylor
/// polynomial; |f ln 2| <= 0.347, so the first term left out is below 1e-14.
template <double (*MulAdd)(double, double, double) = mulAdd>
static inline double exp2Core(double X) {
  // Adding 1.5 * 2^52 leaves round(x) in the low bits of the mantissa.
  constexpr double Shifter = 6755399441055744.0;
  double Shifted = X + Shifter;
  double Y = (X - (Shifted - Shifter)) * std::numbers::ln2;
  double P = 1.0 / 39916800;
  P = MulAdd(P, Y, 1.0 / 3628800);
  P = MulAdd(P, Y, 1.0 / 362880);
  P = MulAdd(P, Y, 1.0 / 40320);
  P = MulAdd(P, Y, 1.0 / 5040);
  P = MulAdd(P, Y, 1.0 / 720);
  P = MulAdd(P, Y, 1.0 / 120);
  P = MulAdd(P, Y, 1.0 / 24);
  P = MulAdd(P, Y, 1.0 / 6);
  P = MulAdd(P, Y, 0.5);
  P = MulAdd(P, Y, 1.0);
  P = MulAdd(P, Y, 1.0);
  uint64_t N = std::bit_cast<uint64_t>(Shifted) << 52; // exponent, mod 2^12
  return std::bit_cast<double>(std::bit_cast<uint64_t>(P) + N);
}

/// log2(x) for normal positive f64: x = m 2^e with m in [sqrt(1/2), sqrt(2)),
/// log(m) = 2 atanh(s), s = (m - 1) / (m + 1), |s| <= 0.1716.
static inline double log2Core(double X) {
  uint64_t Bits = std::bit_cast<uint64_t>(X);
  uint64_t Offset = Bits - 0x3FE6A09E667F3BCDull; // bits of sqrt(1/2)
  int64_t E = int64_t(Offset) >> 52;
  double M = std::bit_cast<double>(Bits - (uint64_t(E) << 52));
  // int64 -> f64 through the mantissa, which vectorises everywhere.
  double Exponent = std::bit_cast<double>(uint64_t(E) + 0x4338000000000000ull) -
                    6755399441055744.0;
  double S = (M - 1) / (M + 1), Q = S * S;
  double P = 1.0 / 17;
  P = P * Q + 1.0 / 15;
  P = P * Q + 1.0 / 13;
  P = P * Q + 1.0 / 11;
  P = P * Q + 1.0 / 9;
  P = P * Q + 1.0 / 7;
  P = P * Q + 1.0 / 5;
  P = P * Q + 1.0 / 3;
  double T = S + S * Q * P;
  return Exponent + T * (2 / std::numbers::ln2);
}

static inline double clampExponent(double X) {
  // Beyond these f32 is 0 or infinity; NaN stays.
  X = X > 200 ? 200 : X;
  return X < -200 ? -200 : X;
}

/// exp2 of \p X times \p Scale, which is log2 of the base. For every f32 and
/// each of the bases below the result is the same with one rounding as with two
/// (all from 1e-9 to 210 in size were compared; others give 1, 0 or infinity),
/// so it does not depend on the host.
template <typename G>
static inline void expLanes(float *Out, const float *X, G Scaled) {
  for (unsigned L = 0; L < 32; ++L) {
    double V = Scaled(double(X[L]));
    float R = float(exp2Core<mulAddOnce>(clampExponent(V)));
    Out[L] = V != V ? X[L] : R;
  }
}

HEDDLE_CLONES static void expf32(void *Out, const void *X, const void *,
                                 const void *) {
  expLanes((float *)Out, (const float *)X,
           [](double V) { return V * std::numbers::log2e; });
}
HEDDLE_CLONES static void exp2f32(void *Out, const void *X, const void *,
                                  const void *) {
  expLanes((float *)Out, (const float *)X, [](double V) { return V; });
}
HEDDLE_CLONES static void exp10f32(void *Out, const void *X, const void *,
                                   const void *) {
  expLanes((float *)Out, (const float *)X,
           [](double V) { return V * 3.321928094887362347870319429489; });
}

static inline void logLanes(float *Out, const float *X, double Scale) {
  for (unsigned L = 0; L < 32; ++L) {
    float V = X[L];
    float R = float(log2Core(V) * Scale);
    R = V == std::numeric_limits<float>::infinity() ? V : R;
    R = V == 0 ? -std::numeric_limits<float>::infinity() : R;
    R = V < 0 ? std::numeric_limits<float>::quiet_NaN() : R;
    Out[L] = V != V ? V : R;
  }
}

HEDDLE_CLONES static void logf32(void *Out, const void *X, const void *,
                                 const void *) {
  logLanes((float *)Out, (const float *)X, std::numbers::ln2);
}
HEDDLE_CLONES static void log2f32(void *Out, const void *X, const void *,
                                  const void *) {
  logLanes((float *)Out, (const float *)X, 1.0);
}
HEDDLE_CLONES static void log10f32(void *Out, const void *X, const void *,
                                   const void *) {
  logLanes((float *)Out, (const float *)X,
           std::numbers::ln2 / std::numbers::ln10);
}

/// Sine of x + Quarter * pi/2 for |x| < 2^20: reduction by pi/2 in two parts
/// (Cody and Waite), then the Taylor polynomials on |y| <= pi/4.
static inline double sinCore(double X, double Quarter) {
  constexpr double Shifter = 6755399441055744.0;
  double Shifted = X * (2 / std::numbers::pi) + Shifter;
  double N = Shifted - Shifter;
  // pi/2 = Hi + Lo; Hi has 33 bits, so N * Hi is exact.
  double Y = (X - N * 1.57079632673412561417) - N * 6.07710050650619224932e-11;
  double Q = Y * Y;
  double S = -1.0 / 39916800;
  S = 1.0 / 6227020800 * Q + S;
  S = S * Q + 1.0 / 362880;
  S = S * Q - 1.0 / 5040;
  S = S * Q + 1.0 / 120;
  S = S * Q - 1.0 / 6;
  S = Y + Y * Q * S;
  double C = 1.0 / 479001600;
  C = -1.0 / 87178291200 * Q + C;
  C = C * Q - 1.0 / 3628800;
  C = C * Q + 1.0 / 40320;
  C = C * Q - 1.0 / 720;
  C = C * Q + 1.0 / 24;
  C = C * Q - 0.5;
  C = 1.0 + Q * C;
  uint64_t K = std::bit_cast<uint64_t>(Shifted) + uint64_t(Quarter);
  double R = K & 1 ? C : S;
  uint64_t Sign = (K & 2) << 62;
  return std::bit_cast<double>(std::bit_cast<uint64_t>(R) ^ Sign);
}

static inline bool anyBeyond(const float *X, float Limit) {
  unsigned Any = 0;
  for (unsigned L = 0; L < 32; ++L)
    Any |= !(std::fabs(X[L]) < Limit);
  return Any;
}

constexpr float TrigLimit = 1048576;

/// The rare lanes: infinities, NaN, and arguments that need exact reduction.
template <double (*F)(double)>
static void trigRare(float *Out, const float *X) {
  for (unsigned L = 0; L < 32; ++L)
    if (!(std::fabs(X[L]) < TrigLimit))
      Out[L] = float(F(X[L]));
}

#define TRIG(NAME, CORE, RARE)                                                 \
  HEDDLE_CLONES static void NAME(void *Result, const void *A, const void *,    \
                                 const void *) {                               \
    auto *Out = (float *)Result;                                               \
    float X[32];                                                               \
    __builtin_memcpy(X, A, sizeof(X));                                         \
    for (unsigned L = 0; L < 32; ++L)                                          \
      Out[L] = float(CORE);                                                    \
    if (anyBeyond(X, TrigLimit)) [[unlikely]]                                  \
      trigRare<RARE>(Out, X);                                                  \
  }
TRIG(sinf32, X[L] == 0 ? double(X[L]) : sinCore(X[L], 0), std::sin)
TRIG(cosf32, sinCore(X[L], 1), std::cos)
TRIG(tanf32, X[L] == 0 ? double(X[L]) : sinCore(X[L], 0) / sinCore(X[L], 1),
     std::tan)

/// x^y for normal positive x and |y log2 x| < 1020; libm for every other lane.
HEDDLE_CLONES static void powf32(void *Result, const void *A, const void *B,
                                 const void *) {
  auto *Out = (float *)Result;
  float X[32], Y[32];
  __builtin_memcpy(X, A, sizeof(X));
  __builtin_memcpy(Y, B, sizeof(Y));
  unsigned Rare = 0;
  for (unsigned L = 0; L < 32; ++L) {
    double E = double(Y[L]) * log2Core(X[L]);
    Out[L] = float(exp2Core(clampExponent(E)));
    bool Fast = X[L] > 0 && X[L] <= std::numeric_limits<float>::max() &&
                std::fabs(Y[L]) <= std::numeric_limits<float>::max();
    Rare |= !Fast;
  }
  if (!Rare) [[likely]]
    return;
  for (unsigned L = 0; L < 32; ++L)
    if (!(X[L] > 0 && X[L] <= std::numeric_limits<float>::max() &&
          std::fabs(Y[L]) <= std::numeric_limits<float>::max()))
      Out[L] = float(std::pow(double(X[L]), double(Y[L])));
}

HEDDLE_CLONES static void rsqrtf32(void *Out, const void *X, const void *,
                                   const void *) {
  for (unsigned L = 0; L < 32; ++L)
    ((float *)Out)[L] = 1.0f / std::sqrt(((const float *)X)[L]);
}
/// 1 - 2 / (e^2|x| + 1) with the sign of x; below 2^-7 the series, whose next
/// term is under 2^-40 of the result.
HEDDLE_CLONES static void tanhf32(void *Out, const void *X, const void *,
                                  const void *) {
  for (unsigned L = 0; L < 32; ++L) {
    double V = ((const float *)X)[L], A = std::fabs(V);
    double E = exp2Core(clampExponent(A * (2 * std::numbers::log2e)));
    double Q = V * V;
    double Small = V - V * Q * (1.0 / 3 - Q * (2.0 / 15 - Q * (17.0 / 315)));
    double Large = std::copysign(1.0 - 2.0 / (E + 1.0), V);
    double R = A < 0.0078125 ? Small : Large;
    ((float *)Out)[L] = V != V ? float(V) : float(R);
  }
}
HEDDLE_CLONES static void recipf32(void *Out, const void *X, const void *,
                                   const void *) {
  for (unsigned L = 0; L < 32; ++L)
    ((float *)Out)[L] = 1.0f / ((const float *)X)[L];
}

static const HeddleMathEntry Entries[] = {
    {"cos.f32", "ff", cosf32},
    {"exp.f32", "ff", expf32},
    {"exp10.f32", "ff", exp10f32},
    {"exp2.f32", "ff", exp2f32},
    {"log.f32", "ff", logf32},
    {"log10.f32", "ff", log10f32},
    {"log2.f32", "ff", log2f32},
    {"pow.f32", "fff", powf32},
    {"recip.f32", "ff", recipf32},
    {"rsqrt.f32", "ff", rsqrtf32},
    {"sin.f32", "ff", sinf32},
    {"tan.f32", "ff", tanf32},
    {"tanh.f32", "ff", tanhf32},
    {"llvm.nvvm.cos.approx.f", "ff", cosf32},
    {"llvm.nvvm.cos.approx.ftz.f", "ff", cosf32},
    {"llvm.nvvm.ex2.approx.f", "ff", exp2f32},
    {"llvm.nvvm.ex2.approx.f32", "ff", exp2f32},
    {"llvm.nvvm.ex2.approx.ftz", "ff", exp2f32},
    {"llvm.nvvm.ex2.approx.ftz.f", "ff", exp2f32},
    {"llvm.nvvm.ex2.approx.ftz.f32", "ff", exp2f32},
    {"llvm.nvvm.lg2.approx.f", "ff", log2f32},
    {"llvm.nvvm.lg2.approx.ftz.f", "ff", log2f32},
    {"llvm.nvvm.rcp.approx.ftz.f", "ff", recipf32},
    {"llvm.nvvm.rsqrt.approx.f", "ff", rsqrtf32},
    {"llvm.nvvm.rsqrt.approx.ftz.f", "ff", rsqrtf32},
    {"llvm.nvvm.sin.approx.f", "ff", sinf32},
    {"llvm.nvvm.sin.approx.ftz.f", "ff", sinf32},
};

std::span<const HeddleMathEntry> fastMath() { return Entries; }

} // namespace heddle::exec
