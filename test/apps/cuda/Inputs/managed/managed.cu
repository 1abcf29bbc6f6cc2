// Variables that host and device share, and a list in managed memory.
#include "../check.h"

__managed__ int counter;
__device__ __managed__ double factor = 2.5;
__managed__ float table[64];
__device__ int calls;

struct Node {
  int value;
  Node *next;
};

__global__ void fill() {
  atomicAdd(&counter, 1);
  table[threadIdx.x] = threadIdx.x * (float)factor;
  if (threadIdx.x == 0)
    ++calls;
}
__global__ void walk(const Node *node, long long *sum) {
  for (*sum = 0; node; node = node->next)
    *sum += node->value;
}

int main() {
  // Before any call of CUDA.
  bool ok = factor == 2.5 && counter == 0;
  counter = 5;
  for (int i = 0; i < 64; ++i)
    table[i] = -1;
  fill<<<1, 64>>>();
  CHECK(cudaDeviceSynchronize());
  ok &= counter == 69 && table[10] == 25.0f;
  factor = -1;
  fill<<<1, 64>>>();
  CHECK(cudaDeviceSynchronize());
  ok &= counter == 133 && table[63] == -63.0f;
  float copy[64];
  CHECK(cudaMemcpyFromSymbol(copy, table, sizeof(copy)));
  ok &= copy[63] == -63.0f;
  int host;
  CHECK(cudaMemcpyFromSymbol(&host, calls, sizeof(host)));
  ok &= host == 2;

  Node *head = nullptr;
  long long *sum;
  CHECK(cudaMallocManaged(&sum, sizeof(*sum)));
  for (int i = 0; i < 100; ++i) {
    Node *node;
    CHECK(cudaMallocManaged(&node, sizeof(*node)));
    node->value = i;
    node->next = head;
    head = node;
  }
  walk<<<1, 1>>>(head, sum);
  CHECK(cudaDeviceSynchronize());
  ok &= *sum == 4950;
  while (head) {
    Node *next = head->next;
    CHECK(cudaFree(head));
    head = next;
  }
  return verdict(ok);
}
