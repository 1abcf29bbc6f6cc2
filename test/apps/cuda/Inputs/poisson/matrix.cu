#include "matrix.h"
#include "check.h"
#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/transform.h>

struct Plate {
  int width, height;
  __host__ __device__ bool holds(int x, int y) const {
    return x >= 0 && y >= 0 && x < width && y < height;
  }
  __host__ __device__ double between(int i, int j) const {
    return 1 + (i * 7 + j * 7) % 5;
  }
};

/// Calls \p visit(column, value) for row \p i from its first column on.
template <typename Visitor>
__device__ void forEachEntry(Plate p, int i, Visitor visit) {
  const int x = i % p.width, y = i / p.width;
  const int dx[] = {0, -1, 0, 1, 0}, dy[] = {-1, 0, 0, 0, 1};
  double sum = 0.1; // to the ground
  for (int k = 0; k < 5; ++k)
    if (k != 2 && p.holds(x + dx[k], y + dy[k]))
      sum += p.between(i, i + dx[k] + dy[k] * p.width);
  for (int k = 0; k < 5; ++k) {
    const int j = i + dx[k] + dy[k] * p.width;
    if (k == 2)
      visit(i, sum);
    else if (p.holds(x + dx[k], y + dy[k]))
      visit(j, -p.between(i, j));
  }
}

__global__ void countEntries(Plate p, int *counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.width * p.height)
    return;
  int n = 0;
  forEachEntry(p, i, [&](int, double) { ++n; });
  counts[i] = n;
}
__global__ void fillEntries(Plate p, const int *starts, int *columns,
                            double *values, double *diagonal) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= p.width * p.height)
    return;
  int at = starts[i];
  forEachEntry(p, i, [&](int j, double v) {
    columns[at] = j;
    values[at++] = v;
    if (j == i)
      diagonal[i] = v;
  });
}

template <typename T> static T *raw(thrust::device_vector<T> &v) {
  return thrust::raw_pointer_cast(v.data());
}

Matrix plate(int width, int height) {
  const Plate p = {width, height};
  Matrix m;
  m.rows = width * height;
  m.starts.resize(m.rows + 1);
  const int blocks = (m.rows + 127) / 128;
  countEntries<<<blocks, 128>>>(p, raw(m.starts));
  CHECK(cudaGetLastError());
  thrust::exclusive_scan(m.starts.begin(), m.starts.end(), m.starts.begin());
  const int entries = m.starts.back();
  m.columns.resize(entries);
  m.values.resize(entries);
  m.diagonal.resize(m.rows);
  fillEntries<<<blocks, 128>>>(p, raw(m.starts), raw(m.columns),
                               raw(m.values), raw(m.diagonal));
  CHECK(cudaGetLastError());
  return m;
}

void divide(const Matrix &m, const thrust::device_vector<double> &from,
            thrust::device_vector<double> &to) {
  thrust::transform(from.begin(), from.end(), m.diagonal.begin(), to.begin(),
                    thrust::divides<double>());
}
