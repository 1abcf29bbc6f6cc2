// Gaussian elimination with partial pivots, all of it on the device: the pivot
// is found by one block, and a struct with it stays in device memory. An
// argument says how often.
#include "../check.h"
#include <cmath>
#include <vector>

struct Pivot {
  int row;
  double value;
};

__global__ void find(const double *a, int n, int k, Pivot *pivot) {
  __shared__ double best[128];
  __shared__ int at[128];
  const int t = threadIdx.x;
  best[t] = -1;
  at[t] = k;
  for (int i = k + t; i < n; i += blockDim.x)
    if (fabs(a[i * (n + 1) + k]) > best[t]) {
      best[t] = fabs(a[i * (n + 1) + k]);
      at[t] = i;
    }
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    __syncthreads();
    if (t < half && best[t + half] > best[t]) {
      best[t] = best[t + half];
      at[t] = at[t + half];
    }
  }
  if (t == 0)
    *pivot = {at[0], a[at[0] * (n + 1) + k]};
}
__global__ void exchange(double *a, int n, int k, const Pivot *pivot) {
  const int j = k + blockIdx.x * blockDim.x + threadIdx.x;
  if (j > n || pivot->row == k)
    return;
  const double old = a[k * (n + 1) + j];
  a[k * (n + 1) + j] = a[pivot->row * (n + 1) + j];
  a[pivot->row * (n + 1) + j] = old;
}
__global__ void eliminate(double *a, int n, int k, const Pivot *pivot) {
  const int j = k + 1 + blockIdx.x * blockDim.x + threadIdx.x;
  const int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i >= n || j > n || i == k)
    return;
  a[i * (n + 1) + j] -=
      a[i * (n + 1) + k] / pivot->value * a[k * (n + 1) + j];
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  const int n = 48;
  std::vector<double> a(n * (n + 1)), result(a.size());
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      a[i * (n + 1) + j] = ((i * 31 + j * 17) % 23) - 11 + (i == j ? 0.5 : 0);
      a[i * (n + 1) + n] += a[i * (n + 1) + j] * (j + 1);
    }
  double *d;
  Pivot *pivot;
  CHECK(cudaMalloc(&d, a.size() * sizeof(double)));
  CHECK(cudaMalloc(&pivot, sizeof(Pivot)));
  const dim3 block(16, 8), grid((n + 16) / 16, (n + 7) / 8);
  for (int r = 0; r < rounds; ++r) {
    CHECK(cudaMemcpy(d, a.data(), a.size() * sizeof(double),
                     cudaMemcpyHostToDevice));
    for (int k = 0; k < n; ++k) {
      find<<<1, 128>>>(d, n, k, pivot);
      exchange<<<1, 64>>>(d, n, k, pivot);
      eliminate<<<grid, block>>>(d, n, k, pivot);
    }
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), d, a.size() * sizeof(double),
                   cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < n; ++i)
    ok &= std::fabs(result[i * (n + 1) + n] / result[i * (n + 1) + i] -
                    (i + 1)) < 1e-8;
  CHECK(cudaFree(d));
  CHECK(cudaFree(pivot));
  return verdict(ok);
}
