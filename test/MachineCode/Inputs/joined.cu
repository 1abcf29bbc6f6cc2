typedef unsigned long long u64;

// NVPTX parts a 64-bit remainder by a test whether 32 bits are enough. No bit of
// it is left in the five that count, so that the way around computes nothing.
extern "C" __global__ void low_bits(unsigned *out, const unsigned *in, unsigned n) {
  unsigned a = in[threadIdx.x] & 15u, b = in[threadIdx.x + 32];
  unsigned r = __brev(unsigned((u64(a) << 4 | 6u) % ((u64(b) * 964733u) | 1u) >> 7));
  out[(r + n * 5 + 1) & 31u] = a;
}
