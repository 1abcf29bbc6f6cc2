#include "Reference.h"

static double fromHalf(uint16_t Bits) {
  const int Exponent = Bits >> 10 & 31, Fraction = Bits & 1023;
  const double Value = Exponent ? std::ldexp(1024 + Fraction, Exponent - 25)
                                : std::ldexp(Fraction, -24);
  return Bits & 0x8000 ? -Value : Value;
}

void heddle::reference::attention_matrix(Arguments &Args) {
  constexpr size_t Width = 64;
  auto Q = Args.buffer<uint16_t>(0), K = Args.buffer<uint16_t>(1),
       V = Args.buffer<uint16_t>(2);
  auto Out = Args.buffer<float>(3);
  const size_t Length = Args.scalar<int>(4);
  const double Scale = Args.scalar<float>(5);
  const bool Causal = Args.scalar<int>(6);
  std::vector<double> Weights(Length);
  for (size_t Head = 0; Head < Q.size(); Head += Length * Width)
    for (size_t Row = 0; Row < Length; ++Row) {
      const size_t Keys = Causal ? Row + 1 : Length;
      double Largest = -INFINITY, Sum = 0;
      for (size_t Key = 0; Key < Keys; ++Key) {
        double Score = 0;
        for (size_t D = 0; D < Width; ++D)
          Score += fromHalf(Q[Head + Row * Width + D]) *
                   fromHalf(K[Head + Key * Width + D]);
        Weights[Key] = Score * Scale;
        Largest = std::max(Largest, Weights[Key]);
      }
      for (size_t Key = 0; Key < Keys; ++Key)
        Sum += Weights[Key] = std::exp(Weights[Key] - Largest);
      for (size_t D = 0; D < Width; ++D) {
        double Value = 0;
        for (size_t Key = 0; Key < Keys; ++Key)
          Value += Weights[Key] * fromHalf(V[Head + Key * Width + D]);
        Out[Head + Row * Width + D] = float(Value / Sum);
      }
    }
}
