#include "Reference.h"

void heddle::reference::softmax(Arguments &Args) {
  auto In = Args.buffer<float>(0), Out = Args.buffer<float>(1);
  int Columns = Args.scalar<int>(2);
  for (unsigned Row = 0; Row < Args.grid().X; ++Row) {
    auto Source = In.subspan(size_t(Row) * Columns, Columns);
    double Largest = *std::max_element(Source.begin(), Source.end()), Sum = 0;
    for (float Value : Source)
      Sum += std::exp(Value - Largest);
    for (int I = 0; I < Columns; ++I)
      Out[size_t(Row) * Columns + I] =
          float(std::exp(Source[I] - Largest) / Sum);
  }
}
