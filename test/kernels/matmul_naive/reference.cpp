#include "Reference.h"

void heddle::reference::matmul_naive(Arguments &Args) {
  auto A = Args.buffer<float>(0), B = Args.buffer<float>(1);
  auto C = Args.buffer<float>(2);
  int M = Args.scalar<int>(3), N = Args.scalar<int>(4), K = Args.scalar<int>(5);
  for (int Row = 0; Row < M; ++Row)
    for (int Col = 0; Col < N; ++Col) {
      double Sum = 0;
      for (int I = 0; I < K; ++I)
        Sum += double(A[Row * K + I]) * B[I * N + Col];
      C[Row * N + Col] = float(Sum);
    }
}
