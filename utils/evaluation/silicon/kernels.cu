// Micro-benchmarks written from the descriptions in test/hw/silicon/README.md.

#include <cuda_runtime.h>

// One thread follows 64-bit pointers.
__global__ void chase(void **first, void **out, int groups) {
  void **p = first;
  for (int i = 0; i < groups; ++i) {
#pragma unroll
    for (int k = 0; k < 32; ++k)
      p = (void **)*p;
  }
  *out = p;
}

// One double per thread.
__global__ void init(double *a, const double *b, const double *c, const double *d, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = s;
}
__global__ void read(double *a, const double *b, const double *c, const double *d, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    double x = b[i];
    if (x == s) a[i] = x;
  }
}
__global__ void scale(double *a, const double *b, const double *c, const double *d, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = s * b[i];
}
__global__ void triad(double *a, const double *b, const double *c, const double *d, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = b[i] * d[i] + c[i];
}
__global__ void stencil3(double *a, const double *b, const double *c, const double *d, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1) a[i] = s * (b[i - 1] + b[i] + b[i + 1]);
}
__global__ void stencil5(double *a, const double *b, const double *c, const double *d, double s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 1 && i < n - 2) a[i] = s * (b[i - 2] + b[i - 1] + b[i] + b[i + 1] + b[i + 2]);
}

// Every block reads the same buffer, two streams half a buffer apart, each of
// `Steps` floats per thread. `step` is 0, which the compiler does not know.
template <int Block, int Steps>
__global__ void l1_read(const float *a, float *out, int step, int rounds) {
  const float *p = a + threadIdx.x, *q = p + Steps * Block;
  float sum = 0;
  for (int r = 0; r < rounds; ++r, p += step, q += step) {
#pragma unroll(Steps <= 64 ? Steps : 16)
    for (int k = 0; k < Steps; ++k)
      sum += p[k * Block] * q[k * Block];
  }
  if (sum == 1234.5f) out[threadIdx.x] = sum;
}

// A block of 1024 threads sums 64 doubles per thread of one of the chunks. The
// first `late` blocks begin somewhere in theirs, so that blocks then are at all
// places of their chunks, as they are after many waves.
__global__ void l2_read(const double *a, double *out, int chunks, int late) {
  const double *p = a + (size_t)(blockIdx.x % chunks) * 65536 + threadIdx.x;
  double sum = 0;
  if (blockIdx.x < late) {
    for (int k = blockIdx.x * 37 % 64; k < 64; ++k)
      sum += p[k * 1024];
  } else {
#pragma unroll
    for (int k = 0; k < 64; ++k)
      sum += p[k * 1024];
  }
  if (sum == 1234.5) out[threadIdx.x] = sum;
}

// Strided reads that stay in L1. `step` is 0 here too.
template <typename T>
__device__ void strides(const T *a, T *out, int stride, int step, int rounds) {
  const T *p = a + (threadIdx.x % 64) * stride;
  T sum = 0;
  for (int r = 0; r < rounds; ++r, p += step) {
#pragma unroll
    for (int k = 0; k < 32; k += 4)
      sum += p[k];
  }
  if (sum == T(1234.5)) out[threadIdx.x] = sum;
}
__global__ void strides_float(const float *a, float *out, int stride, int step, int rounds) {
  strides(a, out, stride, step, rounds);
}
__global__ void strides_double(const double *a, double *out, int stride, int step, int rounds) {
  strides(a, out, stride, step, rounds);
}

// Each thread walks pairs, two at a time, and does `inner` (a multiple of 8)
// dependent multiply-subtracts on each of the two.
__global__ void roofline(const float *a, const float *b, float *out, int pairs, int inner) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  float sum = 0;
  for (int k = 0; k < pairs; k += 2, i += 2 * step) {
    float x = a[i], y = b[i], z = a[i + step], w = b[i + step], u = x, v = z;
    for (int j = 0; j < inner; j += 8) {
#pragma unroll
      for (int q = 0; q < 8; ++q) {
        u = u * x - y;
        v = v * z - w;
      }
    }
    sum += u * y + v * w;
  }
  if (sum == 1234.5f) out[threadIdx.x] = sum;
}

__global__ void quarter(double *a, const double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = 0.25 * b[i];
}

#if __CUDA_ARCH__ >= 900
// A place in the shared memory of the block `ahead` ranks on holds its own
// address, which the first thread loads again and again.
__global__ void remote(int *out, int ahead, int loads) {
  __shared__ unsigned place;
  unsigned rank, ranks, at = (unsigned)__cvta_generic_to_shared(&place);
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(ranks));
  if (threadIdx.x == 0)
    asm volatile("{.reg .b32 a; mapa.shared::cluster.u32 a, %0, %1; st.shared.u32 [%0], a;}" ::"r"(at), "r"(rank) : "memory");
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  if (rank == 0 && threadIdx.x == 0) {
    asm volatile("mapa.shared::cluster.u32 %0, %0, %1;" : "+r"(at) : "r"(ahead % ranks));
    for (int i = 0; i < loads; i += 32)
#pragma unroll
      for (int j = 0; j < 32; ++j)
        asm volatile("ld.shared::cluster.u32 %0, [%0];" : "+r"(at)::"memory");
    out[0] = at;
  }
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
}
#endif
