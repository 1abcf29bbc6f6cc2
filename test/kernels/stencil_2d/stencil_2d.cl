#define TILE 16

// One step of a five-point stencil with fixed borders; the work group's cells
// and the halo around them are read through local memory.
__kernel __attribute__((reqd_work_group_size(TILE, TILE, 1)))
void stencil_2d(__global const float *restrict in, __global float *restrict out,
                int width, int height, float center, float side) {
  __local float tile[TILE + 2][TILE + 2];
  int lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
  int x = get_global_id(0), y = get_global_id(1);
  // Clamped, so that the border repeats; those cells are not written.
  int cx = min(x, width - 1), cy = min(y, height - 1);
  tile[ly][lx] = in[cy * width + cx];
  if (lx == 1)
    tile[ly][0] = in[cy * width + max(cx - 1, 0)];
  if (lx == TILE)
    tile[ly][TILE + 1] = in[cy * width + min(cx + 1, width - 1)];
  if (ly == 1)
    tile[0][lx] = in[max(cy - 1, 0) * width + cx];
  if (ly == TILE)
    tile[TILE + 1][lx] = in[min(cy + 1, height - 1) * width + cx];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width || y >= height)
    return;
  bool border = x == 0 || y == 0 || x == width - 1 || y == height - 1;
  float value = tile[ly][lx];
  if (!border)
    value = center * value + side * (tile[ly - 1][lx] + tile[ly + 1][lx] +
                                     tile[ly][lx - 1] + tile[ly][lx + 1]);
  out[y * width + x] = value;
}
