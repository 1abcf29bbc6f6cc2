#include "Reference.h"

void heddle::reference::stencil_2d(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  int Width = Args.scalar<int>(2), Height = Args.scalar<int>(3);
  float Center = Args.scalar<float>(4), Side = Args.scalar<float>(5);
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      int I = Y * Width + X;
      bool Border = X == 0 || Y == 0 || X == Width - 1 || Y == Height - 1;
      Out[I] = Border ? In[I]
                      : Center * In[I] + Side * (In[I - Width] + In[I + Width] +
                                                 In[I - 1] + In[I + 1]);
    }
}
