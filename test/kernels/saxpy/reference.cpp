#include "Reference.h"

void heddle::reference::saxpy(Arguments &Args) {
  float Alpha = Args.scalar<float>(1);
  auto X = Args.buffer<float>(2), Y = Args.buffer<float>(3);
  for (int I = 0, N = Args.scalar<int>(0); I < N; ++I)
    Y[I] = Alpha * X[I] + Y[I];
}
