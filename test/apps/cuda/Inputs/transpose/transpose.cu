// Four ways to transpose a matrix, as templates over tile and padding, timed
// with events; all must give the same. An argument says how often.
#include "../check.h"
#include <vector>

template <int Tile>
__global__ void naive(const float *in, float *out, int width, int height) {
  const int x = blockIdx.x * Tile + threadIdx.x;
  for (int y = blockIdx.y * Tile + threadIdx.y;
       y < min((int)(blockIdx.y + 1) * Tile, height); y += blockDim.y)
    if (x < width)
      out[x * height + y] = in[y * width + x];
}

template <int Tile, int Pad>
__global__ void tiled(const float *in, float *out, int width, int height) {
  __shared__ float tile[Tile][Tile + Pad];
  int x = blockIdx.x * Tile + threadIdx.x, y0 = blockIdx.y * Tile;
  for (int j = threadIdx.y; j < Tile; j += blockDim.y)
    if (x < width && y0 + j < height)
      tile[j][threadIdx.x] = in[(y0 + j) * width + x];
  __syncthreads();
  x = blockIdx.y * Tile + threadIdx.x;
  y0 = blockIdx.x * Tile;
  for (int j = threadIdx.y; j < Tile; j += blockDim.y)
    if (x < height && y0 + j < width)
      out[(y0 + j) * height + x] = tile[threadIdx.x][j];
}

using Kernel = void (*)(const float *, float *, int, int);

static bool run(const char *name, Kernel kernel, int tile, const float *in,
                float *out, int width, int height,
                const std::vector<float> &wanted, int rounds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  const dim3 block(tile, 8), grid((width + tile - 1) / tile,
                                  (height + tile - 1) / tile);
  CHECK(cudaMemset(out, 0, wanted.size() * sizeof(float)));
  CHECK(cudaEventRecord(start));
  for (int r = 0; r < rounds; ++r)
    kernel<<<grid, block>>>(in, out, width, height);
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  float ms = -1;
  CHECK(cudaEventElapsedTime(&ms, start, stop));
  std::vector<float> result(wanted.size());
  CHECK(cudaMemcpy(result.data(), out, wanted.size() * sizeof(float),
                   cudaMemcpyDeviceToHost));
  printf("%-12s %s\n", name, ms >= 0 ? "timed" : "no time");
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return result == wanted && ms >= 0;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  const int width = 200, height = 136;
  std::vector<float> in(width * height), wanted(width * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      wanted[x * height + y] = in[y * width + x] = float(y * 1000 + x);
  float *a, *b;
  CHECK(cudaMalloc(&a, in.size() * sizeof(float)));
  CHECK(cudaMalloc(&b, in.size() * sizeof(float)));
  CHECK(cudaMemcpy(a, in.data(), in.size() * sizeof(float),
                   cudaMemcpyHostToDevice));
  bool ok = run("naive", naive<32>, 32, a, b, width, height, wanted, rounds);
  ok &= run("tiled", tiled<32, 0>, 32, a, b, width, height, wanted, rounds);
  ok &= run("padded", tiled<32, 1>, 32, a, b, width, height, wanted, rounds);
  ok &= run("small", tiled<16, 1>, 16, a, b, width, height, wanted, rounds);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  return verdict(ok);
}
