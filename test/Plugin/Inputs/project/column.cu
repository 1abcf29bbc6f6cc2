// Walks down columns: what a warp reads lies a row apart.
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))

__global__ void column(const float *matrix, float *sums) {
  __shared__ float tile[32 * 32];
  int t = __nvvm_read_ptx_sreg_tid_x();
  float sum = 0;
  for (int row = 0; row < 64; ++row)
    sum += matrix[t * 64 + row];
  tile[t * 32] = sum;
  if (t < 16)
    sums[t] = tile[t * 32];
}
