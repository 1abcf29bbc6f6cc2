// test/apps/cuda/Inputs/gauss by hand with OpenMP.
#include <cmath>
#include <utility>
#include <cstdio>
#include <cstdlib>
#include <vector>

using Matrix = std::vector<double>;

static void eliminate(Matrix &A, int N) {
  const int Row = N + 1;
  for (int K = 0; K < N; ++K) {
    int Pivot = K;
    for (int I = K + 1; I < N; ++I)
      if (std::fabs(A[I * Row + K]) > std::fabs(A[Pivot * Row + K]))
        Pivot = I;
    if (Pivot != K)
      for (int J = K; J <= N; ++J)
        std::swap(A[K * Row + J], A[Pivot * Row + J]);
    const double Value = A[K * Row + K];
#pragma omp parallel for
    for (int I = 0; I < N; ++I) {
      if (I == K)
        continue;
      const double Factor = A[I * Row + K] / Value;
      for (int J = K + 1; J <= N; ++J)
        A[I * Row + J] -= Factor * A[K * Row + J];
    }
  }
}

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1, N = 48;
  Matrix A(N * (N + 1)), Result;
  for (int I = 0; I < N; ++I)
    for (int J = 0; J < N; ++J) {
      A[I * (N + 1) + J] = ((I * 31 + J * 17) % 23) - 11 + (I == J ? 0.5 : 0);
      A[I * (N + 1) + N] += A[I * (N + 1) + J] * (J + 1);
    }
  for (int R = 0; R < Rounds; ++R) {
    Result = A;
    eliminate(Result, N);
  }
  printf("%g\n", Result[N] / Result[0]);
}
