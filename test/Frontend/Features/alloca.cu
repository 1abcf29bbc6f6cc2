// RUN: %frontends --test %s
// FEATURE: alloca() of a size known at run time
// LAUNCH: --grid 1 --block 4 --arg n:i32[4]=iota --arg o:i32[4] --dump o
// EXPECT: o (i32[4]): 5 5 55 155
__device__ int differences(int n) {
  int *v = (int *)alloca(n * sizeof(int));
  for (int i = 0; i < n; ++i)
    v[i] = i * i;
  int sum = 0;
  for (int i = n - 1; i >= 0; --i)
    sum += v[i] * (i % 2 ? 1 : -1);
  return sum;
}
__global__ void k(const int *n, int *o) {
  int count = n[threadIdx.x];
  int *w = (int *)__builtin_alloca(count * 4 + 4);
  w[count] = 5;
  int total = 0;
  // Each call gives back what it took.
  for (int round = 0; round < 50; ++round)
    total += differences(count);
  o[threadIdx.x] = count == 3 ? total + w[count] + 300 : total + w[count];
}
