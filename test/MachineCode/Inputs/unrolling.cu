// Loops that ptxas unrolls, and some that it does not.
#define KERNEL(NAME)                                                           \
  extern "C" __global__ void NAME(const float *__restrict__ a,                 \
                                  float *__restrict__ c, int n, float y,       \
                                  unsigned o)
#define LOOP for (int k = threadIdx.x; k < n; k += 32)

KERNEL(moves) { LOOP c[k] = a[k]; }
KERNEL(computes) { LOOP c[o + k] = a[k]; }
KERNEL(writes) { LOOP c[o + k] = y; }
KERNEL(gathers) { LOOP c[k] = a[o + k]; }
KERNEL(adds) { LOOP atomicAdd(&c[k], a[k]); }
KERNEL(shares) {
  __shared__ float s[1024];
  LOOP s[(o + k) & 1023] = a[k];
  __syncthreads();
  c[threadIdx.x] = s[threadIdx.x];
}
