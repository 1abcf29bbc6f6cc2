// A separable filter over an image: weights in constant memory, rows and
// columns through shared memory with their borders. An argument says how often
// the image is filtered.
#include "../check.h"
#include <cmath>
#include <vector>

constexpr int Radius = 4, BlockX = 32, BlockY = 8;
__constant__ float weights[2 * Radius + 1];

__global__ void rows(const float *in, float *out, int width, int height) {
  __shared__ float line[BlockY][BlockX + 2 * Radius];
  const int x = blockIdx.x * BlockX + threadIdx.x;
  const int y = blockIdx.y * BlockY + threadIdx.y;
  for (int i = threadIdx.x; i < BlockX + 2 * Radius; i += BlockX) {
    const int from = blockIdx.x * BlockX + i - Radius;
    line[threadIdx.y][i] =
        y < height && from >= 0 && from < width ? in[y * width + from] : 0;
  }
  __syncthreads();
  if (x >= width || y >= height)
    return;
  float sum = 0;
#pragma unroll
  for (int i = -Radius; i <= Radius; ++i)
    sum += weights[Radius + i] * line[threadIdx.y][threadIdx.x + Radius + i];
  out[y * width + x] = sum;
}

__global__ void columns(const float *in, float *out, int width, int height) {
  __shared__ float tile[BlockY + 2 * Radius][BlockX];
  const int x = blockIdx.x * BlockX + threadIdx.x;
  const int y = blockIdx.y * BlockY + threadIdx.y;
  for (int i = threadIdx.y; i < BlockY + 2 * Radius; i += BlockY) {
    const int from = blockIdx.y * BlockY + i - Radius;
    tile[i][threadIdx.x] =
        x < width && from >= 0 && from < height ? in[from * width + x] : 0;
  }
  __syncthreads();
  if (x >= width || y >= height)
    return;
  float sum = 0;
#pragma unroll
  for (int i = -Radius; i <= Radius; ++i)
    sum += weights[Radius + i] * tile[threadIdx.y + Radius + i][threadIdx.x];
  out[y * width + x] = sum;
}

int main(int argc, char **argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 1;
  const int width = 150, height = 70;
  const size_t bytes = width * height * sizeof(float);
  std::vector<float> image(width * height), result(width * height), middle,
      wanted;
  std::vector<float> w(2 * Radius + 1);
  for (int i = -Radius; i <= Radius; ++i)
    w[Radius + i] = std::exp(-0.2f * i * i);
  for (int i = 0; i < width * height; ++i)
    image[i] = float((i * 37) % 256);
  middle = wanted = image;
  auto pass = [&](const std::vector<float> &in, std::vector<float> &out, int dx,
                  int dy) {
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        float sum = 0;
        for (int i = -Radius; i <= Radius; ++i) {
          const int a = x + i * dx, b = y + i * dy;
          if (a >= 0 && a < width && b >= 0 && b < height)
            sum += w[Radius + i] * in[b * width + a];
        }
        out[y * width + x] = sum;
      }
  };
  pass(image, middle, 1, 0);
  pass(middle, wanted, 0, 1);
  float *a, *b, *c;
  CHECK(cudaMemcpyToSymbol(weights, w.data(), w.size() * sizeof(float)));
  CHECK(cudaMalloc(&a, bytes));
  CHECK(cudaMalloc(&b, bytes));
  CHECK(cudaMalloc(&c, bytes));
  CHECK(cudaMemcpy(a, image.data(), bytes, cudaMemcpyHostToDevice));
  const dim3 block(BlockX, BlockY), grid((width + BlockX - 1) / BlockX,
                                         (height + BlockY - 1) / BlockY);
  for (int r = 0; r < rounds; ++r) {
    rows<<<grid, block>>>(a, b, width, height);
    columns<<<grid, block>>>(b, c, width, height);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(result.data(), c, bytes, cudaMemcpyDeviceToHost));
  bool ok = true;
  for (int i = 0; i < width * height; ++i)
    ok &= std::fabs(result[i] - wanted[i]) <= 1e-5f * std::fabs(wanted[i]);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(c));
  return verdict(ok);
}
