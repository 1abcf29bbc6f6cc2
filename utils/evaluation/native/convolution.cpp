// test/apps/cuda/Inputs/convolution by hand with OpenMP.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int Radius = 4, Width = 150, Height = 70;
using Image = std::vector<float>;

/// Along rows (\p DX = 1) or columns.
static void pass(const float *Weights, const Image &In, Image &Out, int DX,
                 int DY) {
#pragma omp parallel for
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      float Sum = 0;
      for (int I = -Radius; I <= Radius; ++I) {
        const int A = X + I * DX, B = Y + I * DY;
        if (A >= 0 && A < Width && B >= 0 && B < Height)
          Sum += Weights[Radius + I] * In[B * Width + A];
      }
      Out[Y * Width + X] = Sum;
    }
}

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1;
  float Weights[2 * Radius + 1];
  for (int I = -Radius; I <= Radius; ++I)
    Weights[Radius + I] = std::exp(-0.2f * I * I);
  Image In(Width * Height), Middle(In), Out(In);
  for (int I = 0; I < Width * Height; ++I)
    In[I] = float((I * 37) % 256);
  for (int R = 0; R < Rounds; ++R) {
    pass(Weights, In, Middle, 1, 0);
    pass(Weights, Middle, Out, 0, 1);
  }
  printf("%g\n", Out[Out.size() / 2]);
}
