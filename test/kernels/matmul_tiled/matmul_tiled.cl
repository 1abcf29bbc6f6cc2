#define TILE 16

// c = a * b for row-major matrices: each work group computes a tile of c and
// moves along k with tiles of a and b in local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void matmul_tiled(__global const float *restrict a,
                  __global const float *restrict b, __global float *restrict c,
                  int m, int n, int k) {
  __local float tileA[TILE][TILE];
  __local float tileB[TILE][TILE];
  int tx = get_local_id(0), ty = get_local_id(1);
  int col = get_group_id(0) * TILE + tx;
  int row = get_group_id(1) * TILE + ty;
  float sum = 0.0f;
  for (int base = 0; base < k; base += TILE) {
    tileA[ty][tx] = row < m && base + tx < k ? a[row * k + base + tx] : 0.0f;
    tileB[ty][tx] = col < n && base + ty < k ? b[(base + ty) * n + col] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < TILE; ++i)
      sum += tileA[ty][i] * tileB[i][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && col < n)
    c[row * n + col] = sum;
}
