//===- DeviceIntrinsics.cpp - llvm.nvvm.* that compute, 32 lanes wide -----===//
//
// Semantics after the PTX ISA manual (sections 9.7.1 to 9.7.9: integer,
// extended-precision, floating-point, and data-movement instructions). The
// .ftz forms flush subnormal inputs and results to zeros of the same sign.
//
//===----------------------------------------------------------------------===//

#include "exec/DeviceMathTables.h"

#include <algorithm>
#include <bit>
#include <cfenv>
#include <cmath>
#include <limits>

namespace heddle::exec {

using I16 = int16_t;
using U16 = uint16_t;
using I32 = int32_t;
using U32 = uint32_t;
using I64 = int64_t;
using U64 = uint64_t;

// --- integers --------------------------------------------------------------

static I32 mulhi32(I32 A, I32 B) { return I32(I64(A) * B >> 32); }
static U32 umulhi32(U32 A, U32 B) { return U32(U64(A) * B >> 32); }
static I64 mulhi64(I64 A, I64 B) { return I64(__int128(A) * B >> 64); }
static U64 umulhi64(U64 A, U64 B) {
  return U64((unsigned __int128)(A)*B >> 64);
}
static I16 mulhi16(I16 A, I16 B) { return I16(I32(A) * B >> 16); }
static U16 umulhi16(U16 A, U16 B) { return U16(U32(A) * B >> 16); }
static I32 mul24(I32 A, I32 B) {
  return I32(I64(I32(U32(A) << 8) >> 8) * (I32(U32(B) << 8) >> 8));
}
static U32 umul24(U32 A, U32 B) { return (A & 0xFFFFFF) * (B & 0xFFFFFF); }
template <typename T> static T sad(T A, T B, T C) {
  using U = std::make_unsigned_t<T>;
  return T(U(C) + (A > B ? U(A) - U(B) : U(B) - U(A)));
}

/// The sum of C and the differences of the bytes of A and B.
static U32 byteSAD(U32 A, U32 B, U32 C) {
  for (unsigned At = 0; At < 32; At += 8)
    C = sad<U32>(A >> At & 255, B >> At & 255, C);
  return C;
}

/// The larger or the smaller, and not less than \p Least.
template <typename T, bool Largest, T Least> static T extreme(T A, T B) {
  return std::max(Largest ? std::max(A, B) : std::min(A, B), Least);
}
/// The same of both halves.
template <typename T, bool Largest, T Least>
static U32 halfExtremes(U32 A, U32 B) {
  auto Of = [](U32 A, U32 B) {
    return U32(std::make_unsigned_t<T>(extreme<T, Largest, Least>(T(A), T(B))));
  };
  return Of(A >> 16, B >> 16) << 16 | Of(A, B);
}

/// The differences side by side. Nothing is merged: C is not read.
static U32 byteDifferences(U32 A, U32 B, U32) {
  U32 R = 0;
  for (unsigned At = 0; At < 32; At += 8)
    R |= sad<U32>(A >> At & 255, B >> At & 255, 0) << At;
  return R;
}

static U32 prmtByte(U64 Bytes, U32 Selector) {
  U32 B = U32(Bytes >> (Selector & 7) * 8) & 0xFF;
  return Selector & 8 ? (B & 0x80 ? 0xFF : 0) : B;
}
static U32 prmt(U32 A, U32 B, U32 S) {
  U64 Bytes = U64(B) << 32 | A;
  U32 R = 0;
  for (unsigned I = 0; I < 4; ++I)
    R |= prmtByte(Bytes, S >> I * 4) << I * 8;
  return R;
}
// The special modes select by the low two bits of the control value.
static U32 prmtMode(U32 A, U32 B, U32 S, const U16 (&Table)[4]) {
  return prmt(A, B, Table[S & 3]);
}
static constexpr U16 F4E[4] = {0x3210, 0x4321, 0x5432, 0x6543};
static constexpr U16 B4E[4] = {0x5670, 0x6701, 0x7012, 0x0123};
static constexpr U16 RC8[4] = {0x0000, 0x1111, 0x2222, 0x3333};
static constexpr U16 ECL[4] = {0x3210, 0x3211, 0x3222, 0x3333};
static constexpr U16 ECR[4] = {0x0000, 0x1110, 0x2210, 0x3210};
static constexpr U16 RC16[4] = {0x1010, 0x3232, 0x1010, 0x3232};
static U32 prmtF4E(U32 A, U32 B, U32 S) { return prmtMode(A, B, S, F4E); }
static U32 prmtB4E(U32 A, U32 B, U32 S) { return prmtMode(A, B, S, B4E); }
static U32 prmtRC8(U32 A, U32 S) { return prmtMode(A, 0, S, RC8); }
static U32 prmtECL(U32 A, U32 S) { return prmtMode(A, 0, S, ECL); }
static U32 prmtECR(U32 A, U32 S) { return prmtMode(A, 0, S, ECR); }
static U32 prmtRC16(U32 A, U32 S) { return prmtMode(A, 0, S, RC16); }

template <bool SignedA, bool SignedB> static U32 dp4a(U32 A, U32 B, U32 C) {
  for (unsigned I = 0; I < 4; ++I) {
    I32 X = SignedA ? I32(int8_t(A >> I * 8)) : I32(uint8_t(A >> I * 8));
    I32 Y = SignedB ? I32(int8_t(B >> I * 8)) : I32(uint8_t(B >> I * 8));
    C += U32(X * Y);
  }
  return C;
}
template <bool SignedA, bool SignedB>
static U32 dp2aHalf(U32 A, U32 B, U32 C, unsigned Shift) {
  for (unsigned I = 0; I < 2; ++I) {
    I32 X = SignedA ? I32(int16_t(A >> I * 16)) : I32(uint16_t(A >> I * 16));
    unsigned At = Shift + I * 8;
    I32 Y = SignedB ? I32(int8_t(B >> At)) : I32(uint8_t(B >> At));
    C += U32(X * Y);
  }
  return C;
}

static U32 fshlClamp(U32 High, U32 Low, U32 S) {
  S = std::min(S, 32u);
  return U32(((U64(High) << 32 | Low) << S) >> 32);
}
static U32 fshrClamp(U32 High, U32 Low, U32 S) {
  return U32((U64(High) << 32 | Low) >> std::min(S, 32u));
}
static U32 fns(U32 Mask, U32 Base, I32 Offset) {
  // The |Offset|-th set bit from Base, upwards or downwards.
  if (Offset == 0)
    return Base < 32 && (Mask >> Base & 1) ? Base : ~0u;
  I32 Step = Offset > 0 ? 1 : -1, Left = Offset > 0 ? Offset : -Offset;
  for (I32 At = I32(Base & 31); At >= 0 && At < 32; At += Step)
    if ((Mask >> At & 1) && --Left == 0)
      return U32(At);
  return ~0u;
}
static U32 bfindU(U32 A, uint8_t ShiftAmount) {
  U32 At = A ? 31 - std::countl_zero(A) : ~0u;
  return ShiftAmount && At != ~0u ? 31 - At : At;
}
static U32 bfindS(U32 A, uint8_t ShiftAmount) {
  return bfindU(I32(A) < 0 ? ~A : A, ShiftAmount);
}
static U32 bfindU64(U64 A, uint8_t ShiftAmount) {
  U32 At = A ? 63 - U32(std::countl_zero(A)) : ~0u;
  return ShiftAmount && At != ~0u ? 63 - At : At;
}
static U32 bfindS64(U64 A, uint8_t ShiftAmount) {
  return bfindU64(I64(A) < 0 ? ~A : A, ShiftAmount);
}
static U32 bmskClamp(U32 At, U32 Width) {
  if (At > 31 || Width == 0)
    return 0;
  U64 Ones = Width >= 32 ? 0xFFFFFFFFull : (1ull << Width) - 1;
  return U32(Ones << At);
}
static U32 bmskWrap(U32 At, U32 Width) {
  return bmskClamp(At & 31, Width & 31);
}
static U32 zextClamp(U32 A, U32 Width) {
  return Width >= 32 ? A : A & U32((1ull << Width) - 1);
}
static U32 zextWrap(U32 A, U32 Width) { return zextClamp(A, Width & 31); }
static U32 sextClamp(U32 A, U32 Width) {
  if (Width == 0)
    return 0;
  return Width >= 32 ? A : U32(I32(A << (32 - Width)) >> (32 - Width));
}
static U32 sextWrap(U32 A, U32 Width) { return sextClamp(A, Width & 31); }

// --- rounding modes ----------------------------------------------------------

template <typename T> static T flush(T X) {
  return std::fpclassify(X) == FP_SUBNORMAL ? std::copysign(T(0), X) : X;
}
template <typename T> static T saturate(T X) {
  return X > 1 ? T(1) : X > 0 ? X : T(0); // NaN becomes 0
}

/// Evaluates \p F with the host's rounding mode set to \p Mode.
template <int Mode, typename F> static auto rounded(F Compute) {
  if constexpr (Mode == FE_TONEAREST)
    return Compute();
  std::fesetround(Mode);
  auto R = Compute();
  std::fesetround(FE_TONEAREST);
  return R;
}

enum Flags { Plain = 0, Ftz = 1, Sat = 2 };

/// The volatile operands keep the compiler from evaluating at build time or
/// moving the operation across the changes of mode.
template <char Op, int Mode, int Flag, typename T>
static T arithmetic(T A, T B = 0, T C = 0) {
  if constexpr (Flag & Ftz) {
    A = flush(A);
    B = flush(B);
    C = flush(C);
  }
  volatile T X = A, Y = B, Z = C;
  T R = rounded<Mode>([&]() -> T {
    volatile T V;
    if constexpr (Op == '+')
      V = X + Y;
    else if constexpr (Op == '*')
      V = X * Y;
    else if constexpr (Op == '/')
      V = X / Y;
    else if constexpr (Op == 'f')
      V = std::fma(T(X), T(Y), T(Z));
    else if constexpr (Op == 's')
      V = std::sqrt(T(X));
    else
      V = T(1) / X;
    return V;
  });
  if constexpr (Flag & Ftz)
    R = flush(R);
  if constexpr (Flag & Sat)
    R = saturate(R);
  return R;
}
template <char Op, int Mode, int Flag, typename T> static T arithmetic1(T A) {
  return arithmetic<Op, Mode, Flag, T>(A);
}
template <char Op, int Mode, int Flag, typename T>
static T arithmetic2(T A, T B) {
  return arithmetic<Op, Mode, Flag, T>(A, B);
}

/// Float to integer with a rounding mode. Out of range saturates. NaN is 0, and
/// only the top bit where one of the two has 64 bits, as PTX's cvt has it.
template <int Mode, int Flag, typename To, typename From>
static To toInt(From X) {
  if constexpr (Flag & Ftz)
    X = flush(X);
  if (std::isnan(X))
    return sizeof(To) == 8 || sizeof(From) == 8
               ? To(U64(1) << (8 * sizeof(To) - 1))
               : To(0);
  From R = Mode == FE_TONEAREST  ? std::nearbyint(X)
           : Mode == FE_DOWNWARD ? std::floor(X)
           : Mode == FE_UPWARD   ? std::ceil(X)
                                 : std::trunc(X);
  // 2^(digits) is exact in both types, the maximum itself may not be.
  constexpr From Limit =
      From(U64(1) << (std::numeric_limits<To>::digits - 1)) * 2;
  if (R >= Limit)
    return std::numeric_limits<To>::max();
  if (R < (std::is_signed_v<To> ? -Limit : From(0)))
    return std::numeric_limits<To>::min();
  return To(R);
}
template <int Mode, typename To, typename From> static To fromInt(From X) {
  volatile From V = X;
  return rounded<Mode>([&]() -> To {
    volatile To R = To(V);
    return R;
  });
}
template <int Mode, int Flag> static float narrowed(double X) {
  float R = fromInt<Mode, float, double>(X);
  return Flag & Ftz ? flush(R) : R;
}

// --- minimum and maximum
// ------------------------------------------------------ Zeros are ordered (-0
// < +0); a NaN operand gives the other one, or with .nan a NaN.

template <bool Max, bool NaN, int Flag, typename T> static T minMax(T A, T B) {
  if constexpr (Flag & Ftz) {
    A = flush(A);
    B = flush(B);
  }
  if (std::isnan(A) || std::isnan(B)) {
    if (NaN || (std::isnan(A) && std::isnan(B)))
      return std::numeric_limits<T>::quiet_NaN();
    return std::isnan(A) ? B : A;
  }
  if (A == B)
    return std::signbit(A) == Max ? B : A;
  return (A < B) == Max ? B : A;
}
template <bool Max, bool NaN, int Flag, typename T> static T xorSign(T A, T B) {
  T R = minMax<Max, NaN, Flag>(std::fabs(A), std::fabs(B));
  return std::copysign(R, std::signbit(A) != std::signbit(B) ? T(-1) : T(1));
}

template <int Flag, typename T> static T roundEven(T X) {
  return std::nearbyint(Flag & Ftz ? flush(X) : X);
}
template <int Flag, typename T> static T floorOf(T X) {
  return std::floor(Flag & Ftz ? flush(X) : X);
}
template <int Flag, typename T> static T ceilOf(T X) {
  return std::ceil(Flag & Ftz ? flush(X) : X);
}
template <int Flag, typename T> static T truncOf(T X) {
  return std::trunc(Flag & Ftz ? flush(X) : X);
}
template <int Flag, typename T> static T absOf(T X) {
  return std::fabs(Flag & Ftz ? flush(X) : X);
}
template <int Flag, typename T> static T saturated(T X) {
  return saturate(Flag & Ftz ? flush(X) : X);
}
static double lg2(double X) { return std::log2(X); }
static double rsqrt64(double X) { return 1.0 / std::sqrt(X); }
static double rcp64(double X) { return 1.0 / flush(X); }
static I32 lowWord(double X) { return I32(std::bit_cast<U64>(X)); }
static I32 highWord(double X) { return I32(std::bit_cast<U64>(X) >> 32); }
static double fromWords(I32 Low, I32 High) {
  return std::bit_cast<double>(U64(U32(High)) << 32 | U32(Low));
}
template <typename T> static T move(T X) { return X; }
static float halfToFloat(U16 H) { return float(std::bit_cast<_Float16>(H)); }
template <int Flag> static U16 floatToHalf(float X) {
  return std::bit_cast<U16>(_Float16(Flag & Ftz ? flush(X) : X));
}
static I32 tf32(float X) {
  // Round to nearest, ties away, on the 13 low mantissa bits.
  U32 B = std::bit_cast<U32>(X);
  return std::isfinite(X) ? I32((B + 0x1000) & ~0x1FFFu) : I32(B);
}

#define N "llvm.nvvm."
#define U1(NAME, SIG, F, R, A) {N NAME, SIG, unary<F, R, A>}
#define B2(NAME, SIG, F, R, A, B) {N NAME, SIG, binary<F, R, A, B>}
#define T3(NAME, SIG, F, R, A, B, C) {N NAME, SIG, ternary<F, R, A, B, C>}

#define EXTREMES(NAME, LARGEST)                                                \
  B2(NAME ".relu.s32", "iii", (extreme<I32, LARGEST, 0>), I32, I32, I32),      \
      B2(NAME ".relu.s16x2", "iii", (halfExtremes<int16_t, LARGEST, 0>), U32,  \
         U32, U32),                                                            \
      B2(NAME ".s16x2", "iii", (halfExtremes<int16_t, LARGEST, INT16_MIN>),    \
         U32, U32, U32),                                                       \
      B2(NAME ".u16x2", "iii", (halfExtremes<uint16_t, LARGEST, 0>), U32, U32, \
         U32)

#define EACH_MODE(X)                                                           \
  X("rn", FE_TONEAREST), X("rm", FE_DOWNWARD), X("rp", FE_UPWARD),             \
      X("rz", FE_TOWARDZERO)

#define BIN_F(OPNAME, OP, M, MODE)                                             \
  B2(OPNAME "." M ".f", "fff", (arithmetic2<OP, MODE, Plain, float>), float,   \
     float, float),                                                            \
      B2(OPNAME "." M ".ftz.f", "fff", (arithmetic2<OP, MODE, Ftz, float>),    \
         float, float, float),                                                 \
      B2(OPNAME "." M ".d", "ddd", (arithmetic2<OP, MODE, Plain, double>),     \
         double, double, double)
#define UN_F(OPNAME, OP, M, MODE)                                              \
  U1(OPNAME "." M ".f", "ff", (arithmetic1<OP, MODE, Plain, float>), float,    \
     float),                                                                   \
      U1(OPNAME "." M ".ftz.f", "ff", (arithmetic1<OP, MODE, Ftz, float>),     \
         float, float),                                                        \
      U1(OPNAME "." M ".d", "dd", (arithmetic1<OP, MODE, Plain, double>),      \
         double, double)
#define SAT_ADD(M, MODE)                                                       \
  B2("add." M ".sat.f", "fff", (arithmetic2<'+', MODE, Sat, float>), float,    \
     float, float),                                                            \
      B2("add." M ".ftz.sat.f", "fff",                                         \
         (arithmetic2<'+', MODE, Ftz | Sat, float>), float, float, float)
#define FMA(M, MODE)                                                           \
  T3("fma." M ".f", "ffff", (arithmetic<'f', MODE, Plain, float>), float,      \
     float, float, float),                                                     \
      T3("fma." M ".ftz.f", "ffff", (arithmetic<'f', MODE, Ftz, float>),       \
         float, float, float, float),                                          \
      T3("fma." M ".sat.f", "ffff", (arithmetic<'f', MODE, Sat, float>),       \
         float, float, float, float),                                          \
      T3("fma." M ".ftz.sat.f", "ffff",                                        \
         (arithmetic<'f', MODE, Ftz | Sat, float>), float, float, float,       \
         float),                                                               \
      T3("fma." M ".d", "dddd", (arithmetic<'f', MODE, Plain, double>),        \
         double, double, double, double)
#define ADD(M, MODE) BIN_F("add", '+', M, MODE)
#define MUL(M, MODE) BIN_F("mul", '*', M, MODE)
#define DIV(M, MODE) BIN_F("div", '/', M, MODE)
#define SQRT(M, MODE) UN_F("sqrt", 's', M, MODE)
#define RCP(M, MODE) UN_F("rcp", 'r', M, MODE)

#define F2I(TO, LETTER, TYPE, M, MODE)                                         \
  U1("f2" TO "." M, LETTER "f", (toInt<MODE, Plain, TYPE, float>), TYPE,       \
     float),                                                                   \
      U1("f2" TO "." M ".ftz", LETTER "f", (toInt<MODE, Ftz, TYPE, float>),    \
         TYPE, float),                                                         \
      U1("d2" TO "." M, LETTER "d", (toInt<MODE, Plain, TYPE, double>), TYPE,  \
         double)
#define F2I32(M, MODE) F2I("i", "i", I32, M, MODE)
#define F2U32(M, MODE) F2I("ui", "i", U32, M, MODE)
#define F2I64(M, MODE) F2I("ll", "l", I64, M, MODE)
#define F2U64(M, MODE) F2I("ull", "l", U64, M, MODE)
#define I2F(FROM, LETTER, TYPE, M, MODE)                                       \
  U1(FROM "2f." M, "f" LETTER, (fromInt<MODE, float, TYPE>), float, TYPE),     \
      U1(FROM "2d." M, "d" LETTER, (fromInt<MODE, double, TYPE>), double,      \
         TYPE)
#define I32F(M, MODE) I2F("i", "i", I32, M, MODE)
#define U32F(M, MODE) I2F("ui", "i", U32, M, MODE)
#define I64F(M, MODE) I2F("ll", "l", I64, M, MODE)
#define U64F(M, MODE) I2F("ull", "l", U64, M, MODE)
#define D2F(M, MODE)                                                           \
  U1("d2f." M, "fd", (narrowed<MODE, Plain>), float, double),                  \
      U1("d2f." M ".ftz", "fd", (narrowed<MODE, Ftz>), float, double)

#define MINMAX(NAME, MAX)                                                      \
  B2(NAME ".f", "fff", (minMax<MAX, false, Plain, float>), float, float,       \
     float),                                                                   \
      B2(NAME ".ftz.f", "fff", (minMax<MAX, false, Ftz, float>), float, float, \
         float),                                                               \
      B2(NAME ".nan.f", "fff", (minMax<MAX, true, Plain, float>), float,       \
         float, float),                                                        \
      B2(NAME ".ftz.nan.f", "fff", (minMax<MAX, true, Ftz, float>), float,     \
         float, float),                                                        \
      B2(NAME ".xorsign.abs.f", "fff", (xorSign<MAX, false, Plain, float>),    \
         float, float, float),                                                 \
      B2(NAME ".nan.xorsign.abs.f", "fff", (xorSign<MAX, true, Plain, float>), \
         float, float, float),                                                 \
      B2(NAME ".d", "ddd", (minMax<MAX, false, Plain, double>), double,        \
         double, double)

#define ROUND(NAME, F)                                                         \
  U1(NAME ".f", "ff", (F<Plain, float>), float, float),                        \
      U1(NAME ".ftz.f", "ff", (F<Ftz, float>), float, float),                  \
      U1(NAME ".d", "dd", (F<Plain, double>), double, double)

#define DP2A(NAME, SA, SB)                                                     \
  {N "idp2a." NAME ".lo", "iiii",                                              \
   ternary<[](U32 A, U32 B, U32 C) { return dp2aHalf<SA, SB>(A, B, C, 0); },   \
           U32, U32, U32, U32>},                                               \
  {                                                                            \
    N "idp2a." NAME ".hi", "iiii",                                             \
        ternary<[](U32 A, U32 B, U32 C) {                                      \
          return dp2aHalf<SA, SB>(A, B, C, 16);                                \
        },                                                                     \
                U32, U32, U32, U32>                                            \
  }

static const HeddleMathEntry Entries[] = {
    B2("mulhi.i", "iii", mulhi32, I32, I32, I32),
    B2("mulhi.ui", "iii", umulhi32, U32, U32, U32),
    B2("mulhi.ll", "lll", mulhi64, I64, I64, I64),
    B2("mulhi.ull", "lll", umulhi64, U64, U64, U64),
    B2("mulhi.s", "sss", mulhi16, I16, I16, I16),
    B2("mulhi.us", "sss", umulhi16, U16, U16, U16),
    B2("mul24.i", "iii", mul24, I32, I32, I32),
    B2("mul24.ui", "iii", umul24, U32, U32, U32),
    T3("sad.i", "iiii", sad<I32>, I32, I32, I32, I32),
    T3("sad.ui", "iiii", sad<U32>, U32, U32, U32, U32),
    T3("sad.s", "ssss", sad<I16>, I16, I16, I16, I16),
    T3("sad.us", "ssss", sad<U16>, U16, U16, U16, U16),
    T3("sad.ll", "llll", sad<I64>, I64, I64, I64, I64),
    T3("sad.ull", "llll", sad<U64>, U64, U64, U64, U64),
    T3("prmt", "iiii", prmt, U32, U32, U32, U32),
    T3("prmt.f4e", "iiii", prmtF4E, U32, U32, U32, U32),
    T3("prmt.b4e", "iiii", prmtB4E, U32, U32, U32, U32),
    B2("prmt.rc8", "iii", prmtRC8, U32, U32, U32),
    B2("prmt.ecl", "iii", prmtECL, U32, U32, U32),
    B2("prmt.ecr", "iii", prmtECR, U32, U32, U32),
    B2("prmt.rc16", "iii", prmtRC16, U32, U32, U32),
    T3("idp4a.s.s", "iiii", (dp4a<true, true>), U32, U32, U32, U32),
    T3("idp4a.s.u", "iiii", (dp4a<true, false>), U32, U32, U32, U32),
    T3("idp4a.u.s", "iiii", (dp4a<false, true>), U32, U32, U32, U32),
    T3("idp4a.u.u", "iiii", (dp4a<false, false>), U32, U32, U32, U32),
    DP2A("s.s", true, true),
    DP2A("s.u", true, false),
    DP2A("u.s", false, true),
    DP2A("u.u", false, false),
    T3("fshl.clamp", "iiii", fshlClamp, U32, U32, U32, U32),
    T3("fshr.clamp", "iiii", fshrClamp, U32, U32, U32, U32),
    T3("fns", "iiii", fns, U32, U32, U32, I32),
    B2("flo.u", "iib", bfindU, U32, U32, uint8_t),
    B2("flo.s", "iib", bfindS, U32, U32, uint8_t),
    B2("flo.u.i64", "ilb", bfindU64, U32, U64, uint8_t),
    B2("flo.s.i64", "ilb", bfindS64, U32, U64, uint8_t),
    B2("bmsk.clamp", "iii", bmskClamp, U32, U32, U32),
    B2("bmsk.wrap", "iii", bmskWrap, U32, U32, U32),
    B2("zext.clamp", "iii", zextClamp, U32, U32, U32),
    B2("zext.wrap", "iii", zextWrap, U32, U32, U32),
    B2("sext.clamp", "iii", sextClamp, U32, U32, U32),
    B2("sext.wrap", "iii", sextWrap, U32, U32, U32),
    EACH_MODE(ADD),
    EACH_MODE(SAT_ADD),
    EACH_MODE(MUL),
    EACH_MODE(DIV),
    EACH_MODE(FMA),
    EACH_MODE(SQRT),
    EACH_MODE(RCP),
    B2("div.approx.f", "fff", (arithmetic2<'/', FE_TONEAREST, Plain, float>),
       float, float, float),
    B2("div.approx.ftz.f", "fff", (arithmetic2<'/', FE_TONEAREST, Ftz, float>),
       float, float, float),
    B2("div.full", "fff", (arithmetic2<'/', FE_TONEAREST, Plain, float>), float,
       float, float),
    B2("div.full.ftz", "fff", (arithmetic2<'/', FE_TONEAREST, Ftz, float>),
       float, float, float),
    U1("sqrt.f", "ff", (arithmetic1<'s', FE_TONEAREST, Plain, float>), float,
       float),
    U1("sqrt.approx.f", "ff", (arithmetic1<'s', FE_TONEAREST, Plain, float>),
       float, float),
    U1("sqrt.approx.ftz.f", "ff", (arithmetic1<'s', FE_TONEAREST, Ftz, float>),
       float, float),
    U1("lg2.approx.d", "dd", lg2, double, double),
    U1("rsqrt.approx.d", "dd", rsqrt64, double, double),
    U1("rsqrt.approx.ftz.d", "dd", rsqrt64, double, double),
    U1("rcp.approx.ftz.d", "dd", rcp64, double, double),
    EACH_MODE(F2I32),
    EACH_MODE(F2U32),
    EACH_MODE(F2I64),
    EACH_MODE(F2U64),
    EACH_MODE(I32F),
    EACH_MODE(U32F),
    EACH_MODE(I64F),
    EACH_MODE(U64F),
    EACH_MODE(D2F),
    MINMAX("fmin", false),
    MINMAX("fmax", true),
    ROUND("round", roundEven),
    ROUND("floor", floorOf),
    ROUND("ceil", ceilOf),
    ROUND("trunc", truncOf),
    ROUND("saturate", saturated),
    U1("fabs.f32", "ff", (absOf<Plain, float>), float, float),
    U1("fabs.ftz.f32", "ff", (absOf<Ftz, float>), float, float),
    U1("fabs.f64", "dd", (absOf<Plain, double>), double, double),
    U1("d2i.lo", "id", lowWord, I32, double),
    U1("d2i.hi", "id", highWord, I32, double),
    B2("lohi.i2d", "dii", fromWords, double, I32, I32),
    U1("move.float", "ff", move<float>, float, float),
    U1("move.double", "dd", move<double>, double, double),
    U1("move.i32", "ii", move<I32>, I32, I32),
    U1("move.i64", "ll", move<I64>, I64, I64),
    U1("f2h.rn", "sf", floatToHalf<Plain>, U16, float),
    U1("f2h.rn.ftz", "sf", floatToHalf<Ftz>, U16, float),
    U1("h2f", "fs", halfToFloat, float, U16),
    U1("f2tf32.rna", "if", tf32, I32, float),
#undef N
#define N "heddle.ptx."
    B2("max.s32", "iii", (extreme<I32, true, INT32_MIN>), I32, I32, I32),
    EXTREMES("max", true),
    EXTREMES("min", false),
    T3("vabsdiff4.u32.u32.u32", "iiii", byteDifferences, U32, U32, U32, U32),
    T3("vabsdiff4.u32.u32.u32.add", "iiii", byteSAD, U32, U32, U32, U32),
};

std::span<const HeddleMathEntry> deviceIntrinsics() { return Entries; }

} // namespace heddle::exec
