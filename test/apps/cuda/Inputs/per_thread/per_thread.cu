// Two threads, each with a default stream of its own: what it gives to the null
// stream waits for nothing of the other thread. A capture of the own stream
// shows that calls really are in it.
#include "../check.h"
#include <thread>
#include <vector>

__global__ void add(int *values, int n, int what) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    values[i] += what;
}

static void work(int what, bool *right) {
  const int n = 1000;
  std::vector<int> host(n, 1);
  int *values = nullptr;
  CHECK(cudaMalloc(&values, n * sizeof(int)));
  CHECK(cudaMemcpyAsync(values, host.data(), n * sizeof(int),
                        cudaMemcpyHostToDevice, 0));
  for (int i = 0; i < 5; ++i)
    add<<<(n + 127) / 128, 128>>>(values, n, what);
  CHECK(cudaMemcpy(host.data(), values, n * sizeof(int),
                   cudaMemcpyDeviceToHost));
  CHECK(cudaStreamSynchronize(0));
  for (int v : host)
    *right &= v == 1 + 5 * what;
  CHECK(cudaFree(values));
}

int main() {
  bool first = true, second = true, captured = true;
  std::thread a(work, 3, &first), b(work, 4, &second);
  a.join();
  b.join();
  // The legacy stream cannot be captured.
  int *values = nullptr;
  CHECK(cudaMalloc(&values, 100 * sizeof(int)));
  CHECK(cudaMemset(values, 0, 100 * sizeof(int)));
  cudaGraph_t graph;
  CHECK(cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal));
  add<<<1, 128>>>(values, 100, 7);
  CHECK(cudaStreamEndCapture(0, &graph));
  size_t nodes = 0;
  CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
  captured = nodes == 1;
  CHECK(cudaGraphDestroy(graph));
  CHECK(cudaFree(values));
  return verdict(first && second && captured);
}
