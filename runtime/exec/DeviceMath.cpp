//===- DeviceMath.cpp - Library math, 32 lanes wide -----------------------===//
//
// f32 functions without a form of their own in DeviceMathSingle.cpp compute in
// f64 and round once, which is within 0.5001 ulp; f64 functions are libm's.
//
//===----------------------------------------------------------------------===//

#include "exec/DeviceMathTables.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <string_view>
#include <vector>

namespace heddle::exec {

using std::numbers::pi;

// Functions that libm does not have. The arguments of the pi family are
// reduced before the multiplication, so multiples of 1/2 come out exact.
static double sinpi(double X) {
  if (!std::isfinite(X))
    return std::numeric_limits<double>::quiet_NaN();
  double R = X - 2 * std::round(X / 2); // [-1, 1]
  if (R == 0 || std::fabs(R) == 1)
    return std::copysign(0.0, X);
  if (std::fabs(R) > 0.5)
    R = std::copysign(1 - std::fabs(R), R);
  return std::sin(pi * R);
}
static double cospi(double X) {
  if (!std::isfinite(X))
    return std::numeric_limits<double>::quiet_NaN();
  double R = std::fabs(X - 2 * std::round(X / 2)); // [0, 1]
  if (R == 0.5)
    return 0.0;
  return R > 0.75   ? -std::cos(pi * (1 - R))
         : R > 0.25 ? std::sin(pi * (0.5 - R))
                    : std::cos(pi * R);
}
static double tanpi(double X) { return sinpi(X) / cospi(X); }
static double acospi(double X) { return std::acos(X) / pi; }
static double asinpi(double X) { return std::asin(X) / pi; }
static double atanpi(double X) { return std::atan(X) / pi; }
static double atan2pi(double Y, double X) { return std::atan2(Y, X) / pi; }
static double exp10d(double X) { return std::pow(10.0, X); }
static double rsqrt(double X) { return 1.0 / std::sqrt(X); }
static double rcbrt(double X) { return 1.0 / std::cbrt(X); }
static double recip(double X) { return 1.0 / X; }
static double normcdf(double X) {
  if (!(std::fabs(X) < 40))
    return std::isnan(X) ? X : X < 0 ? 0 : 1;
  // -x / sqrt(2) and what its rounding leaves, which erfc of large numbers
  // multiplies by their square.
  constexpr double Factor = std::numbers::sqrt2 / 2;
  constexpr double FactorRest = -0x1.bdd3413b26456p-55;
  const double High = -X * Factor;
  const double Low = std::fma(-X, FactorRest, std::fma(-X, Factor, -High));
  const double Slope = -2 / std::sqrt(pi) * std::exp(-High * High);
  return 0.5 * std::fma(Slope, Low, std::erfc(High));
}
static double rhypot(double X, double Y) { return 1.0 / std::hypot(X, Y); }
static double norm3(double X, double Y, double Z) {
  return std::hypot(X, Y, Z);
}
static double rnorm3(double X, double Y, double Z) {
  return 1.0 / std::hypot(X, Y, Z);
}
static double powr(double X, double Y) {
  return X < 0 ? std::numeric_limits<double>::quiet_NaN() : std::pow(X, Y);
}
static double pown(double X, int32_t N) { return std::pow(X, double(N)); }
static double rootn(double X, int32_t N) {
  if (N == 0)
    return std::numeric_limits<double>::quiet_NaN();
  if (X < 0)
    return N & 1 ? -std::pow(-X, 1.0 / N)
                 : std::numeric_limits<double>::quiet_NaN();
  if (N == 3)
    return std::cbrt(X);
  return std::pow(X, 1.0 / N);
}
static double ldexpd(double X, int32_t N) { return std::scalbn(X, N); }
static double maxmag(double X, double Y) {
  double A = std::fabs(X), B = std::fabs(Y);
  return A > B ? X : B > A ? Y : std::fmax(X, Y);
}
static double minmag(double X, double Y) {
  double A = std::fabs(X), B = std::fabs(Y);
  return A < B ? X : B < A ? Y : std::fmin(X, Y);
}
static double lgammaPositive(double X) {
  int Sign; // std::lgamma writes a global
  return ::lgamma_r(X, &Sign);
}
static int32_t lgammaSign(double X) {
  int Sign = 1;
  ::lgamma_r(X, &Sign);
  return std::isnan(X) || (X <= 0 && X == std::floor(X)) ? 0 : Sign;
}

/// e^(x^2) erfc(x).
static double erfcx(double X) {
  if (X < -27)
    return std::numeric_limits<double>::infinity();
  if (X < 25) {
    const double Square = X * X, Rest = std::fma(X, X, -Square);
    const double Y = std::exp(Square) * std::erfc(X);
    return std::isinf(Y) ? Y : std::fma(Y, Rest, Y);
  }
  const double R = 1 / (X * X);
  double Sum = 1; // asymptotic series
  for (int Term = 7; Term > 0; --Term)
    Sum = 1 - (Term - 0.5) * R * Sum;
  return std::numbers::inv_sqrtpi / X * Sum;
}

// Inverse error functions: Giles' single-precision start (M. Giles,
// "Approximating the erfinv function", GPU Computing Gems, 2012), then two
// Newton steps on erf, or on erfc where erf is too close to 1.
static double erfinv(double X) {
  if (!(std::fabs(X) < 1))
    return std::fabs(X) == 1
               ? std::copysign(std::numeric_limits<double>::infinity(), X)
               : std::numeric_limits<double>::quiet_NaN();
  double W = -std::log((1 - X) * (1 + X)), P;
  if (W < 5) {
    W -= 2.5;
    P = 2.81022636e-08;
    for (double C :
         {3.43273939e-07, -3.5233877e-06, -4.39150654e-06, 0.00021858087,
          -0.00125372503, -0.00417768164, 0.246640727, 1.50140941})
      P = C + P * W;
  } else {
    W = std::sqrt(W) - 3;
    P = -0.000200214257;
    for (double C :
         {0.000100950558, 0.00134934322, -0.00367342844, 0.00573950773,
          -0.0076224613, 0.00943887047, 1.00167406, 2.83297682})
      P = C + P * W;
  }
  const double Size = std::fabs(X);
  double Y = P * Size;
  for (int Step = 0; Step < 2; ++Step) {
    const double Error =
        Size < 0.5 ? std::erf(Y) - Size : (1 - Size) - std::erfc(Y);
    Y -= Error / (2 / std::sqrt(pi) * std::exp(-Y * Y));
  }
  return std::copysign(Y, X);
}
static double erfcinv(double X) {
  if (!(X > 0 && X < 2))
    return X == 0   ? std::numeric_limits<double>::infinity()
           : X == 2 ? -std::numeric_limits<double>::infinity()
                    : std::numeric_limits<double>::quiet_NaN();
  if (X > 0.0625)
    return erfinv(1 - X);
  // Newton on the logarithm of erfc, which is log(erfcx(y)) - y^2: erfc itself
  // has few bits where it is subnormal.
  const double LogX = std::log(X);
  double Y = std::sqrt(-LogX);
  for (int Step = 0; Step < 6; ++Step) {
    const double Scaled = erfcx(Y);
    Y += (std::log(Scaled) - Y * Y - LogX) * Scaled * std::sqrt(pi) / 2;
  }
  return Y;
}
static double normcdfinv(double X) {
  return 0.0 - std::numbers::sqrt2 * erfcinv(2 * X);
}

// Parts of functions with two results.
template <typename T> static T frexpMantissa(T X) {
  int E;
  return std::frexp(X, &E);
}
template <typename T> static int32_t frexpExponent(T X) {
  int E = 0;
  std::frexp(X, &E);
  return std::isfinite(X) ? E : 0;
}
template <typename T> static T modfFraction(T X) {
  return std::isinf(X) ? std::copysign(T(0), X)
                       : std::copysign(X - std::trunc(X), X);
}
template <typename T> static T fractOf(T X) {
  if (std::isinf(X))
    return std::copysign(T(0), X);
  T R = X - std::floor(X);
  return R >= 1 ? std::nextafter(T(1), T(0)) : R;
}
template <typename T> static int32_t remquoQuotient(T X, T Y) {
  int Q = 0;
  std::remquo(X, Y, &Q);
  return std::isfinite(X) && !std::isnan(Y) && Y != 0 ? Q : 0;
}
template <typename T> static int32_t ilogbOf(T X) {
  return X == 0          ? std::numeric_limits<int32_t>::min()
         : std::isnan(X) ? std::numeric_limits<int32_t>::min()
         : std::isinf(X) ? std::numeric_limits<int32_t>::max()
                         : std::ilogb(X);
}

// How an f64 function becomes the f32 one.
template <double (*F)(double)> static float narrow(float X) { return F(X); }
template <double (*F)(double, double)> static float narrow(float X, float Y) {
  return F(X, Y);
}
template <double (*F)(double, double, double)>
static float narrow(float X, float Y, float Z) {
  return F(X, Y, Z);
}
template <double (*F)(double, int32_t)>
static float narrow(float X, int32_t N) {
  return F(X, N);
}

#define D1(F) (static_cast<double (*)(double)>(F))
#define D2(F) (static_cast<double (*)(double, double)>(F))
#define F1(F) (static_cast<float (*)(float)>(F))
#define F2(F) (static_cast<float (*)(float, float)>(F))

#define UNARY64(NAME, F) {NAME ".f64", "dd", unary<D1(F), double, double>}
#define UNARY(NAME, F)                                                         \
  {NAME ".f32", "ff", unary<F1((narrow<D1(F)>)), float, float>},               \
      UNARY64(NAME, F)
#define BINARY(NAME, F)                                                        \
  {NAME ".f32", "fff", binary<F2((narrow<D2(F)>)), float, float, float>}, {    \
    NAME ".f64", "ddd", binary<D2(F), double, double, double>                  \
  }
/// Exact in either precision, so f32 must not pass through f64.
#define EXACT2(NAME, F)                                                        \
  {NAME ".f32", "fff", binary<F2(F), float, float, float>}, {                  \
    NAME ".f64", "ddd", binary<D2(F), double, double, double>                  \
  }
#define TERNARY(NAME, F)                                                       \
  {NAME ".f32", "ffff",                                                        \
   ternary<static_cast<float (*)(float, float, float)>(narrow<F>), float,      \
           float, float, float>},                                              \
  {                                                                            \
    NAME ".f64", "dddd", ternary<F, double, double, double, double>            \
  }
#define WITHINT(NAME, F)                                                       \
  {NAME ".f32", "ffi",                                                         \
   binary<static_cast<float (*)(float, int32_t)>(narrow<F>), float, float,     \
          int32_t>},                                                           \
  {                                                                            \
    NAME ".f64", "ddi", binary<F, double, double, int32_t>                     \
  }
#define SELF(NAME, F)                                                          \
  {NAME ".f32", "ff", unary<F<float>, float, float>}, {                        \
    NAME ".f64", "dd", unary<F<double>, double, double>                        \
  }
#define TOINT(NAME, F)                                                         \
  {NAME ".f32", "if", unary<F<float>, int32_t, float>}, {                      \
    NAME ".f64", "id", unary<F<double>, int32_t, double>                       \
  }

static float ldexpf32(float X, int32_t N) { return std::scalbn(X, N); }
static int32_t lgammaSignf32(float X) { return lgammaSign(X); }

static const HeddleMathEntry Entries[] = {
    UNARY64("acos", std::acos),
    UNARY("acosh", std::acosh),
    UNARY("acospi", acospi),
    UNARY64("asin", std::asin),
    UNARY("asinh", std::asinh),
    UNARY("asinpi", asinpi),
    UNARY64("atan", std::atan),
    UNARY("atanh", std::atanh),
    UNARY("atanpi", atanpi),
    {"atan2.f64", "ddd", binary<D2(std::atan2), double, double, double>},
    BINARY("atan2pi", atan2pi),
    UNARY64("cbrt", std::cbrt),
    UNARY64("cos", std::cos),
    UNARY64("cosh", std::cosh),
    UNARY("cospi", cospi),
    UNARY64("erf", std::erf),
    UNARY64("erfc", std::erfc),
    UNARY("erfcinv", erfcinv),
    UNARY("erfcx", erfcx),
    UNARY("erfinv", erfinv),
    UNARY64("exp", std::exp),
    UNARY64("exp10", exp10d),
    UNARY64("exp2", std::exp2),
    UNARY64("expm1", std::expm1),
    EXACT2("fdim", std::fdim),
    EXACT2("fmod", std::fmod),
    SELF("fract", fractOf),
    TOINT("frexp.exponent", frexpExponent),
    SELF("frexp.mantissa", frexpMantissa),
    {"hypot.f64", "ddd", binary<D2(std::hypot), double, double, double>},
    TOINT("ilogb", ilogbOf),
    UNARY("j0", ::j0),
    UNARY("j1", ::j1),
    {"ldexp.f32", "ffi", binary<ldexpf32, float, float, int32_t>},
    {"ldexp.f64", "ddi", binary<ldexpd, double, double, int32_t>},
    UNARY("lgamma", lgammaPositive),
    {"lgamma.sign.f32", "if", unary<lgammaSignf32, int32_t, float>},
    {"lgamma.sign.f64", "id", unary<lgammaSign, int32_t, double>},
    UNARY64("log", std::log),
    UNARY64("log10", std::log10),
    UNARY64("log1p", std::log1p),
    UNARY64("log2", std::log2),
    UNARY("logb", std::logb),
    BINARY("maxmag", maxmag),
    BINARY("minmag", minmag),
    SELF("modf.fraction", modfFraction),
    EXACT2("nextafter", std::nextafter),
    TERNARY("norm3d", norm3),
    UNARY64("normcdf", normcdf),
    UNARY("normcdfinv", normcdfinv),
    {"pow.f64", "ddd", binary<D2(std::pow), double, double, double>},
    WITHINT("powi", pown),
    WITHINT("pown", pown),
    BINARY("powr", powr),
    UNARY("rcbrt", rcbrt),
    UNARY64("recip", recip),
    EXACT2("remainder", std::remainder),
    {"remquo.quotient.f32", "iff",
     binary<remquoQuotient<float>, int32_t, float, float>},
    {"remquo.quotient.f64", "idd",
     binary<remquoQuotient<double>, int32_t, double, double>},
    BINARY("rhypot", rhypot),
    TERNARY("rnorm3d", rnorm3),
    WITHINT("rootn", rootn),
    UNARY64("rsqrt", rsqrt),
    UNARY64("sin", std::sin),
    UNARY64("sinh", std::sinh),
    UNARY("sinpi", sinpi),
    UNARY64("tan", std::tan),
    UNARY64("tanh", std::tanh),
    UNARY("tanpi", tanpi),
    UNARY("tgamma", std::tgamma),
    UNARY("y0", ::y0),
    UNARY("y1", ::y1),
};

std::span<const HeddleMathEntry> libraryMath() { return Entries; }

/// All parts, sorted by name; built once, never changed.
static const std::vector<HeddleMathEntry> &table() {
  static const std::vector<HeddleMathEntry> Table = [] {
    std::vector<HeddleMathEntry> All;
    for (auto Part : {libraryMath(), singleMath(), deviceIntrinsics()})
      All.insert(All.end(), Part.begin(), Part.end());
    std::ranges::sort(All, {}, [](const HeddleMathEntry &E) {
      return std::string_view(E.Name);
    });
    return All;
  }();
  return Table;
}

} // namespace heddle::exec

using namespace heddle::exec;

extern "C" const HeddleMathEntry *heddleMathEntries(uint32_t *Count) {
  *Count = table().size();
  return table().data();
}

extern "C" const HeddleMathEntry *heddleFindMath(const char *Name) {
  const auto &Table = table();
  auto It = std::ranges::lower_bound(
      Table, std::string_view(Name), {},
      [](const HeddleMathEntry &E) { return std::string_view(E.Name); });
  return It != Table.end() && std::string_view(It->Name) == Name ? &*It
                                                                 : nullptr;
}
