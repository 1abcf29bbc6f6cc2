// Divisions by one value, in one block and in a loop that keeps it.
extern "C" __global__ void twice(const int *a, int *c, int n) {
  int i = threadIdx.x;
  c[i] = a[i] / n;
  c[i + 32] = a[i + 64] / n;
}

extern "C" __global__ void kept(const unsigned *a, unsigned *c, unsigned n,
                                int m) {
  unsigned s = 0;
#pragma unroll 1
  for (int k = 0; k < m; ++k)
    s += a[k] / n;
  c[threadIdx.x] = s;
}

extern "C" __global__ void changed(const unsigned *a, unsigned *c, unsigned n,
                                   int m) {
  unsigned s = 7;
#pragma unroll 1
  for (int k = 0; k < m; ++k)
    s += n / (s | a[k]);
  c[threadIdx.x] = s;
}

extern "C" __global__ void again(const int *a, int *c, int n, int m) {
  int s = 0;
#pragma unroll 1
  for (int k = 0; k < m; ++k)
    s += a[k] % n + a[k + 100] % n + a[k + 200] % n;
  c[threadIdx.x] = s;
}

extern "C" __global__ void waits(const float *a, float *c) {
  int i = threadIdx.x;
  c[i] = a[i] / a[i + 32];
}
