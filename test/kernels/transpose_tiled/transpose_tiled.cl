#define TILE 32
#define ROWS 8

// out = transpose of the height x width matrix in, through a tile in local
// memory so that reads and writes are coalesced. The extra column keeps a
// column of the tile out of one bank.
__kernel __attribute__((reqd_work_group_size(TILE, ROWS, 1)))
void transpose_tiled(__global const float *restrict in,
                     __global float *restrict out, int width, int height) {
  __local float tile[TILE][TILE + 1];
  int tx = get_local_id(0), ty = get_local_id(1);
  int x = get_group_id(0) * TILE + tx;
  int y = get_group_id(1) * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < width && y + j < height)
      tile[ty + j][tx] = in[(y + j) * width + x];
  barrier(CLK_LOCAL_MEM_FENCE);
  x = get_group_id(1) * TILE + tx;
  y = get_group_id(0) * TILE + ty;
  for (int j = 0; j < TILE; j += ROWS)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[tx][ty + j];
}
