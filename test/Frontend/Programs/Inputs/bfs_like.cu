// C with structs of arrays, kernels in an order of their own, files read by hand.
#include <cuda.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAX_THREADS_PER_BLOCK 512
int no_of_nodes;
int edge_list_size;
FILE *fp;
struct Node {
  int starting;
  int no_of_edges;
};
typedef struct { struct Node *nodes; bool *mask, *visited; int *cost; } graph_t;
extern "C" {
__global__ void visit(struct Node *g_nodes, int *g_edges, bool *g_mask, bool *g_next, bool *g_seen, int *g_cost, int n) {
  int tid = blockIdx.x * MAX_THREADS_PER_BLOCK + threadIdx.x;
  if (tid < n && g_mask[tid]) {
    g_mask[tid] = false;
    for (int i = g_nodes[tid].starting; i < (g_nodes[tid].no_of_edges + g_nodes[tid].starting); i++) {
      int id = g_edges[i];
      if (!g_seen[id]) {
        g_cost[id] = g_cost[tid] + 1;
        g_next[id] = true;
      }
    }
  }
}
}
__global__ void step(graph_t g, bool *g_next, bool *over) {
  unsigned tid = blockIdx.x * blockDim.x + threadIdx.x;
  if (g_next[tid]) {
    g.mask[tid] = g.visited[tid] = true;
    *over = true;
    g_next[tid] = false;
  }
}
void usage(int argc, char **argv) { fprintf(stderr, "Usage: %s <input_file>\n", argv[0]); }
int main(int argc, char **argv) {
  no_of_nodes = edge_list_size = 0;
  if (argc != 2) {
    usage(argc, argv);
    exit(0);
  }
  fp = fopen(argv[1], "r");
  fscanf(fp, "%d", &no_of_nodes);
  struct Node *h = (Node *)malloc(sizeof(Node) * no_of_nodes), *d;
  cudaMalloc((void **)&d, sizeof(Node) * no_of_nodes);
  cudaMemcpy(d, h, sizeof(Node) * no_of_nodes, cudaMemcpyHostToDevice);
  dim3 grid(4, 1, 1), threads(MAX_THREADS_PER_BLOCK, 1, 1);
  bool stop, *d_over;
  do {
    stop = false;
    visit<<<grid, threads, 0>>>(d, NULL, NULL, NULL, NULL, NULL, no_of_nodes);
    step<<<grid, threads, 0>>>((graph_t){d}, NULL, d_over);
    cudaThreadSynchronize();
    cudaError_t e = cudaGetLastError();
    if (e) printf("%s", cudaGetErrorString(e));
  } while (stop);
}
