#include "Reference.h"

void heddle::reference::stream_scale(Arguments &Args) {
  const float A = Args.scalar<float>(0);
  auto X = Args.buffer<float>(1), Y = Args.buffer<float>(2);
  for (size_t I = 0; I < X.size(); ++I)
    Y[I] = A * X[I];
}
