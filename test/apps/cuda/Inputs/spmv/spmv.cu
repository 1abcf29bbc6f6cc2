// Sparse matrix times vector in CSR, one thread or one warp for a row, in two
// precisions by one template. An argument says how often.
#include "../check.h"
#include <cmath>
#include <vector>

template <typename T>
__global__ void by_threads(int rows, const int *begin, const int *column,
                           const T *value, const T *x, T *y) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows)
    return;
  T sum = 0;
  for (int i = begin[row]; i < begin[row + 1]; ++i)
    sum += value[i] * __ldg(&x[column[i]]);
  y[row] = sum;
}

template <typename T, int Lanes>
__global__ void by_groups(int rows, const int *begin, const int *column,
                          const T *value, const T *x, T *y) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / Lanes;
  int lane = threadIdx.x % Lanes;
  if (row >= rows)
    return;
  T sum = 0;
  for (int i = begin[row] + lane; i < begin[row + 1]; i += Lanes)
    sum += value[i] * x[column[i]];
  for (int step = Lanes / 2; step > 0; step /= 2)
    sum += __shfl_down_sync(0xffffffffu, sum, step, Lanes);
  if (lane == 0)
    y[row] = sum;
}

struct Pattern {
  std::vector<int> begin{0}, column;
};

template <typename T> static T *upload(const std::vector<T> &from) {
  T *to = nullptr;
  CHECK(cudaMalloc(&to, from.size() * sizeof(T)));
  CHECK(cudaMemcpy(to, from.data(), from.size() * sizeof(T),
                   cudaMemcpyHostToDevice));
  return to;
}

template <typename T>
static bool run(const Pattern &p, double tolerance, int rounds) {
  const int rows = int(p.begin.size()) - 1;
  std::vector<T> value(p.column.size()), x(rows), y(rows), wanted(rows);
  for (size_t i = 0; i < value.size(); ++i)
    value[i] = T((i * 7) % 11) - 5;
  for (int i = 0; i < rows; ++i)
    x[i] = T((i * 5) % 13) / 13;
  for (int r = 0; r < rows; ++r)
    for (int i = p.begin[r]; i < p.begin[r + 1]; ++i)
      wanted[r] += value[i] * x[p.column[i]];
  int *begin = upload(p.begin), *column = upload(p.column);
  T *values = upload(value), *in = upload(x), *out = upload(y);
  bool ok = true;
  for (int round = 0; round < 2 * rounds; ++round) {
    const bool warps = round % 2;
    const bool last = round >= 2 * rounds - 2;
    if (last)
      CHECK(cudaMemset(out, 0xff, rows * sizeof(T)));
    if (warps)
      by_groups<T, 8><<<(rows * 8 + 127) / 128, 128>>>(rows, begin, column,
                                                       values, in, out);
    else
      by_threads<T>
          <<<(rows + 127) / 128, 128>>>(rows, begin, column, values, in, out);
    CHECK(cudaGetLastError());
    if (!last)
      continue;
    CHECK(
        cudaMemcpy(y.data(), out, rows * sizeof(T), cudaMemcpyDeviceToHost));
    for (int r = 0; r < rows; ++r)
      ok &= std::fabs(double(y[r] - wanted[r])) <= tolerance;
  }
  for (void *p : {(void *)begin, (void *)column, (void *)values, (void *)in,
                  (void *)out})
    CHECK(cudaFree(p));
  return ok;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  Pattern p;
  const int rows = 2000;
  for (int r = 0; r < rows; ++r) {
    const int count = r % 97 == 0 ? 0 : 4 + (r * r) % 29;
    for (int i = 0; i < count; ++i)
      p.column.push_back((r + i * i * 31) % rows);
    p.begin.push_back(int(p.column.size()));
  }
  return verdict(run<float>(p, 1e-3, rounds) & run<double>(p, 1e-10, rounds));
}
