#include "Reference.h"

void heddle::reference::reduction(Arguments &Args) {
  auto In = Args.buffer<float>(0), Partial = Args.buffer<float>(1);
  unsigned BlockSize = Args.block().X, Blocks = Args.grid().X;
  std::vector<double> Sums(Blocks);
  for (int I = 0, N = Args.scalar<int>(2); I < N; ++I)
    Sums[I / BlockSize % Blocks] += In[I];
  for (unsigned B = 0; B < Blocks; ++B)
    Partial[B] = float(Sums[B]);
}
