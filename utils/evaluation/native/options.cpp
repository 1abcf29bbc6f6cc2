// test/apps/cuda/Inputs/options by hand with OpenMP; the generator is simpler.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Option {
  float Spot, Strike, Rate, Volatility, Years;
};

/// Two uniform numbers by a mixed counter (splitmix64).
static uint64_t mixed(uint64_t Z) {
  Z += 0x9e3779b97f4a7c15u;
  Z = (Z ^ (Z >> 30)) * 0xbf58476d1ce4e5b9u;
  Z = (Z ^ (Z >> 27)) * 0x94d049bb133111ebu;
  return Z ^ (Z >> 31);
}

static float simulated(const Option &O, int Which, int Paths) {
  const float S = O.Volatility * std::sqrt(O.Years);
  const float Drift = O.Rate * O.Years - 0.5f * S * S;
  float Sum = 0;
  for (int I = 0; I < Paths; ++I) {
    const uint64_t Bits = mixed(uint64_t(Which) << 32 | unsigned(I));
    const float U = (float(Bits >> 40) + 1) / 16777216.0f;
    const float V = float(Bits & 0xffffff) / 16777216.0f;
    const float Z = std::sqrt(-2 * std::log(U)) * std::cos(6.2831853f * V);
    Sum += std::fmax(O.Spot * std::exp(Drift + S * Z) - O.Strike, 0.0f) +
           std::fmax(O.Spot * std::exp(Drift - S * Z) - O.Strike, 0.0f);
  }
  return Sum * std::exp(-O.Rate * O.Years) / float(2 * Paths);
}

int main(int argc, char **argv) {
  const int N = 64, Paths = argc > 1 ? atoi(argv[1]) : 2048;
  std::vector<float> Prices(N);
#pragma omp parallel for
  for (int I = 0; I < N; ++I)
    Prices[I] = simulated({100, 80 + 0.6f * I, 0.02f, 0.15f + 0.003f * I,
                           0.5f + 0.02f * I},
                          I, Paths);
  printf("%g\n", Prices[N / 2]);
}
