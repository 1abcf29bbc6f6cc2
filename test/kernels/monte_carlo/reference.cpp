#include "Reference.h"

#include <array>

static std::array<uint32_t, 4> philox(std::array<uint32_t, 4> C, uint32_t Key0,
                                      uint32_t Key1) {
  for (int Round = 0; Round < 10; ++Round) {
    uint64_t A = uint64_t(0xD2511F53u) * C[0], B = uint64_t(0xCD9E8D57u) * C[2];
    C = {uint32_t(B >> 32) ^ C[1] ^ Key0, uint32_t(B),
         uint32_t(A >> 32) ^ C[3] ^ Key1, uint32_t(A)};
    Key0 += 0x9E3779B9u;
    Key1 += 0xBB67AE85u;
  }
  return C;
}

void heddle::reference::monte_carlo(Arguments &Args) {
  auto Mean = Args.buffer<float>(0);
  int Threads = Args.scalar<int>(1), Paths = Args.scalar<int>(2);
  double Price = Args.scalar<float>(3), Strike = Args.scalar<float>(4);
  double Drift = Args.scalar<float>(5), Deviation = Args.scalar<float>(6);
  uint32_t Seed = Args.scalar<uint32_t>(7);
  auto Uniform = [](uint32_t Word) {
    return (double(Word >> 8) + 0.5) / 16777216.0;
  };
  for (int I = 0; I < Threads; ++I) {
    double Sum = 0;
    for (int Path = 0; Path < Paths; Path += 4) {
      auto Words = philox({uint32_t(I), uint32_t(Path), 0, 0}, Seed, 0);
      for (int Pair = 0; Pair < 4; Pair += 2) {
        double Radius = std::sqrt(-2 * std::log(Uniform(Words[Pair])));
        double Angle = 6.2831853071795865 * Uniform(Words[Pair + 1]);
        for (double Z : {Radius * std::cos(Angle), Radius * std::sin(Angle)})
          Sum +=
              std::max(Price * std::exp(Drift + Deviation * Z) - Strike, 0.0);
      }
    }
    Mean[I] = float(Sum / Paths);
  }
}
