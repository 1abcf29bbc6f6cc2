// Breadth-first search with queues that atomics fill; the host asks after each
// level how many vertices come next.
#include "../check.h"
#include <utility>
#include <vector>

__device__ int next_count;

__global__ void expand(const int *begin, const int *edges, int *depth,
                       const int *queue, int count, int *next, int level) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const int v = queue[i];
  for (int e = begin[v]; e < begin[v + 1]; ++e)
    if (atomicCAS(&depth[edges[e]], -1, level) == -1)
      next[atomicAdd(&next_count, 1)] = edges[e];
}

int main() {
  const int n = 3000;
  std::vector<int> begin{0}, edges, wanted(n, -1), depth(n);
  unsigned seed = 7;
  for (int v = 0; v < n; ++v) {
    seed = seed * 1664525u + 1013904223u;
    const int degree = 1 + (seed >> 30);
    for (int e = 0; e < degree; ++e) {
      seed = seed * 1664525u + 1013904223u;
      edges.push_back(e == 0 ? (v + 1) % n : int((seed >> 8) % n));
    }
    begin.push_back(int(edges.size()));
  }
  std::vector<int> queue{5};
  wanted[5] = 0;
  for (size_t i = 0; i < queue.size(); ++i)
    for (int e = begin[queue[i]]; e < begin[queue[i] + 1]; ++e)
      if (wanted[edges[e]] < 0) {
        wanted[edges[e]] = wanted[queue[i]] + 1;
        queue.push_back(edges[e]);
      }

  int *b, *e, *d, *now, *next;
  CHECK(cudaMalloc(&b, begin.size() * sizeof(int)));
  CHECK(cudaMalloc(&e, edges.size() * sizeof(int)));
  for (int **p : {&d, &now, &next})
    CHECK(cudaMalloc(p, n * sizeof(int)));
  CHECK(cudaMemcpy(b, begin.data(), begin.size() * sizeof(int),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(e, edges.data(), edges.size() * sizeof(int),
                   cudaMemcpyHostToDevice));
  CHECK(cudaMemset(d, 0xff, n * sizeof(int)));
  const int zero = 0, first = 5;
  CHECK(cudaMemcpy(d + first, &zero, sizeof(int), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(now, &first, sizeof(int), cudaMemcpyHostToDevice));
  int count = 1, levels = 0;
  while (count > 0) {
    CHECK(cudaMemcpyToSymbol(next_count, &zero, sizeof(int)));
    expand<<<(count + 63) / 64, 64>>>(b, e, d, now, count, next, ++levels);
    CHECK(cudaMemcpyFromSymbol(&count, next_count, sizeof(int)));
    std::swap(now, next);
  }
  CHECK(cudaMemcpy(depth.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost));
  for (int *p : {b, e, d, now, next})
    CHECK(cudaFree(p));
  return verdict(depth == wanted && levels > 3);
}
