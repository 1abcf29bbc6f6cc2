// The kernel that test/hw/silicon/README.md describes for tuning_convolution_a100.csv. Blocks are
// numbered row by row, so that one wave of the grid can run alone.

#define FILTER 15
#define WIDTH (BLOCK_X * TILE_X)
#define HEIGHT (BLOCK_Y * TILE_Y)
#define NEEDED (WIDTH + FILTER - 1)
#if PADDING && BLOCK_X % 32 != 0
#define ROW (NEEDED + (32 - (NEEDED - BLOCK_X) % 32) % 32)
#else
#define ROW NEEDED
#endif

__constant__ float weights[FILTER * FILTER];

extern "C" __global__ void convolution(int width, int height, const float *__restrict__ input, float *output) {
  __shared__ float part[HEIGHT + FILTER - 1][ROW];
  const int blocks = (width + WIDTH - 1) / WIDTH;
  const int x = threadIdx.x, y = threadIdx.y;
  const int left = blockIdx.x % blocks * WIDTH, top = blockIdx.x / blocks * HEIGHT;
  const int pitch = width + FILTER - 1;
  for (int i = y; i < HEIGHT + FILTER - 1; i += BLOCK_Y)
    for (int j = x; j < NEEDED; j += BLOCK_X) {
#if READ_ONLY
      part[i][j] = __ldg(&input[(top + i) * pitch + left + j]);
#else
      part[i][j] = input[(top + i) * pitch + left + j];
#endif
    }
  __syncthreads();
  float sums[TILE_Y][TILE_X] = {};
#pragma unroll
  for (int i = 0; i < FILTER; ++i)
#pragma unroll
    for (int j = 0; j < FILTER; ++j)
#pragma unroll
      for (int r = 0; r < TILE_Y; ++r)
#pragma unroll
        for (int s = 0; s < TILE_X; ++s)
          sums[r][s] += part[y + r * BLOCK_Y + i][x + s * BLOCK_X + j] * weights[i * FILTER + j];
  for (int r = 0; r < TILE_Y; ++r)
    for (int s = 0; s < TILE_X; ++s)
      output[(top + y + r * BLOCK_Y) * width + left + x + s * BLOCK_X] = sums[r][s];
}
