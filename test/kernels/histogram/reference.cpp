#include "Reference.h"

void heddle::reference::histogram(Arguments &Args) {
  auto Data = Args.buffer<uint8_t>(0);
  auto Bins = Args.buffer<uint32_t>(1);
  for (int I = 0, N = Args.scalar<int>(2); I < N; ++I)
    ++Bins[Data[I]];
}
