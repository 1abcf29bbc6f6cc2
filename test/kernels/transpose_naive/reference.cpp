#include "Reference.h"

void heddle::reference::transpose_naive(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  int Width = Args.scalar<int>(2), Height = Args.scalar<int>(3);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X)
      Out[X * Height + Y] = In[Y * Width + X];
}
