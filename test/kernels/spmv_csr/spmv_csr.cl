// y = matrix * x, matrix in compressed sparse rows, one work item per row.
__kernel void spmv_csr(__global const int *rowOffsets,
                       __global const int *columns,
                       __global const float *values, __global const float *x,
                       __global float *y, int rows) {
  int row = get_global_id(0);
  if (row >= rows)
    return;
  float sum = 0.0f;
  int end = rowOffsets[row + 1];
  for (int i = rowOffsets[row]; i < end; ++i)
    sum += values[i] * x[columns[i]];
  y[row] = sum;
}
