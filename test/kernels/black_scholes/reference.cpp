#include "Reference.h"

static double normal(double D) {
  double K = 1 / (1 + 0.2316419 * std::fabs(D));
  double Polynomial =
      K * (0.31938153 +
           K * (-0.356563782 +
                K * (1.781477937 + K * (-1.821255978 + K * 1.330274429))));
  double Tail = 0.39894228 * std::exp(-0.5 * D * D) * Polynomial;
  return D > 0 ? 1 - Tail : Tail;
}

void heddle::reference::black_scholes(Arguments &Args) {
  auto Price = Args.buffer<float>(0), Strike = Args.buffer<float>(1);
  auto Years = Args.buffer<float>(2);
  auto Call = Args.buffer<float>(3), Put = Args.buffer<float>(4);
  double Rate = Args.scalar<float>(5), Volatility = Args.scalar<float>(6);
  for (int I = 0, N = Args.scalar<int>(7); I < N; ++I) {
    double S = Price[I], X = Strike[I], T = Years[I];
    double Deviation = Volatility * std::sqrt(T);
    double D1 = (std::log(S / X) + (Rate + 0.5 * Volatility * Volatility) * T) /
                Deviation;
    double D2 = D1 - Deviation, Discounted = X * std::exp(-Rate * T);
    Call[I] = float(S * normal(D1) - Discounted * normal(D2));
    Put[I] = float(Discounted * (1 - normal(D2)) - S * (1 - normal(D1)));
  }
}
