// Kernels that allocate: a list that one kernel makes, the next reads and a third
// frees; what is left when the heap is as small as the program wants it.
#include <cstdio>
#include <new>

struct Node {
  int value;
  Node *next;
  __device__ Node(int value, Node *next) : value(value), next(next) {}
};
__global__ void build(Node **lists, int count) {
  Node *list = nullptr;
  for (int i = 0; i < count; ++i)
    list = new Node(threadIdx.x + i, list);
  lists[blockIdx.x * blockDim.x + threadIdx.x] = list;
}
__global__ void sum(Node **lists, int *sums) {
  const int at = blockIdx.x * blockDim.x + threadIdx.x;
  int total = 0;
  for (const Node *n = lists[at]; n; n = n->next)
    total += n->value;
  sums[at] = total;
}
__global__ void drop(Node **lists) {
  Node *next;
  for (Node *n = lists[blockIdx.x * blockDim.x + threadIdx.x]; n; n = next) {
    next = n->next;
    delete n;
  }
}
// How many blocks of 64 KiB there are.
__global__ void fill(int *got) {
  void *first = nullptr;
  for (int i = 0; i < 10000; ++i) {
    void **p = (void **)malloc(65536);
    if (!p) {
      *got = i;
      break;
    }
    *p = first;
    first = p;
  }
  while (first) {
    void *next = *(void **)first;
    free(first);
    first = next;
  }
}
__global__ void twice() {
  void *p = malloc(4);
  free(p);
  free(p);
}

int main(int argc, char **argv) {
  const size_t megabytes = argc > 1 ? atoi(argv[1]) : 8;
  if (argc > 1)
    printf("set: %d\n", cudaDeviceSetLimit(cudaLimitMallocHeapSize, megabytes << 20));
  size_t limit;
  cudaDeviceGetLimit(&limit, cudaLimitMallocHeapSize);
  Node **lists;
  int *sums, *got;
  cudaMallocManaged(&lists, 64 * sizeof(Node *));
  cudaMallocManaged(&sums, 64 * sizeof(int));
  cudaMallocManaged(&got, sizeof(int));
  int wrong = 0;
  for (int round = 0; round < 3; ++round) {
    build<<<2, 32>>>(lists, 10);
    sum<<<2, 32>>>(lists, sums);
    drop<<<2, 32>>>(lists);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; ++i)
      wrong += sums[i] != 10 * (i % 32) + 45;
  }
  fill<<<1, 1>>>(got);
  cudaDeviceSynchronize();
  // Each block has some bytes more, and the lists have had theirs.
  const size_t most = (limit >> 16) - 1;
  printf("wrong: %d, limit: %zu, blocks: %s\n", wrong, limit >> 20,
         size_t(*got) <= most && size_t(*got) * 5 >= most * 4 - 5 ? "as many as fit" : "others");
  printf("set again: %d\n", cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
  if (argc > 2)
    return 0;
  twice<<<1, 1>>>();
  printf("twice: %d\n", cudaDeviceSynchronize());
}
