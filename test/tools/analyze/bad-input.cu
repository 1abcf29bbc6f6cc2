// What analysis cannot see through is opaque and stops no other kernel.
// RUN: %heddle analyze %s | FileCheck %s

__device__ int depth(int n) { return n < 2 ? 1 : depth(n - 1) + depth(n - 2); }
__global__ void recursive(int *out, int n) {
  for (int i = 0; i < depth(n); ++i)
    out[i] = i;
}
__global__ void assembly(int *out, int n) {
  int m;
  asm volatile("mov.u32 %0, %1;" : "=r"(m) : "r"(n));
  for (int i = 0; i < m; ++i)
    out[i] = i;
}
__global__ void indirect(int (*f)(int), int *out) {
  for (int i = 0; i < f(i); ++i)
    out[i] = i;
}
__global__ void overflows(int *out) {
  for (unsigned long long i = 0; i < ~0ull; i += 2)
    out[i] = 1;
}
__global__ void fine(int *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = i;
}
// CHECK: recursive
// CHECK: assembly
// CHECK: L0: data, decided by asm()
// CHECK: overflows
// CHECK: fine
// CHECK: L0: max(n, 0) [scalar evolution]
