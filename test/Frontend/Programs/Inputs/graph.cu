// graph style
#include <list>
#include <queue>
#include <string>
#include <fstream>
#include <climits>
typedef unsigned long long int LLI;
struct Edge {
  int src, dst;
  unsigned w;
};
template <typename V, typename E> class CSR {
public:
  V n;
  E *off;
  V *adj;
  __host__ __device__ E deg(V v) const { return off[v + 1] - off[v]; }
  __device__ V nbr(V v, E e) const { return adj[off[v] + e]; }
};
template <typename T> struct WL {
  T *q;
  int *tail;
  __device__ int push(T x) {
    int i = atomicAdd(tail, 1);
    q[i] = x;
    return i;
  }
  __device__ __forceinline__ int push_warp(T x) {
    unsigned m = __activemask();
    int lead = __ffs(m) - 1, lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    int base;
    if (lane == lead)
      base = atomicAdd(tail, __popc(m));
    base = __shfl_sync(m, base, lead);
    int i = base + __popc(m & ((1u << lane) - 1));
    q[i] = x;
    return i;
  }
};
__global__ void bfs(CSR<int, int> g, int *dist, WL<int> in, WL<int> out,
                    int level) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < *in.tail;
       i += gridDim.x * blockDim.x) {
    int v = in.q[i];
    for (int e = 0; e < g.deg(v); e++) {
      int u = g.nbr(v, e);
      if (atomicCAS(&dist[u], INT_MAX, level) == INT_MAX)
        out.push_warp(u);
    }
  }
}
__global__ void sssp(const CSR<unsigned, LLI> g, unsigned *d, bool *changed) {
  unsigned v = blockIdx.x * blockDim.x + threadIdx.x;
  if (v >= g.n)
    return;
  for (LLI e = 0; e < g.deg(v); ++e) {
    if (atomicMin(&d[g.nbr(v, e)], d[v] + 1) > d[v] + 1)
      *changed = true;
  }
}
__device__ volatile int mutex = 0;
__global__ void lock(int *c) {
  if (threadIdx.x == 0) {
    while (atomicCAS((int *)&mutex, 0, 1) != 0)
      ;
    (*c)++;
    __threadfence();
    atomicExch((int *)&mutex, 0);
  }
}
int main(int argc, char *argv[]) {
  std::ifstream f(argv[1]);
  std::queue<int> q;
  CSR<int, int> g;
  WL<int> w;
  bfs<<<1, 1>>>(g, 0, w, w, 0);
}
