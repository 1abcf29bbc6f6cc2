#include "Reference.h"

void heddle::reference::lu_step(Arguments &Args) {
  auto Matrix = Args.buffer<float>(0);
  int N = Args.scalar<int>(1), Offset = Args.scalar<int>(2),
      Behind = Offset + 16;
  for (int Y = Behind; Y < N; ++Y)
    for (int X = Behind; X < N; ++X) {
      float Sum = 0;
      for (int I = Offset; I < Behind; ++I)
        Sum += Matrix[Y * N + I] * Matrix[I * N + X];
      Matrix[Y * N + X] -= Sum;
    }
}
