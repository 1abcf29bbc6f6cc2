// Rounds of a cryptographic hash (32-bit rotations, additions, logic) over
// sixteen words per thread; constants in constant memory.
__constant__ unsigned roundKeys[64];
__device__ unsigned rotate(unsigned v, int by) { return (v >> by) | (v << (32 - by)); }
__global__ void hash_rounds(const unsigned *message, unsigned *digest, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  unsigned w[16];
#pragma unroll
  for (int j = 0; j < 16; j++)
    w[j] = message[j * n + i];
  unsigned a = 0x6a09e667u, b = 0xbb67ae85u, c = 0x3c6ef372u, d = 0xa54ff53au;
  unsigned e = 0x510e527fu, f = 0x9b05688cu, g = 0x1f83d9abu, h = 0x5be0cd19u;
#pragma unroll
  for (int r = 0; r < 64; r++) {
    if (r >= 16) {
      unsigned w1 = w[(r + 1) & 15], w14 = w[(r + 14) & 15];
      unsigned s0 = rotate(w1, 7) ^ rotate(w1, 18) ^ (w1 >> 3);
      unsigned s1 = rotate(w14, 17) ^ rotate(w14, 19) ^ (w14 >> 10);
      w[r & 15] += s0 + w[(r + 9) & 15] + s1;
    }
    unsigned t1 = h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + ((e & f) ^ (~e & g)) + roundKeys[r] + w[r & 15];
    unsigned t2 = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g; g = f; f = e; e = d + t1; d = c; c = b; b = a; a = t1 + t2;
  }
  digest[i] = a ^ e;
  digest[n + i] = b + f;
  digest[2 * n + i] = c ^ g;
  digest[3 * n + i] = d + h;
}
