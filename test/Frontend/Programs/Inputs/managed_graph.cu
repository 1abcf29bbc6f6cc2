#include <cuda_runtime.h>
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda/atomic>
#include <nvtx3/nvToolsExt.h>
#include <new>
#include <memory>
#include <string>
namespace cg = cooperative_groups;
class Managed {
public:
  void *operator new(size_t n) { void *p; cudaMallocManaged(&p, n); return p; }
  void operator delete(void *p) { cudaFree(p); }
};
struct Node : Managed {
  Node *next[2] = {nullptr, nullptr};
  int key;
  virtual __host__ __device__ int cost() const { return key; }
  __host__ __device__ virtual ~Node() {}
};
struct Heavy final : Node { __host__ __device__ int cost() const override { return 2 * key; } };
__device__ __managed__ int visited = 0, frontier[1024];
__device__ unsigned long long counter;
__managed__ float grid_sum;
__global__ void bfs(Node **nodes, int n, cuda::atomic<int, cuda::thread_scope_device> *head) {
  cg::grid_group g = cg::this_grid();
  for (int level = 0; level < 4; ++level) {
    for (int i = g.thread_rank(); i < n; i += g.size()) {
      auto active = cg::coalesced_threads();
      int c = nodes[i]->cost();
      int off = cg::exclusive_scan(active, c & 1);
      int base = 0;
      if (active.thread_rank() == active.size() - 1) base = head->fetch_add(off + (c & 1));
      base = active.shfl(base, active.size() - 1);
      if (c & 1) frontier[(base + off) & 1023] = i;
    }
    g.sync();
    if (g.thread_rank() == 0) visited += head->load(cuda::memory_order_acquire);
    cg::sync(g);
  }
}
int main() {
  auto *h = new Heavy;
  int blocks = 0;
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bfs, 128, 0);
  Node **nodes; int n = 1; void *head = nullptr;
  void *args[] = {&nodes, &n, &head};
  cudaLaunchCooperativeKernel((void *)bfs, dim3(blocks), dim3(128), args, 0, 0);
  cudaGraph_t graph; cudaGraphExec_t exec; cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  cudaStreamEndCapture(s, &graph);
  cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  cudaGraphLaunch(exec, s);
  cudaLaunchHostFunc(s, [](void *) {}, nullptr);
  cudaMemPrefetchAsync(h, sizeof *h, 0, s);
  cudaMemAdvise(h, sizeof *h, cudaMemAdviseSetReadMostly, 0);
  delete h;
}
