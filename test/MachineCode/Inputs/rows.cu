// A sparse product whose loop of several blocks ptxas unrolls by four, with a
// rest, and a 24-bit product of what all threads have in common.
__global__ void rows(const int *length, const int *columns, const double *values,
                     const double *x, double *y, int n) {
  int row = __mul24(blockDim.x, blockIdx.x) + threadIdx.x;
  if (row >= n)
    return;
  double sum = 0;
  for (int i = 0; i < length[row]; ++i) {
    int column = columns[n * i + row];
    if (column >= 0)
      sum += values[n * i + row] * x[column];
  }
  y[row] = sum;
}
