// test/apps/cuda/Inputs/bitonic by hand with OpenMP.
#include <utility>
#include <cstdio>
#include <cstdlib>
#include <vector>

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  const unsigned N = 1 << 13;
  std::vector<unsigned> Keys(N), Values(N), K, V;
  unsigned Seed = 12345;
  for (unsigned I = 0; I < N; ++I) {
    Seed = Seed * 1664525u + 1013904223u;
    Keys[I] = Seed >> 8;
    Values[I] = I;
  }
  for (int R = 0; R < Rounds; ++R) {
    K = Keys;
    V = Values;
    for (unsigned Size = 2; Size <= N; Size *= 2)
      for (unsigned Stride = Size / 2; Stride > 0; Stride /= 2)
#pragma omp parallel for
        for (unsigned T = 0; T < N / 2; ++T) {
          const unsigned A = 2 * T - (T & (Stride - 1)), B = A + Stride;
          if ((K[A] > K[B]) != ((A & Size) == 0))
            continue;
          std::swap(K[A], K[B]);
          std::swap(V[A], V[B]);
        }
  }
  printf("%u %u\n", K[N / 2], V[N / 2]);
}
