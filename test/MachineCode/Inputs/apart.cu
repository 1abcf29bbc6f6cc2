__constant__ unsigned table[4] = {3, 1, 77, 0};

extern "C" __global__ void apart(unsigned *out, const unsigned *in, unsigned rounds) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[at];
  const unsigned way = in[at * 7 % blockDim.x];
  const float f = float(v & 255) * 0.125f;
  for (unsigned i = 0; i < rounds; ++i)
    switch ((way + threadIdx.x) % 23) {
    case 4:
      break;
    case 16:
    case 14:
      v = threadIdx.x;
      break;
    case 12:
      v ^= __umulhi(580445404, unsigned(f * 16));
      break;
    case 15:
      v = threadIdx.x ^ i;
    }
  if (table[rounds & 3] > 8)
    out[at] = v;
}

extern "C" __global__ void between(unsigned *out, const unsigned *in, unsigned n) {
  const unsigned at = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned v = in[at];
  const unsigned way = in[at * 7 % (gridDim.x * blockDim.x)];
  float f = float(v & 255) * 0.125f;
  for (unsigned i = 0; i < (n + 5) % 4; ++i)
    switch (int((way + threadIdx.x) % 23u)) {
    case 4:
      v += unsigned((long long)threadIdx.y / int((n & 7) + 3));
      break;
    case 16:
    case 14:
      v = threadIdx.x;
      break;
    case 12:
    case 18:
      v ^= n ^ __umulhi(580445404u * 5u, unsigned(f * 16));
    case 10:
      f = float(double(fminf(fmaxf(f, 64.25f), 700.0f)) * 0.75);
      break;
    case 15:
      v = threadIdx.x ^ i;
    }
  if (table[n & 3] > 0)
    out[at] = v;
}
