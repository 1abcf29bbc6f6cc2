// test/apps/cuda/Inputs/spmv by hand with OpenMP.
#include <cstdio>
#include <cstdlib>
#include <vector>

template <typename T>
static T run(const std::vector<int> &Begin, const std::vector<int> &Column,
             int Rounds) {
  const int Rows = int(Begin.size()) - 1;
  std::vector<T> Value(Column.size()), X(Rows), Y(Rows);
  for (size_t I = 0; I < Value.size(); ++I)
    Value[I] = T((I * 7) % 11) - 5;
  for (int I = 0; I < Rows; ++I)
    X[I] = T((I * 5) % 13) / 13;
  for (int Round = 0; Round < 2 * Rounds; ++Round)
#pragma omp parallel for
    for (int R = 0; R < Rows; ++R) {
      T Sum = 0;
      for (int I = Begin[R]; I < Begin[R + 1]; ++I)
        Sum += Value[I] * X[Column[I]];
      Y[R] = Sum;
    }
  return Y[Rows / 2];
}

int main(int argc, char **argv) {
  const int Rounds = argc > 1 ? atoi(argv[1]) : 1, Rows = 2000;
  std::vector<int> Begin{0}, Column;
  for (int R = 0; R < Rows; ++R) {
    const int Count = R % 97 == 0 ? 0 : 4 + (R * R) % 29;
    for (int I = 0; I < Count; ++I)
      Column.push_back((R + I * I * 31) % Rows);
    Begin.push_back(int(Column.size()));
  }
  printf("%g %g\n", double(run<float>(Begin, Column, Rounds)),
         run<double>(Begin, Column, Rounds));
}
