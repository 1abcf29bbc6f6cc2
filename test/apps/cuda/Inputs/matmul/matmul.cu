// Matrix products in tiles of shared memory: the width of a tile is a template
// argument, and the largest one takes dynamic shared memory. An argument says
// how often.
#include "check.h"
#include <cmath>
#include <vector>

template <int Tile>
__global__ void multiply(const float *a, const float *b, float *c, int n) {
  extern __shared__ float tiles[];
  float *ta = tiles, *tb = tiles + Tile * Tile;
  const int row = blockIdx.y * Tile + threadIdx.y;
  const int column = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n; t += Tile) {
    ta[threadIdx.y * Tile + threadIdx.x] = a[row * n + t + threadIdx.x];
    tb[threadIdx.y * Tile + threadIdx.x] = b[(t + threadIdx.y) * n + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Tile; ++k)
      sum += ta[threadIdx.y * Tile + k] * tb[k * Tile + threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

template <int Tile> bool run(int n, int rounds) {
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = float(i % 7) - 3;
    b[i] = float(i % 5) - 2;
  }
  const size_t bytes = a.size() * sizeof(float);
  float *d[3];
  for (float *&p : d)
    CHECK(cudaMalloc(&p, bytes));
  CHECK(cudaMemcpy(d[0], a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(d[1], b.data(), bytes, cudaMemcpyHostToDevice));
  dim3 block(Tile, Tile), grid(n / Tile, n / Tile);
  for (int r = 0; r < rounds; ++r)
    multiply<Tile><<<grid, block, 2 * Tile * Tile * sizeof(float)>>>(
        d[0], d[1], d[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), d[2], bytes, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < n; i += 3)
    for (int j = 0; j < n; j += 5) {
      float sum = 0;
      for (int k = 0; k < n; ++k)
        sum += a[i * n + k] * b[k * n + j];
      ok &= std::fabs(sum - c[i * n + j]) < 1e-3f;
    }
  for (float *p : d)
    CHECK(cudaFree(p));
  return ok;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  printf("on %s, compute capability %d.%d\n", prop.name, prop.major,
         prop.minor);
  return verdict(run<8>(64, rounds) && run<16>(64, rounds) &&
                 run<32>(96, rounds));
}
