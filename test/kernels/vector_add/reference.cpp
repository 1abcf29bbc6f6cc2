#include "Reference.h"

void heddle::reference::vector_add(Arguments &Args) {
  auto A = Args.buffer<float>(0), B = Args.buffer<float>(1);
  auto C = Args.buffer<float>(2);
  for (int I = 0, N = Args.scalar<int>(3); I < N; ++I)
    C[I] = A[I] + B[I];
}
