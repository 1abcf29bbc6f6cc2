//===- gauss.cpp - Gaussian elimination and back substitution -------------===//
//
// usage: gauss [SIZE]. Two launches per column, of shrinking size.
//
//===----------------------------------------------------------------------===//

#include "Host.h"

using namespace apps;

static const char *Source = R"(
__kernel void factors(__global const float *matrix, __global float *factor,
                      int size, int column) {
  int row = column + 1 + get_global_id(0);
  if (row < size)
    factor[row] = matrix[row * (size + 1) + column] /
                matrix[column * (size + 1) + column];
}

__kernel void eliminate(__global float *matrix, __global const float *factor,
                        int size, int column) {
  int x = column + get_global_id(0), row = column + 1 + get_global_id(1);
  if (x <= size && row < size)
    matrix[row * (size + 1) + x] -=
        factor[row] * matrix[column * (size + 1) + x];
}
)";

int main(int Argc, char **Argv) {
  const int Size = argument(Argc, Argv, 1, 160);
  Host H;
  cl_program P = H.build(Source, "-cl-mad-enable");
  cl_kernel Factors = H.kernel(P, "factors"),
            Eliminate = H.kernel(P, "eliminate");
  Numbers N(41);
  std::vector<float> Matrix(size_t(Size) * (Size + 1));
  for (int Row = 0; Row < Size; ++Row) {
    float *Line = &Matrix[size_t(Row) * (Size + 1)];
    for (int X = 0; X < Size; ++X) {
      Line[X] = N.uniform(-1, 1) + (X == Row ? float(Size) : 0.0f);
      Line[Size] += Line[X]; // so that every unknown is one
    }
  }
  cl_mem M = H.buffer(Matrix), Factor = H.empty(size_t(Size) * 4);
  for (int Column = 0; Column < Size - 1; ++Column) {
    const size_t Left = size_t(Size - 1 - Column);
    auto Up = [](size_t Value, size_t To) {
      return (Value + To - 1) / To * To;
    };
    H.launch(Factors, {Up(Left, 64)}, {64}, M, Factor, Size, Column);
    H.launch(Eliminate, {Up(Left + 2, 32), Up(Left, 4)}, {32, 4}, M, Factor,
             Size, Column);
  }
  const auto Got = H.read<float>(M, Matrix.size());
  std::vector<double> X(static_cast<size_t>(Size));
  double Worst = 0;
  for (int Row = Size - 1; Row >= 0; --Row) {
    const float *Line = &Got[size_t(Row) * (Size + 1)];
    double Sum = Line[Size];
    for (int C = Row + 1; C < Size; ++C)
      Sum -= Line[C] * X[C];
    X[Row] = Sum / Line[Row];
    Worst = std::fmax(Worst, std::fabs(X[Row] - 1));
  }
  std::printf("largest error %s\n", Worst < 1e-3 ? "small" : "large");
  require(Worst < 1e-3, "unknowns");
}
