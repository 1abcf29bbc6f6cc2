// Heat on a plate: pitched memory, coefficients in constant memory, two buffers
// that swap roles, results every few steps. An argument says how many steps
// come before those that are checked.
#include "check.h"
#include <cmath>
#include <vector>

__constant__ float weights[3];

__global__ void step(const float *from, float *to, size_t pitch, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h)
    return;
  auto at = [&](int i, int j) {
    i = min(max(i, 0), w - 1);
    j = min(max(j, 0), h - 1);
    return ((const float *)((const char *)from + j * pitch))[i];
  };
  ((float *)((char *)to + y * pitch))[x] =
      weights[0] * at(x, y) + weights[1] * (at(x - 1, y) + at(x + 1, y)) +
      weights[2] * (at(x, y - 1) + at(x, y + 1));
}

int main(int argc, char **argv) {
  const int before = argc > 1 ? atoi(argv[1]) : 0;
  const int w = 70, h = 45, steps = 12;
  const float c[3] = {0.4f, 0.2f, 0.1f};
  std::vector<float> plate(w * h), got(w * h);
  for (int i = 0; i < w * h; ++i)
    plate[i] = i % 11;
  float *a, *b;
  size_t pitch;
  CHECK(cudaMallocPitch(&a, &pitch, w * sizeof(float), h));
  CHECK(cudaMallocPitch(&b, &pitch, w * sizeof(float), h));
  CHECK(cudaMemcpyToSymbol(weights, c, sizeof(c)));
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  for (int s = 0; s < before; ++s)
    step<<<grid, block>>>(s % 2 ? b : a, s % 2 ? a : b, pitch, w, h);
  CHECK(cudaMemcpy2D(a, pitch, plate.data(), w * sizeof(float),
                     w * sizeof(float), h, cudaMemcpyHostToDevice));
  bool ok = true;
  for (int s = 1; s <= steps; ++s) {
    step<<<grid, block>>>(a, b, pitch, w, h);
    std::swap(a, b);
    std::vector<float> next(w * h);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) {
        auto at = [&](int i, int j) {
          return plate[std::min(std::max(j, 0), h - 1) * w +
                       std::min(std::max(i, 0), w - 1)];
        };
        next[y * w + x] = c[0] * at(x, y) + c[1] * (at(x - 1, y) + at(x + 1, y)) +
                          c[2] * (at(x, y - 1) + at(x, y + 1));
      }
    plate = next;
    if (s % 4)
      continue;
    CHECK(cudaMemcpy2D(got.data(), w * sizeof(float), a, pitch,
                       w * sizeof(float), h, cudaMemcpyDeviceToHost));
    for (int i = 0; i < w * h; ++i)
      ok &= std::fabs(got[i] - plate[i]) < 1e-4f;
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  return verdict(ok);
}
