// A linked structure in managed memory that host and device build and walk: its
// pointers lie in memory, not among the arguments.
#include "check.h"

struct Node {
  int value;
  Node *next;
};

__global__ void walk(Node *const *heads, int *sums, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int sum = 0;
  for (Node *p = heads[i]; p; p = p->next) {
    sum += p->value;
    p->value += 1;
  }
  sums[i] = sum;
}

int main() {
  const int lists = 50, length = 9;
  Node **heads, *nodes;
  int *sums;
  CHECK(cudaMallocManaged(&heads, lists * sizeof(Node *)));
  CHECK(cudaMallocManaged(&nodes, lists * length * sizeof(Node)));
  CHECK(cudaMallocManaged(&sums, lists * sizeof(int)));
  for (int l = 0; l < lists; ++l) {
    heads[l] = nullptr;
    for (int k = 0; k < length; ++k) {
      Node *n = &nodes[(k * 37 + l * 11) % length * lists + l];
      *n = Node{l + k, heads[l]};
      heads[l] = n;
    }
  }
  bool ok = true;
  for (int round = 0; round < 3; ++round) {
    walk<<<2, 32>>>(heads, sums, lists);
    CHECK(cudaDeviceSynchronize());
    for (int l = 0; l < lists; ++l) {
      int sum = 0, k = 0;
      for (Node *p = heads[l]; p; p = p->next, ++k)
        sum += p->value - 1;
      ok &= k == length && sum == sums[l];
      heads[l]->value += 100; // the host writes, the device reads
    }
  }
  CHECK(cudaFree(heads));
  CHECK(cudaFree(nodes));
  CHECK(cudaFree(sums));
  return verdict(ok);
}
