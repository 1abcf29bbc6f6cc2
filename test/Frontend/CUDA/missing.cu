// What a branch depends on is said in the source's words; an address that no load decides is computed.
// RUN: %heddle analyze %s 2>/dev/null | FileCheck %s
// CHECK-NOT: heddle.
// CHECK: missing.cu:[[#@LINE+11]] by data, may diverge: far_away(int) > n [data: far_away(int) at
// CHECK: missing.cu:[[#@LINE+7]] store 4 B global a: computed
// CHECK: load 4 B generic ?: computed
// CHECK-NOT: heddle.
extern __device__ int far_away(int);
extern __device__ int *far_memory(int);
__global__ void k(float *a, int n) {
  int *p = far_memory(n);
  a[far_away(threadIdx.x)] = 1;
  if (p[0] > 3)
    a[1] = 2;
  if (far_away(3) > n)
    a[3] = 4;
}
