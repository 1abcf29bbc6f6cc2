#include "Reference.h"

void heddle::reference::lattice_boltzmann(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  auto Type = Args.buffer<uint8_t>(2);
  int Width = Args.scalar<int>(3), Height = Args.scalar<int>(4);
  double Relaxation = Args.scalar<float>(5);
  const int VX[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
  const int VY[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const int Opposite[9] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
  int Cells = Width * Height;
  for (int Y = 0; Y < Height; ++Y)
    for (int X = 0; X < Width; ++X) {
      int Cell = Y * Width + X;
      double F[9], Density = 0, MX = 0, MY = 0;
      for (int D = 0; D < 9; ++D) {
        int FromX = (X - VX[D] + Width) % Width;
        int FromY = (Y - VY[D] + Height) % Height;
        F[D] = In[D * Cells + FromY * Width + FromX];
        Density += F[D];
        MX += VX[D] * F[D];
        MY += VY[D] * F[D];
      }
      double UX = MX / Density, UY = MY / Density;
      for (int D = 0; D < 9; ++D) {
        if (Type[Cell] == 0) {
          Out[Opposite[D] * Cells + Cell] = float(F[D]);
          continue;
        }
        double Weight = D == 0 ? 4.0 / 9 : D < 5 ? 1.0 / 9 : 1.0 / 36;
        double Along = 3 * (VX[D] * UX + VY[D] * UY);
        double Equilibrium =
            Weight * Density *
            (1 + Along + 0.5 * Along * Along - 1.5 * (UX * UX + UY * UY));
        Out[D * Cells + Cell] = float(F[D] + Relaxation * (Equilibrium - F[D]));
      }
    }
}
