#define RADIUS 8
#define ROW_WIDTH 128
#define COLUMN_WIDTH 16
#define COLUMN_HEIGHT 16

// A separable filter of 2 * RADIUS + 1 taps, in two passes. Outside the image
// is zero.

// Along the rows: each work group filters ROW_WIDTH pixels of one row.
__kernel __attribute__((reqd_work_group_size(ROW_WIDTH, 1, 1)))
void convolution_rows(__global const float *in, __global float *out,
                      __constant float *taps, int width, int height) {
  __local float line[ROW_WIDTH + 2 * RADIUS];
  int lid = get_local_id(0);
  int x = get_global_id(0), y = get_global_id(1);
  int first = (int)get_group_id(0) * ROW_WIDTH - RADIUS;
  for (int i = lid; i < ROW_WIDTH + 2 * RADIUS; i += ROW_WIDTH) {
    int column = first + i;
    line[i] = column >= 0 && column < width ? in[y * width + column] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width)
    return;
  float sum = 0.0f;
  for (int i = 0; i <= 2 * RADIUS; ++i)
    sum += taps[i] * line[lid + i];
  out[y * width + x] = sum;
}

// Along the columns: each work group filters a block of pixels.
__kernel __attribute__((reqd_work_group_size(COLUMN_WIDTH, COLUMN_HEIGHT, 1)))
void convolution_columns(__global const float *in, __global float *out,
                         __constant float *taps, int width, int height) {
  __local float block[COLUMN_HEIGHT + 2 * RADIUS][COLUMN_WIDTH];
  int lx = get_local_id(0), ly = get_local_id(1);
  int x = get_global_id(0), y = get_global_id(1);
  int first = (int)get_group_id(1) * COLUMN_HEIGHT - RADIUS;
  for (int i = ly; i < COLUMN_HEIGHT + 2 * RADIUS; i += COLUMN_HEIGHT) {
    int row = first + i;
    bool inside = x < width && row >= 0 && row < height;
    block[i][lx] = inside ? in[row * width + x] : 0.0f;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width || y >= height)
    return;
  float sum = 0.0f;
  for (int i = 0; i <= 2 * RADIUS; ++i)
    sum += taps[i] * block[ly + i][lx];
  out[y * width + x] = sum;
}
