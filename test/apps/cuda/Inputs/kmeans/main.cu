#include "check.h"
#include "kmeans.h"
#include <cmath>
#include <vector>

using kmeans::Clusters;

int main() {
  const int n = 6000;
  std::vector<float2> points(n), centres(Clusters), wanted;
  for (int i = 0; i < n; ++i) {
    const int group = i % Clusters;
    points[i] = make_float2(float(group * 640 + (i * 37) % 256) / 64,
                            float((group % 3) * 512 + (i * 53) % 256) / 64);
  }
  for (int c = 0; c < Clusters; ++c)
    centres[c] = points[c * 7 + c];
  wanted = centres;

  cudaStream_t stream;
  float2 *p, *at;
  int *nearest;
  kmeans::Sums *sums;
  float *moved;
  CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&p, n * sizeof(float2)));
  CHECK(cudaMalloc(&at, Clusters * sizeof(float2)));
  CHECK(cudaMalloc(&nearest, n * sizeof(int)));
  CHECK(cudaMalloc(&sums, sizeof(kmeans::Sums)));
  CHECK(cudaMallocHost(&moved, sizeof(float)));
  CHECK(cudaMemcpyAsync(p, points.data(), n * sizeof(float2),
                        cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(at, centres.data(), Clusters * sizeof(float2),
                        cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemsetAsync(sums, 0, sizeof(kmeans::Sums), stream));
  int rounds = 0;
  do {
    kmeans::assign(p, n, at, nearest, sums, stream);
    kmeans::update(sums, at, moved, stream);
    CHECK(cudaStreamSynchronize(stream));
  } while (*moved > 1e-3f && ++rounds < 30);
  CHECK(cudaMemcpy(centres.data(), at, Clusters * sizeof(float2),
                   cudaMemcpyDeviceToHost));

  for (int round = 0; round <= rounds; ++round) {
    std::vector<double> x(Clusters), y(Clusters);
    std::vector<int> count(Clusters);
    for (const float2 &q : points) {
      int best = 0;
      float least = 3.4e38f;
      for (int c = 0; c < Clusters; ++c) {
        const float dx = q.x - wanted[c].x, dy = q.y - wanted[c].y;
        const float d = dx * dx + dy * dy;
        if (d < least) {
          least = d;
          best = c;
        }
      }
      x[best] += q.x;
      y[best] += q.y;
      ++count[best];
    }
    for (int c = 0; c < Clusters; ++c)
      if (count[c])
        wanted[c] = make_float2(float(x[c] / count[c]), float(y[c] / count[c]));
  }
  bool ok = rounds > 0;
  for (int c = 0; c < Clusters; ++c)
    ok &= std::fabs(centres[c].x - wanted[c].x) < 1e-3f &&
          std::fabs(centres[c].y - wanted[c].y) < 1e-3f;
  for (void *q : {(void *)p, (void *)at, (void *)nearest, (void *)sums})
    CHECK(cudaFree(q));
  CHECK(cudaFreeHost(moved));
  CHECK(cudaStreamDestroy(stream));
  return verdict(ok);
}
