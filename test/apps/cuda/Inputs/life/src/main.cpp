// The game of life: host code in C++, device code in two separately compiled
// files, one of them in a library.
#include "step.h"

#include "check.h"
#include <utility>
#include <vector>

int main() {
  const int n = CELLS, steps = 24;
  std::vector<unsigned char> cells(n * n), wanted, old;
  for (int i = 0; i < n * n; ++i)
    cells[i] = (unsigned(i) * 2654435761u >> 29) < 3;
  wanted = cells;
  for (int s = 0; s < steps; ++s) {
    old = wanted;
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x) {
        int around = -old[y * n + x];
        for (int dy = -1; dy <= 1; ++dy)
          for (int dx = -1; dx <= 1; ++dx)
            around += old[(y + dy + n) % n * n + (x + dx + n) % n];
        wanted[y * n + x] =
            around == 3 || (around == 2 && old[y * n + x]) ? 1 : 0;
      }
  }
  void *a = nullptr, *b = nullptr;
  CHECK(cudaMalloc(&a, cells.size()));
  CHECK(cudaMalloc(&b, cells.size()));
  CHECK(cudaMemcpy(a, cells.data(), cells.size(), cudaMemcpyHostToDevice));
  for (int s = 0; s < steps; ++s) {
    step(static_cast<unsigned char *>(a), static_cast<unsigned char *>(b));
    std::swap(a, b);
  }
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(cells.data(), a, cells.size(), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  return verdict(cells == wanted);
}
