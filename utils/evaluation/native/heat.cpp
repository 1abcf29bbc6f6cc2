// test/apps/cuda/Inputs/heat by hand with OpenMP.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Width = 70, Height = 45;
using Plate = std::vector<float>;

static void step(const Plate &From, Plate &To) {
#pragma omp parallel for
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      auto At = [&](int I, int J) {
        return From[std::clamp(J, 0, Height - 1) * Width +
                    std::clamp(I, 0, Width - 1)];
      };
      To[Y * Width + X] = 0.4f * At(X, Y) +
                          0.2f * (At(X - 1, Y) + At(X + 1, Y)) +
                          0.1f * (At(X, Y - 1) + At(X, Y + 1));
    }
}

int main(int argc, char **argv) {
  const int Steps = 12 + (argc > 1 ? atoi(argv[1]) : 0);
  Plate A(Width * Height), B(A);
  for (int I = 0; I < Width * Height; ++I)
    A[I] = float(I % 11);
  for (int S = 0; S < Steps; ++S) {
    step(A, B);
    A.swap(B);
  }
  printf("%g\n", A[A.size() / 2]);
}
