#define TILE 16

// The inner step of a blocked LU factorisation in place: subtracts from the
// matrix behind the diagonal tile at `offset` the product of the column panel
// below that tile and the row panel right of it.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void lu_step(__global float *matrix, int n, int offset) {
  __local float column[TILE][TILE];
  __local float row[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = offset + ((int)get_group_id(0) + 1) * TILE + tx;
  int y = offset + ((int)get_group_id(1) + 1) * TILE + ty;
  column[ty][tx] = matrix[y * n + offset + tx];
  row[ty][tx] = matrix[(offset + ty) * n + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  float sum = 0.0f;
  for (int i = 0; i < TILE; ++i)
    sum += column[ty][i] * row[i][tx];
  matrix[y * n + x] -= sum;
}
