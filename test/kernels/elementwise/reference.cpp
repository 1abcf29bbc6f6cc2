#include "Reference.h"

void heddle::reference::elementwise(Arguments &Args) {
  auto In = Args.buffer<float>(0), Bias = Args.buffer<float>(1);
  auto Out = Args.buffer<float>(2);
  int Columns = Args.scalar<int>(4);
  for (int I = 0, N = Args.scalar<int>(3); I < N; ++I) {
    double X = double(In[I]) + Bias[I % Columns];
    double Inner = 0.7978845608 * (X + 0.044715 * X * X * X);
    Out[I] = float(0.5 * X * (1 + std::tanh(Inner)));
  }
}
