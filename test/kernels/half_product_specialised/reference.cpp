#include "Reference.h"

static double fromHalf(uint16_t Bits) {
  const int Exponent = Bits >> 10 & 31, Fraction = Bits & 1023;
  const double Value = Exponent ? std::ldexp(1024 + Fraction, Exponent - 25)
                                : std::ldexp(Fraction, -24);
  return Bits & 0x8000 ? -Value : Value;
}

void heddle::reference::half_product_specialised(Arguments &Args) {
  auto A = Args.buffer<uint16_t>(0), B = Args.buffer<uint16_t>(1);
  auto C = Args.buffer<float>(2);
  int M = Args.scalar<int>(3), N = Args.scalar<int>(4), K = Args.scalar<int>(5);
  for (int Row = 0; Row < M; ++Row)
    for (int Column = 0; Column < N; ++Column) {
      double Sum = 0;
      for (int X = 0; X < K; ++X)
        Sum += fromHalf(A[size_t(Row) * K + X]) *
               fromHalf(B[size_t(X) * N + Column]);
      C[size_t(Row) * N + Column] = float(Sum);
    }
}
