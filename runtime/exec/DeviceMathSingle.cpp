//===- DeviceMathSingle.cpp - f32 functions by CUDA's operations ----------===//
//
// The usual f32 functions, step for step as nvcc's PTX of a kernel that calls
// one shows them, so that a kernel reads the same whether nvcc or Heddle has
// compiled it (utils/reproduce toolkit compares them). What is approximate in
// PTX, as ex2.approx, is rounded well here, inside of these functions as well.
// Errors are CUDA's: at most 2 ulp, tan, pow and erfc 4, normcdf 5 (CUDA C++
// Programming Guide, single-precision functions).
//
//===----------------------------------------------------------------------===//

#include "exec/DeviceMathTables.h"

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

// One copy per vector width, chosen when the program is loaded. The copies
// compute the same: contraction is off for this file.
#define HEDDLE_CLONES                                                          \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#define HEDDLE_INLINE [[gnu::always_inline]] static inline

namespace heddle::exec {

constexpr float Infinity = std::numeric_limits<float>::infinity();
constexpr uint32_t ExponentMask = 0xFF800000; // and the sign
constexpr uint32_t InfinityBits = 0x7F800000;

HEDDLE_INLINE float fma(float X, float Y, float Z) {
  return __builtin_fmaf(X, Y, Z);
}
HEDDLE_INLINE uint32_t bits(float X) { return std::bit_cast<uint32_t>(X); }
HEDDLE_INLINE float number(uint32_t X) { return std::bit_cast<float>(X); }

/// A polynomial of \p X, highest coefficient first, each step fused.
template <typename... T>
HEDDLE_INLINE float horner(float X, float Highest, T... Others) {
  ((Highest = fma(Highest, X, Others)), ...);
  return Highest;
}

/// Lane by lane.
#define HEDDLE_LANES1(NAME, FUNCTION)                                          \
  HEDDLE_CLONES static void NAME(void *Out, const void *X, const void *,       \
                                 const void *) {                               \
    for (unsigned L = 0; L < 32; ++L)                                          \
      ((float *)Out)[L] = FUNCTION(((const float *)X)[L]);                     \
  }
#define HEDDLE_LANES2(NAME, FUNCTION)                                          \
  HEDDLE_CLONES static void NAME(void *Out, const void *X, const void *Y,      \
                                 const void *) {                               \
    for (unsigned L = 0; L < 32; ++L)                                          \
      ((float *)Out)[L] =                                                      \
          FUNCTION(((const float *)X)[L], ((const float *)Y)[L]);              \
  }

// --- exponentials

/// One rounding where the host has an instruction for it.
HEDDLE_INLINE double mulAddOnce(double X, double Y, double Z) {
#ifdef __clang__
#pragma clang fp contract(fast)
#endif
  return X * Y + Z;
}

/// 2^x for |x| < 1020: splits off the integer. The polynomial of what is left
/// has the least relative error on [-1/2, 1/2] of those of its degree that are
/// 1 at 0 (found by Remez' algorithm), 3.0e-16.
HEDDLE_INLINE double exp2Core(double X) {
  // Adding 1.5 * 2^52 leaves round(x) in the low bits of the mantissa.
  constexpr double Shifter = 6755399441055744.0;
  const double Shifted = X + Shifter, F = X - (Shifted - Shifter);
  double P = 0x1.e8b75fa69c80dp-28;
  P = mulAddOnce(P, F, 0x1.b689b4588469bp-24);
  P = mulAddOnce(P, F, 0x1.62be6865a28c3p-20);
  P = mulAddOnce(P, F, 0x1.ffcb3f1b7e663p-17);
  P = mulAddOnce(P, F, 0x1.43091387c656ap-13);
  P = mulAddOnce(P, F, 0x1.5d87fea4a7317p-10);
  P = mulAddOnce(P, F, 0x1.3b2ab6fb82091p-7);
  P = mulAddOnce(P, F, 0x1.c6b08d703955bp-5);
  P = mulAddOnce(P, F, 0x1.ebfbdff82c61fp-3);
  P = mulAddOnce(P, F, 0x1.62e42fefa3a28p-1);
  P = mulAddOnce(P, F, 1.0);
  const uint64_t N = std::bit_cast<uint64_t>(Shifted) << 52; // mod 2^12
  return std::bit_cast<double>(std::bit_cast<uint64_t>(P) + N);
}

HEDDLE_INLINE float clampExponent(float X) {
  // Beyond these f32 is 0 or infinity; NaN stays.
  X = X > 200 ? 200 : X;
  return X < -200 ? -200 : X;
}

/// ex2.approx. For every f32 the result is the same with one rounding as with
/// two, so it does not depend on the host.
HEDDLE_INLINE float exp2Approximate(float X) {
  const float R = float(exp2Core(clampExponent(X)));
  return X != X ? X : R;
}

/// Base^x: 2^n with n = round(x log2(base)), found by a sum whose low bits are
/// n, times 2 to what is left. \p Step is log2(base) / 252.
HEDDLE_INLINE float power(float X, float Step, float Log2Base, float Rest) {
  float Place = fma(X, Step, 0.5f);
  Place = Place > 0 ? Place : 0;
  Place = Place < 1 ? Place : 1;
  // Rounded down to a whole number.
  float Whole = std::floor(Place * 252);
  Whole -= fma(Place, 252, -Whole) < 0 ? 1.0f : 0.0f;
  const float Shifted = Whole + 0x1.800002p23f;
  float R = fma(X, Log2Base, -(Shifted - 0x1.8000fep23f));
  R = fma(X, Rest, R);
  return exp2Approximate(R) * number(bits(Shifted) << 23);
}
HEDDLE_INLINE float exponential(float X) {
  return power(X, 0x1.77313ap-8f, 0x1.715476p0f, 0x1.4ae0cp-26f);
}
HEDDLE_INLINE float exponential10(float X) {
  return power(X, 0x1.aff4c4p-7f, 0x1.a934fp1f, 0x1.2f346ep-24f);
}

/// e^x by 2^n with n towards zero and at most 126; \p Shifter has the exponent
/// of the scale in its low bits.
HEDDLE_INLINE float truncatedPower(float X, float Shifter) {
  float N = std::trunc(X * 0x1.715476p0f);
  N = std::fabs(N) > 126 ? std::copysign(126.0f, N) : N;
  const float R = fma(N, 0x1.05c61p-29f, fma(N, -0x1.62e43p-1f, X));
  return exp2Approximate(R * 0x1.715476p0f) * number(bits(N + Shifter) << 23);
}

HEDDLE_INLINE float exponentialLess1(float X) {
  float N = std::nearbyint(X * 0x1.715476p0f);
  N = std::fabs(X) < 0x1.a3d70ap-2f ? 0 : N;
  float R = fma(-N, 0x1.62e4p-1f, X);
  R = fma(-N, 0x1.7f7d1cp-20f, R);
  const bool Largest = N == 128;
  N = Largest ? N - 1 : N;
  float P = horner(R, 0x1.6bd7ccp-10f, 0x1.12acc6p-7f, 0x1.5557c6p-5f,
                   0x1.5553ecp-3f, 0x1.fffffcp-2f);
  P = fma(R * P, R, R);
  const float Scale = exp2Approximate(N);
  float Y = fma(P, Scale, Scale - 1);
  Y = Largest ? Y + Y : Y;
  Y = N > 128 ? Infinity : Y;
  Y = N < -25 ? -1 : Y;
  return X == 0 ? X + X : Y;
}

HEDDLE_INLINE float hyperbolicSine(float X) {
  const float A = std::fabs(X), E = truncatedPower(A, 0x1.8000fap23f);
  const float Large = std::copysign(fma(2, E, -0.125f / E), X);
  const float Q = X * X;
  const float P = horner(Q, 0x1.7a15b4p-19f, 0x1.9ffe92p-13f, 0x1.111134p-7f,
                         0x1.555556p-3f);
  return A >= 1 ? Large : fma(Q * P, X, X);
}
HEDDLE_INLINE float hyperbolicCosine(float X) {
  const float E = truncatedPower(std::fabs(X), 0x1.8000fap23f);
  return fma(2, E, 0.125f / E);
}
HEDDLE_INLINE float hyperbolicTangent(float X) {
  const float A = std::fabs(X);
  float Large = fma(1.0f / (exp2Approximate(A * 0x1.715476p1f) + 1.0f), -2, 1);
  Large = std::copysign(A >= 0x1.205968p3f ? 1 : Large, X);
  const float Q = X * X;
  const float P = horner(Q, 0x1.01e104p-6f, -0x1.ac795cp-5f, 0x1.10b282p-3f,
                         -0x1.5553dap-2f, 0.0f);
  return A >= 0x1.333334p-1f ? Large : fma(P, X, X);
}

HEDDLE_LANES1(exp2f32, exp2Approximate)
HEDDLE_LANES1(expf32, exponential)
HEDDLE_LANES1(exp10f32, exponential10)
HEDDLE_LANES1(expm1f32, exponentialLess1)
HEDDLE_LANES1(sinhf32, hyperbolicSine)
HEDDLE_LANES1(coshf32, hyperbolicCosine)
HEDDLE_LANES1(tanhf32, hyperbolicTangent)

// --- logarithms

/// x = m 2^e with m from \p Lowest on; subnormal numbers are scaled before.
struct Parts {
  float Scaled, Mantissa, Exponent;
};
HEDDLE_INLINE Parts parts(float X, float Lowest, float Scale,
                          float ScaleExponent) {
  const bool Small = X < 0x1p-126f;
  const float V = Small ? X * Scale : X;
  const uint32_t E = (bits(V) - bits(Lowest)) & ExponentMask;
  return {V, number(bits(V) - E),
          fma(float(int32_t(E)), 0x1p-23f, Small ? -ScaleExponent : 0.0f)};
}
/// The logarithm of 0, negative numbers, infinity and NaN beside \p Y.
HEDDLE_INLINE float logarithmOf(float V, float Y) {
  Y = bits(V) >= InfinityBits ? fma(V, Infinity, Infinity) : Y;
  return V == 0 ? -Infinity : Y;
}

HEDDLE_INLINE float naturalLogarithm(float X, float Scale) {
  const Parts P = parts(X, 0x1.555556p-1f, 0x1p23f, 23);
  const float R = P.Mantissa - 1;
  const float Q = horner(R, -0x1.0aa04ep-3f, 0x1.2073ecp-3f, -0x1.f19b98p-4f,
                         0x1.1e52aap-3f, -0x1.55b172p-3f, 0x1.99da16p-3f,
                         -0x1.fffe44p-3f, 0x1.5554fp-2f, -0.5f);
  const float Y = fma(P.Exponent, 0x1.62e43p-1f, fma(R * Q, R, R));
  return logarithmOf(P.Scaled, Y * Scale);
}
HEDDLE_INLINE float logarithm(float X) { return naturalLogarithm(X, 1); }
HEDDLE_INLINE float logarithm10(float X) {
  return naturalLogarithm(X, 0x1.bcb7b2p-2f);
}
HEDDLE_INLINE float logarithm2(float X) {
  const Parts P = parts(X, 0x1.6a09e6p-1f, 0x1p23f, 23);
  const float R = P.Mantissa - 1;
  const float Q =
      horner(R, 0x1.8d64fep-4f, -0x1.58fe6p-3f, 0x1.5f9e54p-3f, -0x1.6e9c86p-3f,
             0x1.a417e8p-3f, -0x1.ec7916p-3f, 0x1.277f32p-2f, -0x1.715492p-2f,
             0x1.ec7094p-2f, -0x1.715476p-1f);
  return logarithmOf(P.Scaled, P.Exponent + fma(R, 0x1.715476p0f, R * (R * Q)));
}
HEDDLE_INLINE float logarithmOf1And(float X) {
  // 1 + x towards zero: what the sum to nearest leaves tells its side.
  const float Sum = X + 1, Other = Sum - 1;
  const float Left = (1 - (Sum - Other)) + (X - Other);
  const uint32_t B = bits(Sum) - (Left < 0 && Sum > 0 ? 1 : 0);
  const uint32_t E = (B - bits(0.75f)) & ExponentMask;
  const float R = fma(0.25f, number(bits(4.0f) - E), -1) + number(bits(X) - E);
  const float Q = horner(R, -0x1.737efp-5f, 0x1.b00024p-4f, -0x1.0ef1cp-3f,
                         0x1.28c8eap-3f, -0x1.54d1bap-3f, 0x1.995f3cp-3f,
                         -0x1.000084p-2f, 0x1.5555ccp-2f, -0.5f);
  float Y = fma(float(int32_t(E)) * 0x1p-23f, 0x1.62e43p-1f, fma(R * Q, R, R));
  Y = bits(X) >= InfinityBits && !(X >= -1 && X <= 0)
          ? fma(X, Infinity, Infinity)
          : Y;
  return X == 0 ? X : Y;
}

HEDDLE_LANES1(logf32, logarithm)
HEDDLE_LANES1(log2f32, logarithm2)
HEDDLE_LANES1(log10f32, logarithm10)
HEDDLE_LANES1(log1pf32, logarithmOf1And)

// --- error functions

HEDDLE_INLINE float complementaryError(float X) {
  const float A = std::fabs(X);
  // (A - 4) / (A + 4) with its rounding error.
  const float Inverse = 1.0f / (A + 4), Rough = (A - 4) * Inverse;
  const float T = fma(Inverse, fma(-Rough, A, fma(-4, Rough + 1, A)), Rough);
  const float P =
      horner(T, 0x1.d34122p-11f, 0x1.cdc0b6p-8f, -0x1.03f696p-6f,
             0x1.2a6e76p-5f, -0x1.10f8b4p-4f, 0x1.8043aap-4f, -0x1.9da848p-4f,
             0x1.16e9bcp-4f, 0x1.f7e2ep-7f, -0x1.1df1a8p-3f, 0x1.3ba592p0f);
  // P / (2 A + 1), likewise.
  const float Divisor = 1.0f / fma(2, A, 1), Q = P * Divisor;
  const float Factor = fma(fma(A, Q * -2.0f, P) - Q, Divisor, Q);
  const float Square = A * A;
  const float E = truncatedPower(-Square, 0x1.8000fep23f);
  float Y = Factor * fma(E, fma(-A, A, Square), E);
  Y = A > 0x1.41c29p3f ? 0 : Y;
  return X < 0 ? 2 - Y : Y;
}

HEDDLE_INLINE float error(float X) {
  const float A = std::fabs(X);
  const bool Large = A >= 0x1.00c1fcp0f;
  const float Q = Large ? A : X * X;
  const float P = horner(Q, Large ? 0x1.d69874p-14f : 0x1.63d2d4p-14f,
                         Large ? -0x1.5c00b6p-10f : -0x1.ae9a4p-11f,
                         Large ? 0x1.13233ep-7f : 0x1.55abd4p-8f,
                         Large ? -0x1.49b334p-5f : -0x1.b837cep-6f,
                         Large ? 0x1.46aa32p-3f : 0x1.ce315ep-4f,
                         Large ? 0x1.d369f2p-1f : -0x1.812758p-2f,
                         Large ? 0x1.421428p-1f : 0x1.06eba6p-3f);
  const float S = Large ? -A : X, Y = fma(P, S, S);
  return Large ? std::copysign(1 - exp2Approximate(Y), X) : Y;
}

HEDDLE_INLINE float normal(float X) {
  const float V = std::fabs(X) > 14.5f ? std::copysign(14.5f, X) : X;
  // -V / sqrt(2) in two parts.
  const float High = V * -0x1.6a09e6p-1f;
  const float Low = fma(V, -0x1.9fcef4p-27f, fma(V, -0x1.6a09e6p-1f, -High));
  const float Sum = High + Low;
  float Y = complementaryError(Sum);
  const float Left = (High - Sum) + Low;
  Y = V < -1 ? fma(Sum * -2.0f * Y, Left, Y) : Y;
  return Y * 0.5f;
}

HEDDLE_LANES1(erff32, error)
HEDDLE_LANES1(erfcf32, complementaryError)
HEDDLE_LANES1(normcdff32, normal)

// --- trigonometry

/// From here on x is reduced by the bits of 2 / pi.
constexpr float ReductionLimit = 105615;

/// x less a multiple of pi / 2, which the quadrant counts.
struct Reduced {
  alignas(64) float R[32];
  alignas(64) int32_t Quadrant[32];
};

/// For one large number: 64 bits of x times 2 / pi behind the point.
static void reduceLarge(float X, float &R, int32_t &Quadrant) {
  if (!std::isfinite(X)) {
    R = X * 0.0f;
    Quadrant = 0;
    return;
  }
  // The first 192 bits of 2 / pi behind the point, lowest first.
  constexpr uint32_t TwoOverPi[] = {0x3C439041, 0xDB629599, 0xF534DDC0,
                                    0xFC2757D1, 0x4E441529, 0xA2F9836E};
  const uint32_t B = bits(X), Exponent = ((B >> 23) & 255) - 128;
  const uint64_t Mantissa = (B << 8) | 0x80000000;
  uint32_t Product[7];
  uint64_t Carry = 0;
  for (unsigned Word = 0; Word < 6; ++Word) {
    Carry += TwoOverPi[Word] * Mantissa;
    Product[Word] = uint32_t(Carry);
    Carry >>= 32;
  }
  Product[6] = uint32_t(Carry);
  const unsigned First = 6 - Exponent / 32, Shift = Exponent % 32;
  uint64_t Fraction = uint64_t(Product[First]) << 32 | Product[First - 1];
  if (Shift)
    Fraction = Fraction << Shift | Product[First - 2] >> (32 - Shift);
  const uint64_t Rest = Fraction << 2;
  const bool Above = Rest >> 63;
  const bool Negative = B >> 31;
  const auto Count = int32_t((Fraction >> 62) + Above);
  Quadrant = Negative ? -Count : Count;
  // pi / 2 in units of 2^-64.
  const auto Magnitude =
      float(double(int64_t(Above ? ~Rest : Rest)) * 0x1.921fb54442d19p-64);
  R = Negative != Above ? -Magnitude : Magnitude;
}

HEDDLE_INLINE void reduce(const float *X, Reduced &Out) {
  unsigned Large = 0;
  for (unsigned L = 0; L < 32; ++L) {
    const bool Here = std::fabs(X[L]) < ReductionLimit;
    const float V = Here ? X[L] : 0;
    // A whole number, of which zero has no sign.
    const float N = std::nearbyint(V * 0x1.45f306p-1f) + 0.0f;
    float R = fma(N, -0x1.921fb4p0f, V);
    R = fma(N, -0x1.4442dp-24f, R);
    Out.R[L] = fma(N, -0x1.84698ap-48f, R);
    Out.Quadrant[L] = int32_t(N);
    Large |= !Here;
  }
  if (!Large) [[likely]]
    return;
  for (unsigned L = 0; L < 32; ++L)
    if (!(std::fabs(X[L]) < ReductionLimit))
      reduceLarge(X[L], Out.R[L], Out.Quadrant[L]);
}

/// The sine of the reduced number, in the quadrant.
HEDDLE_INLINE float sineIn(float R, uint32_t Quadrant) {
  const bool Cosine = Quadrant & 1;
  const float Q = R * R, S = Cosine ? 1 : R;
  const float First =
      Cosine ? fma(0x1.9758p-16f, Q, -0x1.6c0fdap-10f) : -0x1.9a82a6p-13f;
  const float P = horner(Q, First, Cosine ? 0x1.555576p-5f : 0x1.110bc8p-7f,
                         Cosine ? -0x1.fffffep-2f : -0x1.55555p-3f);
  const float Y = fma(P, fma(Q, S, 0), S);
  return Quadrant & 2 ? fma(Y, -1, 0) : Y;
}
HEDDLE_INLINE float tangentIn(float R, uint32_t Quadrant) {
  const float Q = R * R;
  const float P = horner(Q, 0x1.32p-7f, 0x1.acp-9f, 0x1.8ep-6f, 0x1.b6p-5f,
                         0x1.11287p-3f, 0x1.55551p-2f);
  float Y = fma(P, Q * R, R);
  Y = std::fabs(R) == 0x1.016878p-11f ? R : Y;
  return Quadrant & 1 ? 1.0f / -Y : Y;
}

#define HEDDLE_TRIGONOMETRY(NAME, FUNCTION, FIRST)                             \
  HEDDLE_CLONES static void NAME(void *Out, const void *X, const void *,       \
                                 const void *) {                               \
    Reduced V;                                                                 \
    reduce((const float *)X, V);                                               \
    for (unsigned L = 0; L < 32; ++L)                                          \
      ((float *)Out)[L] = FUNCTION(V.R[L], uint32_t(V.Quadrant[L]) + FIRST);   \
  }
HEDDLE_TRIGONOMETRY(sinf32, sineIn, 0)
HEDDLE_TRIGONOMETRY(cosf32, sineIn, 1)
HEDDLE_TRIGONOMETRY(tanf32, tangentIn, 0)

/// pi / 2 - x and its like: pi is a product of two numbers.
constexpr float HalfPiFactor = 0x1.ddcb02p-1f, PiFactor = 0x1.ddcb02p0f,
                OtherFactor = 0x1.aee9d6p0f;

HEDDLE_INLINE float arcTangent(float X) {
  const float A = std::fabs(X);
  const bool Large = A > 1;
  const float T = Large ? 1.0f / A : A, Q = T * T;
  const float P = horner(Q, 0x1.412154p-9f, -0x1.d7c29ep-7f, 0x1.4672fcp-5f,
                         -0x1.2914f4p-4f, 0x1.aed642p-4f, -0x1.223d1p-3f,
                         0x1.995ecp-3f, -0x1.55544ep-2f);
  float Y = fma(Q * P, T, T);
  Y = Large ? fma(HalfPiFactor, OtherFactor, -Y) : Y;
  return A <= Infinity ? std::copysign(Y, X) : Y;
}

/// sqrt((1 - |x|) / 2) for large |x|, else |x|.
HEDDLE_INLINE float halfAngle(float A) {
  const float H = fma(0.5f, -A, 0.5f), Inverse = 1.0f / std::sqrt(H);
  const float Root = H * Inverse;
  float Y = fma(Root, fma(-Root, Inverse * 0.5f, 0.5f), Root);
  Y = A == 1 ? 0 : Y;
  return A > 0x1.1eb852p-1f ? Y : A;
}
HEDDLE_INLINE float arcSine(float X) {
  const float A = std::fabs(X), T = halfAngle(A), Q = T * T;
  const float P = horner(Q, 0x1.9ba5eep-5f, 0x1.33952ep-6f, 0x1.7f21dp-5f,
                         0x1.32799ep-4f, 0x1.555808p-3f);
  const float Small = fma(Q * P, T, T);
  const float Y = A > 0x1.1eb852p-1f
                      ? fma(HalfPiFactor, OtherFactor, Small * -2.0f)
                      : Small;
  return Y <= Infinity ? std::copysign(Y, X) : Y;
}
HEDDLE_INLINE float arcCosine(float X) {
  const float A = std::fabs(X), T = std::copysign(halfAngle(A), X), Q = T * T;
  const float P = horner(Q, 0x1.21d9dep-5f, 0x1.163576p-6f, 0x1.f80518p-6f,
                         0x1.6e4272p-5f, 0x1.3327b6p-4f, 0x1.55558cp-3f);
  const float S = fma(Q * P, T, T);
  const bool Large = A > 0x1.1eb852p-1f;
  const float Y =
      X > 0x1.1eb852p-1f ? S : fma(HalfPiFactor, OtherFactor, Large ? S : -S);
  return Large ? Y + Y : Y;
}

HEDDLE_INLINE float angle(float Y, float X) {
  const float AX = std::fabs(X), AY = std::fabs(Y);
  const bool Steep = AY > AX, Left = bits(X) >> 31;
  const float Larger = Steep ? AY : AX, T = (Steep ? AX : AY) / Larger;
  const float Q = T * T;
  const float P =
      horner(Q, 0x1.66e216p-9f, -0x1.00ee9p-6f, 0x1.59b564p-5f, -0x1.325a2p-4f,
             0x1.b3d4d8p-4f, -0x1.22f962p-3f, 0x1.9979cp-3f, -0x1.5554fap-2f);
  const float S = fma(Q * P, T, T);
  float R = Steep  ? fma(HalfPiFactor, OtherFactor, Left ? S : -S)
            : Left ? fma(PiFactor, OtherFactor, -S)
                   : S;
  R = AX == AY ? (Left ? 0x1.2d97c8p1f : 0x1.921fb6p-1f) : R;
  R = Larger == 0 ? (Left ? 0x1.921fb6p1f : 0) : R;
  const float Sum = AX + AY;
  return Sum != Sum ? Sum : std::copysign(R, Y);
}

HEDDLE_LANES1(atanf32, arcTangent)
HEDDLE_LANES1(asinf32, arcSine)
HEDDLE_LANES1(acosf32, arcCosine)
HEDDLE_LANES2(atan2f32, angle)

// --- roots and powers

HEDDLE_INLINE float cubeRoot(float X) {
  const float A = std::fabs(X);
  const float E = exp2Approximate(logarithm2(A) * -0x1.555556p-1f);
  const float Rough = A * E;
  const float Y =
      fma(Rough, fma(Rough, -(E * Rough), 1) * 0x1.555556p-2f, Rough);
  return X + X == X ? X + X : X < 0 ? -Y : Y;
}

HEDDLE_INLINE float hypotenuse(float X, float Y) {
  const auto BX = int32_t(bits(std::fabs(X))), BY = int32_t(bits(std::fabs(Y)));
  const float Small = number(BX < BY ? BX : BY);
  const uint32_t LargeBits = BX < BY ? BY : BX;
  const float Large = number(LargeBits);
  const uint32_t E = LargeBits & 0xFE000000;
  const float Scale = number(0x7E800000 - E);
  const float A = Small * Scale, B = Large * Scale;
  float R = std::sqrt(fma(B, B, A * A)) * number(E | 0x00800000);
  R = Small == 0 ? Large : R;
  return Small == Infinity ? Infinity : R;
}

/// x^y of the absolute x: log2 x in two parts, times y, then 2 to that.
HEDDLE_INLINE float powerOfAbsolute(float X, float Y) {
  const Parts P = parts(std::fabs(X), 0x1.6a09e6p-1f, 0x1p24f, 24);
  const float R = P.Mantissa - 1, Inverse = 1.0f / (P.Mantissa + 1);
  const float Twice = R + R, T = Twice * Inverse, Q = T * T;
  // What the product with the reciprocal leaves. Not fused: the product has
  // other uses.
  const float D = R - T;
  const float Left = Inverse * fma(-T, R, D + D);
  const float S = horner(Q, 0x1.5865c8p-11f, 0x1.a5cfb6p-9f, 0x1.2776e6p-6f,
                         0x1.ec709ep-4f) *
                  Q;
  const float Log = fma(T, 0x1.715476p0f, P.Exponent);
  float Low = fma(T, 0x1.715476p0f, P.Exponent - Log);
  Low = fma(Left, 0x1.715476p0f, Low);
  Low = fma(T, 0x1.4abc68p-26f, Low);
  Low = fma(S * 3, Left, Low);
  Low = fma(S, T, Low);
  const float High = Log + Low;
  Low -= High - Log;
  const float Product = High * Y;
  const float Error = fma(Low, Y, fma(High, Y, -Product));
  const float N = std::nearbyint(Product);
  const float F = Error + (Product - N);
  const float E = horner(F, 0x1.3f971cp-13f, 0x1.5f0bdap-10f, 0x1.3b30acp-7f,
                         0x1.c6af76p-5f, 0x1.ebfbd8p-3f, 0x1.62e43p-1f, 1.0f);
  // The scale in two steps, so that neither overflows.
  const uint32_t First = N > 0 ? 0 : 0x83000000;
  const float Bound = N < -200 ? -200 : N > 200 ? 200 : N;
  const uint32_t Exponent = uint32_t(int32_t(N != N ? 0 : Bound)) << 23;
  const float Result =
      E * number(First + 0x7F000000) * number(Exponent - First);
  return std::fabs(Product) > 152 ? (Product < 0 ? 0 : Infinity) : Result;
}

HEDDLE_INLINE float powerOf(float X, float Y) {
  const float A = powerOfAbsolute(X, Y);
  const float Half = std::trunc(Y * 0.5f);
  const bool Odd = std::fabs(Y - (Half + Half)) == 1;
  const float AX = std::fabs(X);
  // A negative base.
  float R = X < 0 ? (std::floor(Y) != Y ? number(0x7FFFFFFF)
                     : Odd              ? -A
                                        : A)
                  : A;
  R = X == -1 && std::fabs(Y) == Infinity ? 1 : R;
  uint32_t Edge = bits(X + X);
  Edge ^= Y < 0 ? InfinityBits : 0;
  Edge &= Odd ? 0xFFFFFFFF : 0x7FFFFFFF;
  R = X == 0 || AX == Infinity ? number(Edge) : R;
  R = X != X || Y != Y ? X + Y : R;
  return X == 1 || Y == 0 ? 1 : R;
}

HEDDLE_INLINE float reciprocal(float X) { return 1.0f / X; }
HEDDLE_INLINE float reciprocalRoot(float X) { return 1.0f / std::sqrt(X); }

HEDDLE_LANES1(recipf32, reciprocal)
HEDDLE_LANES1(rsqrtf32, reciprocalRoot)
HEDDLE_LANES1(cbrtf32, cubeRoot)
HEDDLE_LANES2(hypotf32, hypotenuse)
HEDDLE_LANES2(powf32, powerOf)

static const HeddleMathEntry Entries[] = {
    {"acos.f32", "ff", acosf32},
    {"asin.f32", "ff", asinf32},
    {"atan.f32", "ff", atanf32},
    {"atan2.f32", "fff", atan2f32},
    {"cbrt.f32", "ff", cbrtf32},
    {"cos.f32", "ff", cosf32},
    {"cosh.f32", "ff", coshf32},
    {"erf.f32", "ff", erff32},
    {"erfc.f32", "ff", erfcf32},
    {"exp.f32", "ff", expf32},
    {"exp10.f32", "ff", exp10f32},
    {"expm1.f32", "ff", expm1f32},
    {"hypot.f32", "fff", hypotf32},
    {"log.f32", "ff", logf32},
    {"log10.f32", "ff", log10f32},
    {"log1p.f32", "ff", log1pf32},
    {"log2.f32", "ff", log2f32},
    {"normcdf.f32", "ff", normcdff32},
    {"pow.f32", "fff", powf32},
    {"sin.f32", "ff", sinf32},
    {"sinh.f32", "ff", sinhf32},
    {"tan.f32", "ff", tanf32},
    {"tanh.f32", "ff", tanhf32},
    {"exp2.f32", "ff", exp2f32},
    {"recip.f32", "ff", recipf32},
    {"rsqrt.f32", "ff", rsqrtf32},
    // More exact than on a GPU, as DeviceMath.h says.
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

std::span<const HeddleMathEntry> singleMath() { return Entries; }

} // namespace heddle::exec
