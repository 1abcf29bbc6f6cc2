// The source's own assumptions, and --assume, which goes before them.
// RUN: %heddle analyze %s | FileCheck %s
// RUN: %heddle analyze %s --assume 11=9 | FileCheck --check-prefix=GIVEN %s
// CHECK: L0: 40 [assumption]
// GIVEN: L0: 9 [assumption]
// CHECK: L1: max(n, 0)
__global__ void walk(const int *next, int *out, int n) {
  int p = threadIdx.x;
#pragma unroll
#pragma heddle iterations(40)
  while (p >= 0)
    p = next[p];
#pragma heddle iterations(3)
  for (int i = 0; i < n; ++i)
    out[i] = p;
}
