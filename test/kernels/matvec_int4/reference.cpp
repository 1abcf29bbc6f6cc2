#include "Reference.h"

static double fromHalf(uint16_t Bits) {
  const int Exponent = Bits >> 10 & 31, Fraction = Bits & 1023;
  const double Value = Exponent ? std::ldexp(1024 + Fraction, Exponent - 25)
                                : std::ldexp(Fraction, -24);
  return Bits & 0x8000 ? -Value : Value;
}

void heddle::reference::matvec_int4(Arguments &Args) {
  auto Weights = Args.buffer<uint32_t>(0);
  auto Scales = Args.buffer<uint16_t>(1), X = Args.buffer<uint16_t>(2);
  auto Y = Args.buffer<float>(3);
  const size_t Rows = Args.scalar<int>(4), Columns = Args.scalar<int>(5);
  for (size_t Row = 0; Row < Rows; ++Row) {
    double Sum = 0;
    for (size_t Column = 0; Column < Columns; ++Column) {
      const size_t At = Row * Columns + Column;
      const unsigned Place = Column % 8 / 2 + Column % 2 * 4;
      const int Weight = int(Weights[At / 8] >> 4 * Place & 15) - 8;
      Sum += Weight * fromHalf(Scales[At / 32]) * fromHalf(X[Column]);
    }
    Y[Row] = float(Sum);
  }
}
