// test/apps/cuda/Inputs/matmul by hand with OpenMP.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

/// Row by row; the inner loop is what the compiler makes vectors of.
static float multiply(int N, int Rounds) {
  std::vector<float> A(N * N), B(N * N), C(N * N);
  for (int I = 0; I < N * N; ++I) {
    A[I] = float(I % 7) - 3;
    B[I] = float(I % 5) - 2;
  }
  for (int R = 0; R < Rounds; ++R)
#pragma omp parallel for
    for (int I = 0; I < N; ++I) {
      float *Row = &C[I * N];
      std::fill(Row, Row + N, 0.0f);
      for (int K = 0; K < N; ++K)
        for (int J = 0; J < N; ++J)
          Row[J] += A[I * N + K] * B[K * N + J];
    }
  return C[N * N / 2];
}

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  for (int N : {64, 64, 96})
    printf("%g\n", multiply(N, Rounds));
}
