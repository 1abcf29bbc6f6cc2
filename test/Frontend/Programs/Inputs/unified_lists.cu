// Managed memory, linked structures, a base class with managed new, errors by
// goto, a device-side queue.
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>
class Managed {
public:
  void *operator new(size_t len) { void *ptr; cudaMallocManaged(&ptr, len); cudaDeviceSynchronize(); return ptr; }
  void operator delete(void *ptr) { cudaDeviceSynchronize(); cudaFree(ptr); }
};
struct Element : Managed { Element *next; int key; float value[4]; };
struct Queue { int *items; unsigned head, tail, capacity;
  __device__ bool push(int v) { unsigned at = atomicAdd(&tail, 1u); if (at >= capacity) return false; items[at] = v; return true; }
  __device__ int pop() { unsigned at = atomicAdd(&head, 1u); return at < tail ? items[at] : -1; } };
__managed__ int total;
__device__ __managed__ float scale = 1.5f;
__global__ void walk(Element *e, Queue *q) {
  for (; e; e = e->next) { if (e->key & 1) q->push(e->key); total += e->key; e->value[threadIdx.x & 3] *= scale; }
}
__global__ void drain(Queue q, int *out) { for (int v; (v = q.pop()) >= 0;) out[threadIdx.x] += v; }
__global__ void persistent(volatile int *flag, int *work) { while (*flag == 0) { __threadfence_system(); if (atomicCAS(work, 1, 2) == 1) break; __nanosleep(100); } }
int main() {
  cudaError_t err;
  Element *list = new Element;
  int device = -1;
  if ((err = cudaGetDevice(&device)) != cudaSuccess) goto fail;
  cudaMemAdvise(list, sizeof *list, cudaMemAdviseSetReadMostly, device);
  cudaMemPrefetchAsync(list, sizeof *list, device, NULL);
  walk<<<1, 1>>>(list, nullptr);
  drain<<<1, 32>>>(Queue{}, nullptr);
  persistent<<<1, 1>>>(nullptr, nullptr);
  std::cout << total << std::endl;
fail:
  delete list;
  return err;
}
