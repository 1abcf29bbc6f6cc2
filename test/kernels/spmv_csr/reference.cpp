#include "Reference.h"

void heddle::reference::spmv_csr(Arguments &Args) {
  auto RowOffsets = Args.buffer<int>(0), Columns = Args.buffer<int>(1);
  auto Values = Args.buffer<float>(2), X = Args.buffer<float>(3);
  auto Y = Args.buffer<float>(4);
  for (int Row = 0, Rows = Args.scalar<int>(5); Row < Rows; ++Row) {
    double Sum = 0;
    for (int I = RowOffsets[Row]; I < RowOffsets[Row + 1]; ++I)
      Sum += double(Values[I]) * X[Columns[I]];
    Y[Row] = float(Sum);
  }
}
