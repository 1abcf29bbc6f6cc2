// test/apps/cuda/Inputs/histogram by hand with OpenMP.
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Bins = 64, Slices = 4;

static void count(const unsigned char *Data, int N, unsigned *Sum) {
#pragma omp parallel
  {
    unsigned Own[Bins] = {};
#pragma omp for
    for (int I = 0; I < N; ++I)
      ++Own[Data[I] % Bins];
    for (int B = 0; B < Bins; ++B)
#pragma omp atomic
      Sum[B] += Own[B];
  }
}

int main(int argc, char **argv) {
  const int Rounds = 1 + (argc > 1 ? atoi(argv[1]) : 0), N = 1 << 14;
  std::vector<unsigned char> Data(N);
  std::vector<unsigned> Sum(Bins);
  unsigned Seed = 1;
  for (unsigned char &V : Data) {
    Seed = Seed * 1664525u + 1013904223u;
    V = Seed >> 24;
  }
  for (int R = 0; R < Rounds; ++R)
    for (int S = 0; S < Slices; ++S)
      count(Data.data() + S * (N / Slices), N / Slices, Sum.data());
  printf("%u\n", Sum[Bins / 2]);
}
