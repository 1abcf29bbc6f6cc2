#include "Reference.h"

void heddle::reference::nbody(Arguments &Args) {
  auto Bodies = Args.buffer<float>(0), Acceleration = Args.buffer<float>(1);
  int N = Args.scalar<int>(2);
  double Softening = Args.scalar<float>(3);
  for (int I = 0; I < N; ++I) {
    double Sum[3] = {};
    for (int J = 0; J < N; ++J) {
      double D[3], Squared = Softening;
      for (int Axis = 0; Axis < 3; ++Axis) {
        D[Axis] = double(Bodies[4 * J + Axis]) - Bodies[4 * I + Axis];
        Squared += D[Axis] * D[Axis];
      }
      double Scale = Bodies[4 * J + 3] / (Squared * std::sqrt(Squared));
      for (int Axis = 0; Axis < 3; ++Axis)
        Sum[Axis] += D[Axis] * Scale;
    }
    for (int Axis = 0; Axis < 3; ++Axis)
      Acceleration[4 * I + Axis] = float(Sum[Axis]);
  }
}
