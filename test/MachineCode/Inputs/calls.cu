// A division of 64 bits, which ptxas makes a call on a way of its own.
extern "C" __global__ void quotients(const long long *a, const long long *b, long long *out) {
  const int i = threadIdx.x;
  out[i] = a[i] / b[i];
}
