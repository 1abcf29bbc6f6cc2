#include "Reference.h"

void heddle::reference::stencil_3d(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  int NX = Args.scalar<int>(2), NY = Args.scalar<int>(3);
  int NZ = Args.scalar<int>(4), Plane = NX * NY;
  for (int Z = 1; Z < NZ - 1; ++Z)
    for (int Y = 1; Y < NY - 1; ++Y)
      for (int X = 1; X < NX - 1; ++X) {
        int I = Z * Plane + Y * NX + X;
        Out[I] =
            0.4f * In[I] + 0.1f * (In[I - Plane] + In[I + Plane] + In[I - 1] +
                                   In[I + 1] + In[I - NX] + In[I + NX]);
      }
}
