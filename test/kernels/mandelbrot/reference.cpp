#include "Reference.h"

void heddle::reference::mandelbrot(Arguments &Args) {
  auto Iterations = Args.buffer<uint16_t>(0);
  int Width = Args.scalar<int>(1), Height = Args.scalar<int>(2);
  float Left = Args.scalar<float>(3), Top = Args.scalar<float>(4);
  float Pixel = Args.scalar<float>(5);
  int Limit = Args.scalar<int>(6);
  for (int PY = 0; PY < Height; ++PY)
    for (int PX = 0; PX < Width; ++PX) {
      float CX = std::fma(float(PX), Pixel, Left);
      float CY = std::fma(float(PY), -Pixel, Top);
      float X = 0, Y = 0;
      int Count = 0;
      while (Count < Limit && std::fma(X, X, Y * Y) <= 4) {
        float Next = std::fma(X, X, std::fma(-Y, Y, CX));
        Y = std::fma(X + X, Y, CY);
        X = Next;
        ++Count;
      }
      Iterations[PY * Width + PX] = uint16_t(Count);
    }
}
