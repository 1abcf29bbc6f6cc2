// Loops over one fragment product, whose factors change in each turn, and the
// same loops without it.

#include <mma.h>

using namespace nvcuda;

extern "C" __global__ void wmma_product(const half *in, float *out, int n) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 0.0f);
  for (int i = 0; i < n; ++i) {
    wmma::load_matrix_sync(a, in + (i & 1) * 256, 16);
    wmma::load_matrix_sync(b, in + (~i & 1) * 256, 16);
    wmma::mma_sync(c, a, b, c);
  }
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}

extern "C" __global__ void mma_product(const half *in, float *out, int n) {
  const unsigned *words = (const unsigned *)in + threadIdx.x;
  unsigned a0 = words[0], a1 = words[32], a2 = words[64], a3 = words[96],
           b0 = words[128], b1 = words[160];
  float c0 = 0, c1 = 0, c2 = 0, c3 = 0;
  for (int i = 0; i < n; ++i) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3)
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
    unsigned bits = i & 0x00010001;
    a0 ^= bits, a1 ^= bits, a2 ^= bits, a3 ^= bits, b0 ^= bits, b1 ^= bits;
  }
  out[threadIdx.x] = c0 + c1 + c2 + c3;
}
