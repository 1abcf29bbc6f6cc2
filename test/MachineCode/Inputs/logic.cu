// Logic of three inputs: the choice and the majority of a hash.
__global__ void choose(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out) {
  int i = threadIdx.x;
  out[i] = (a[i] & b[i]) ^ (~a[i] & c[i]);
}
__global__ void majority(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out) {
  int i = threadIdx.x;
  out[i] = (a[i] & b[i]) ^ (a[i] & c[i]) ^ (b[i] & c[i]);
}
__global__ void four(const unsigned *a, const unsigned *b, const unsigned *c, const unsigned *d, unsigned *out) {
  int i = threadIdx.x;
  out[i] = (a[i] ^ b[i]) & c[i] & d[i];
}
