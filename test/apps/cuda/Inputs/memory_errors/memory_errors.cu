// Does wrong with device memory what programs do wrong; an argument says what.
#include "check.h"
#include <cstring>

__global__ void add(int *p) { p[threadIdx.x] += 1; }

static int *allocate(size_t n) {
  int *p;
  CHECK(cudaMalloc(&p, n * sizeof(int)));
  return p;
}
static bool gives(cudaError_t got, cudaError_t expected) {
  printf("%s\n", cudaGetErrorName(got));
  return got == expected;
}

static bool leak() {
  int *kept = allocate(1000), *freed = allocate(500), *shared;
  CHECK(cudaMallocManaged(&shared, 64 * sizeof(int)));
  shared[0] = 1; // the host's as well
  add<<<1, 32>>>(kept);
  CHECK(cudaFree(freed));
  return true;
}
static bool twice() {
  int *first = allocate(1000), *second = allocate(10);
  CHECK(cudaFree(first));
  bool ok = gives(cudaFree(first), cudaErrorInvalidValue);
  CHECK(cudaFree(second));
  return ok;
}
static bool late(size_t n) {
  int *p = allocate(n);
  CHECK(cudaFree(p));
  add<<<1, 32>>>(p);
  return gives(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
}
static bool write() {
  int *p = allocate(100);
  int *host = p + 3;
  *host = 7;
  return gives(cudaFree(p), cudaErrorIllegalAddress);
}
static bool read() {
  int *p = allocate(100), to[100];
  memcpy(to, p, sizeof(to));
  for (int i = 0; i < 3; ++i) // told once
    to[0] += ((volatile int *)p)[i];
  return gives(cudaGetLastError(), cudaErrorIllegalAddress) && to[0] == 0;
}

int main(int, char **argv) {
  const char *what = argv[1];
  if (!strcmp(what, "leak"))
    return verdict(leak());
  if (!strcmp(what, "twice"))
    return verdict(twice());
  if (!strcmp(what, "late"))
    return verdict(late(2000));
  if (!strcmp(what, "small"))
    return verdict(late(100));
  return verdict(!strcmp(what, "write") ? write() : read());
}
