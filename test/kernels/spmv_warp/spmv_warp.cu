// y = matrix * x, matrix in compressed sparse rows, one warp per row: lanes
// take every 32nd element and add their sums by shuffles.
__global__ void spmv_warp(const int *__restrict__ rowOffsets,
                          const int *__restrict__ columns,
                          const float *__restrict__ values,
                          const float *__restrict__ x, float *__restrict__ y,
                          int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  int lane = threadIdx.x % warpSize;
  if (row >= rows)
    return;
  float sum = 0.0f;
  int end = __ldg(&rowOffsets[row + 1]);
  for (int i = __ldg(&rowOffsets[row]) + lane; i < end; i += warpSize)
    sum += __ldg(&values[i]) * __ldg(&x[columns[i]]);
  for (int mask = warpSize / 2; mask > 0; mask /= 2)
    sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  if (lane == 0)
    y[row] = sum;
}
