// Global alignment of two sequences by tiles along the diagonals of the score
// matrix; the size of a tile is dynamic shared memory.
#include "../check.h"
#include <algorithm>
#include <string>
#include <vector>

constexpr int Gap = -2, Match = 3, Mismatch = -1;

__global__ void diagonal(const char *a, const char *b, int *score, int columns,
                         int tile, int first, int sum) {
  extern __shared__ int s[]; // (tile + 1) rows of (tile + 1)
  const int by = first + blockIdx.x, bx = sum - by, t = threadIdx.x;
  const int row = by * tile, column = bx * tile, w = tile + 1;
  if (t == 0)
    s[0] = score[row * columns + column];
  s[(t + 1) * w] = score[(row + t + 1) * columns + column];
  s[t + 1] = score[row * columns + column + t + 1];
  __syncthreads();
  for (int step = 0; step < 2 * tile - 1; ++step) {
    const int i = t + 1, j = step - t + 1;
    if (j >= 1 && j <= tile) {
      const int same = a[row + t] == b[column + j - 1] ? Match : Mismatch;
      s[i * w + j] = max(s[(i - 1) * w + j - 1] + same,
                         max(s[(i - 1) * w + j], s[i * w + j - 1]) + Gap);
    }
    __syncthreads();
  }
  for (int j = 1; j <= tile; ++j)
    score[(row + t + 1) * columns + column + j] = s[(t + 1) * w + j];
}

static std::string sequence(int n, unsigned seed) {
  std::string text;
  for (int i = 0; i < n; ++i) {
    seed = seed * 1664525u + 1013904223u;
    text += "ACGT"[seed >> 30];
  }
  return text;
}

int main() {
  const int n = 256, tile = 32, columns = n + 1, tiles = n / tile;
  const std::string a = sequence(n, 1), b = sequence(n, 2);
  std::vector<int> score(columns * columns), wanted;
  for (int i = 0; i <= n; ++i)
    score[i] = score[i * columns] = i * Gap;
  wanted = score;
  for (int i = 1; i <= n; ++i)
    for (int j = 1; j <= n; ++j)
      wanted[i * columns + j] =
          std::max({wanted[(i - 1) * columns + j - 1] +
                        (a[i - 1] == b[j - 1] ? Match : Mismatch),
                    wanted[(i - 1) * columns + j] + Gap,
                    wanted[i * columns + j - 1] + Gap});
  char *da, *db;
  int *ds;
  CHECK(cudaMalloc(&da, n));
  CHECK(cudaMalloc(&db, n));
  CHECK(cudaMalloc(&ds, score.size() * sizeof(int)));
  CHECK(cudaMemcpy(da, a.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(db, b.data(), n, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(ds, score.data(), score.size() * sizeof(int),
                   cudaMemcpyHostToDevice));
  for (int sum = 0; sum < 2 * tiles - 1; ++sum) {
    const int first = std::max(0, sum - tiles + 1);
    const int last = std::min(sum, tiles - 1);
    diagonal<<<last - first + 1, tile, (tile + 1) * (tile + 1) * sizeof(int)>>>(
        da, db, ds, columns, tile, first, sum);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(score.data(), ds, score.size() * sizeof(int),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaFree(da));
  CHECK(cudaFree(db));
  CHECK(cudaFree(ds));
  printf("score %d\n", score.back());
  return verdict(score == wanted);
}
