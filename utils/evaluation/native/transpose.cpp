// test/apps/cuda/Inputs/transpose by hand with OpenMP.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Width = 200, Height = 136;

/// In squares of \p Tile, which stay in the caches.
static void transpose(const std::vector<float> &In, std::vector<float> &Out,
                      int Tile) {
#pragma omp parallel for collapse(2)
  for (int Y = 0; Y < Height; Y += Tile)
    for (int X = 0; X < Width; X += Tile)
      for (int I = X; I < std::min(X + Tile, Width); ++I)
        for (int J = Y; J < std::min(Y + Tile, Height); ++J)
          Out[I * Height + J] = In[J * Width + I];
}

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  std::vector<float> In(Width * Height), Out(In);
  for (size_t I = 0; I < In.size(); ++I)
    In[I] = float(I);
  for (int Tile : {32, 32, 32, 16})
    for (int R = 0; R < Rounds; ++R)
      transpose(In, Out, Tile);
  printf("%g\n", Out[Out.size() / 2]);
}
