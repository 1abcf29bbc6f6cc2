#include "Reference.h"

void heddle::reference::layer_norm(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  auto Gamma = Args.buffer<float>(2), Beta = Args.buffer<float>(3);
  int Rows = Args.scalar<int>(4), Columns = Args.scalar<int>(5);
  double Epsilon = Args.scalar<float>(6);
  for (int Row = 0; Row < Rows; ++Row) {
    auto Source = In.subspan(size_t(Row) * Columns, Columns);
    double Mean = 0, Variance = 0;
    for (float Value : Source)
      Mean += Value;
    Mean /= Columns;
    for (float Value : Source)
      Variance += (Value - Mean) * (Value - Mean);
    double Scale = 1 / std::sqrt(Variance / Columns + Epsilon);
    for (int I = 0; I < Columns; ++I)
      Out[size_t(Row) * Columns + I] =
          float((Source[I] - Mean) * Scale * Gamma[I] + Beta[I]);
  }
}
