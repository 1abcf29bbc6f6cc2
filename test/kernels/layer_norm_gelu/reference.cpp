#include "Reference.h"

static double fromHalf(uint16_t Bits) {
  const int Exponent = Bits >> 10 & 31, Fraction = Bits & 1023;
  const double Value = Exponent ? std::ldexp(1024 + Fraction, Exponent - 25)
                                : std::ldexp(Fraction, -24);
  return Bits & 0x8000 ? -Value : Value;
}

/// The nearest half, ties to even; results are in its normal range or 0.
static uint16_t toHalf(double Value) {
  const uint16_t Sign = std::signbit(Value) ? 0x8000 : 0;
  Value = std::fabs(Value);
  if (Value == 0)
    return Sign;
  const int Exponent = std::max(std::ilogb(Value), -14);
  const int Units = int(std::nearbyint(std::ldexp(Value, 10 - Exponent)));
  return uint16_t(Sign + ((Exponent + 14) << 10) + Units);
}

void heddle::reference::layer_norm_gelu(Arguments &Args) {
  auto In = Args.buffer<uint16_t>(0), Out = Args.buffer<uint16_t>(1);
  auto Gamma = Args.buffer<uint16_t>(2), Beta = Args.buffer<uint16_t>(3);
  const int Rows = Args.scalar<int>(4), Columns = Args.scalar<int>(5);
  const double Epsilon = Args.scalar<float>(6);
  for (int Row = 0; Row < Rows; ++Row) {
    auto Source = In.subspan(size_t(Row) * Columns, Columns);
    double Mean = 0, Variance = 0;
    for (uint16_t Bits : Source)
      Mean += fromHalf(Bits);
    Mean /= Columns;
    for (uint16_t Bits : Source)
      Variance += (fromHalf(Bits) - Mean) * (fromHalf(Bits) - Mean);
    const double Scale = 1 / std::sqrt(Variance / Columns + Epsilon);
    for (int I = 0; I < Columns; ++I) {
      const double X =
          (fromHalf(Source[I]) - Mean) * Scale * fromHalf(Gamma[I]) +
          fromHalf(Beta[I]);
      const double Inner = 0.7978845608 * (X + 0.044715 * X * X * X);
      Out[size_t(Row) * Columns + I] = toHalf(X / 2 * (1 + std::tanh(Inner)));
    }
  }
}
