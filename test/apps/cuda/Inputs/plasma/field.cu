#include "plasma.h"

__device__ float2 forceAt(const float2 *force, const Cloud &c) {
  float2 f = {0, 0};
  for (int k = 0; k < 4; ++k) {
    f.x += c.share[k] * force[c.cell[k]].x;
    f.y += c.share[k] * force[c.cell[k]].y;
  }
  return f;
}

/// One sweep of Jacobi's method for the potential of \p density, whose mean
/// the ions cancel; a block has its square and a frame around it.
template <int Tile>
__global__ void sweep(const float *density, const float *from, float *to,
                      float mean) {
  __shared__ float own[Tile + 2][Tile + 2];
  const int x0 = blockIdx.x * Tile - 1, y0 = blockIdx.y * Tile - 1;
  for (int k = threadIdx.y * Tile + threadIdx.x; k < (Tile + 2) * (Tile + 2);
       k += Tile * Tile)
    own[k / (Tile + 2)][k % (Tile + 2)] =
        from[cellOf(x0 + k % (Tile + 2), y0 + k / (Tile + 2))];
  __syncthreads();
  const int x = threadIdx.x + 1, y = threadIdx.y + 1;
  const int cell = cellOf(x0 + x, y0 + y);
  to[cell] = 0.25f * (own[y][x - 1] + own[y][x + 1] + own[y - 1][x] +
                      own[y + 1][x] + density[cell] - mean);
}

__global__ void gradient(const float *potential, float2 *force) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  force[cellOf(x, y)] = {
      0.5f * (potential[cellOf(x + 1, y)] - potential[cellOf(x - 1, y)]),
      0.5f * (potential[cellOf(x, y + 1)] - potential[cellOf(x, y - 1)])};
}

__global__ void sum(const float *values, float *total) {
  float own = 0;
  for (int i = threadIdx.x; i < Cells; i += blockDim.x)
    own += values[i];
  for (int d = 16; d; d /= 2)
    own += __shfl_xor_sync(~0u, own, d);
  if (threadIdx.x % 32 == 0)
    atomicAdd(total, own);
}

void relax(const float *density, Buffer<float> &potential,
           Buffer<float> &other, int sweeps, cudaStream_t s) {
  static Buffer<float> total(1);
  float mean = 0;
  CHECK(cudaMemsetAsync(total, 0, sizeof(float), s));
  sum<<<1, 128, 0, s>>>(density, total);
  total.get(&mean, s);
  for (int k = 0; k < sweeps; ++k) {
    sweep<16><<<dim3(Side / 16, Side / 16), dim3(16, 16), 0, s>>>(
        density, potential, other, mean / Cells);
    potential.swap(other);
  }
  CHECK(cudaGetLastError());
}
void differentiate(const float *potential, float2 *force, cudaStream_t s) {
  gradient<<<dim3(1, Side), Side, 0, s>>>(potential, force);
  CHECK(cudaGetLastError());
}
