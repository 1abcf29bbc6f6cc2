#include "Reference.h"

void heddle::reference::diffusion(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  int Width = Args.scalar<int>(2), Height = Args.scalar<int>(3);
  double Kappa = Args.scalar<float>(4), Lambda = Args.scalar<float>(5);
  auto Flow = [&](int Neighbor, int Cell) {
    double Gradient = double(In[Neighbor]) - In[Cell], Ratio = Gradient / Kappa;
    return std::exp(-Ratio * Ratio) * Gradient;
  };
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      int I = Y * Width + X;
      double Sum = Flow(std::max(Y - 1, 0) * Width + X, I) +
                   Flow(std::min(Y + 1, Height - 1) * Width + X, I) +
                   Flow(Y * Width + std::max(X - 1, 0), I) +
                   Flow(Y * Width + std::min(X + 1, Width - 1), I);
      Out[I] = float(In[I] + Lambda * Sum);
    }
}
