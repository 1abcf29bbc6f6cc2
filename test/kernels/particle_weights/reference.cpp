#include "Reference.h"

void heddle::reference::particle_weights(Arguments &Args) {
  auto Position = Args.buffer<float>(0), Weight = Args.buffer<float>(3);
  auto Offsets = Args.buffer<int8_t>(1);
  auto Image = Args.buffer<uint8_t>(2);
  int Particles = Args.scalar<int>(4), Pixels = Args.scalar<int>(5);
  int Width = Args.scalar<int>(6), Height = Args.scalar<int>(7);
  double Background = Args.scalar<float>(8), Foreground = Args.scalar<float>(9);
  for (int P = 0; P < Particles; ++P) {
    int CX = int(std::nearbyint(Position[2 * P]));
    int CY = int(std::nearbyint(Position[2 * P + 1]));
    double Likelihood = 0;
    for (int I = 0; I < Pixels; ++I) {
      int X = CX + Offsets[2 * I], Y = CY + Offsets[2 * I + 1];
      if (X < 0 || Y < 0 || X >= Width || Y >= Height)
        continue;
      double Back = Image[Y * Width + X] - Background;
      double Front = Image[Y * Width + X] - Foreground;
      Likelihood += (Back * Back - Front * Front) / 5000;
    }
    Weight[P] = float(Weight[P] * std::exp(Likelihood / Pixels));
  }
}
