// Opcodes whose clones once were no PTX: frames of a thread's own memory,
// reductions of a barrier, matches, active masks, functions that take or return
// integers, halves, and blocks that end in a test for what never happens.
#include <cuda_fp16.h>
#include <mma.h>

__global__ void odd(const unsigned *in, const double *scale, float *out,
                    const __half2 *halves, int n) {
  unsigned own[12];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 12; ++k)
    own[k] = in[(i + k) % n];
  unsigned at = in[i % n] % 12;
  unsigned sum = own[at] + own[(at + i) % 12];
  if (sum & 1)
    sum += __activemask();
  sum += __match_any_sync(0xffffffffu, sum & 3);
  sum += __syncthreads_count(sum & 1);
  sum += __syncthreads_or(sum == 7) + __syncthreads_and(sum != 9);
  double x = ldexp(scale[i % n], int(sum & 7)) + ilogb(scale[i % n]);
  out[i] = float(x) + __low2float(halves[i % n]) + __high2float(halves[i % n]);
  if (at == 77)
    return;
  out[i] += sum;
}

__global__ void product(const half *a, const half *b, float *c) {
  using namespace nvcuda::wmma;
  fragment<matrix_a, 16, 16, 16, half, row_major> x;
  fragment<matrix_b, 16, 16, 16, half, col_major> y;
  fragment<accumulator, 16, 16, 16, float> z;
  fill_fragment(z, 0.0f);
  load_matrix_sync(x, a, 16);
  load_matrix_sync(y, b, 16);
  mma_sync(z, x, y, z);
  store_matrix_sync(c, z, 16, mem_row_major);
}

__global__ void staged(const float *in, float *out) {
  __shared__ float part[32];
  __pipeline_memcpy_async(part + threadIdx.x, in + threadIdx.x, 4);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  out[threadIdx.x] = part[31 - threadIdx.x];
}

// One warp hands over to another and goes on.
extern "C" __global__ void handed(float *out) {
  __shared__ float value[32];
  unsigned t = threadIdx.x % 32;
  if (threadIdx.x < 32) {
    value[t] = t * 0.5f;
    asm volatile("bar.arrive 1, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 1, 64;" ::: "memory");
    out[t] = value[31 - t];
  }
}
