#include "Reference.h"

void heddle::reference::convolution_separable(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  auto Taps = Args.buffer<float>(2);
  int Width = Args.scalar<int>(3), Height = Args.scalar<int>(4);
  const int Radius = 8;
  bool Rows = Args.kernel() == "convolution_rows";
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      double Sum = 0;
      for (int I = -Radius; I <= Radius; ++I) {
        int PX = Rows ? X + I : X, PY = Rows ? Y : Y + I;
        if (PX >= 0 && PX < Width && PY >= 0 && PY < Height)
          Sum += double(Taps[I + Radius]) * In[PY * Width + PX];
      }
      Out[Y * Width + X] = float(Sum);
    }
}
