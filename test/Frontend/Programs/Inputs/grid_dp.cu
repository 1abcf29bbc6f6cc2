// Dynamic programming: macros for ranges, dynamic shared memory cut in parts.
#include <assert.h>
#include <stdio.h>
#include <time.h>
#define HALO 1
#define STR_SIZE 256
#define IN_RANGE(x, min, max) ((x) >= (min) && (x) <= (max))
#define CLAMP_RANGE(x, min, max) x = (x < (min)) ? min : ((x > (max)) ? max : x)
#define MIN(a, b) ((a) <= (b) ? (a) : (b))
#define SHARED_INDEX(i, j) ((i) * (blockDim.x + 1) + (j))
int rows, cols;
int *data;
int **wall;
#ifdef TIMING
#include "timing.h"
struct timeval tv;
#endif
__global__ void dynproc(int iteration, int *gpuWall, int *gpuSrc, int *gpuResults, int cols, int rows, int startStep, int border) {
  __shared__ int prev[STR_SIZE];
  __shared__ int result[STR_SIZE];
  int bx = blockIdx.x, tx = threadIdx.x;
  int small_block_cols = STR_SIZE - iteration * HALO * 2, blkX = small_block_cols * bx - border, xidx = blkX + tx;
  int validXmin = (blkX < 0) ? -blkX : 0, validXmax = STR_SIZE - 1;
  int W = tx - 1, E = tx + 1;
  W = (W < validXmin) ? validXmin : W;
  E = (E > validXmax) ? validXmax : E;
  bool isValid = IN_RANGE(tx, validXmin, validXmax), computed;
  if (IN_RANGE(xidx, 0, cols - 1)) prev[tx] = gpuSrc[xidx];
  __syncthreads();
  for (int i = 0; i < iteration; i++) {
    computed = false;
    if (IN_RANGE(tx, i + 1, STR_SIZE - i - 2) && isValid) {
      computed = true;
      int shortest = MIN(prev[W], prev[tx]);
      shortest = MIN(shortest, prev[E]);
      result[tx] = shortest + gpuWall[cols * (startStep + i) + xidx];
    }
    __syncthreads();
    if (i == iteration - 1) break;
    if (computed) prev[tx] = result[tx];
    __syncthreads();
  }
  if (computed) gpuResults[xidx] = result[tx];
}
__global__ void needle(int *reference, int *matrix, int cols, int penalty, int i, int n) {
  extern __shared__ int parts[];
  int *temp = parts, *ref = (int *)&parts[SHARED_INDEX(blockDim.x, 0)];
  unsigned char *flags = (unsigned char *)&ref[blockDim.x];
  temp[threadIdx.x] = matrix[cols * i + threadIdx.x];
  ref[threadIdx.x] = reference[threadIdx.x];
  flags[threadIdx.x] = temp[threadIdx.x] > penalty;
  __syncthreads();
  for (int m = blockDim.x - 2; m >= 0; m--) {
    if (threadIdx.x <= m) temp[threadIdx.x + 1] = max(max(temp[threadIdx.x] + ref[threadIdx.x], temp[threadIdx.x + 1] - penalty), (int)flags[threadIdx.x]);
    __syncthreads();
  }
  matrix[cols * i + threadIdx.x] = temp[threadIdx.x];
}
void init(int argc, char **argv) {
  data = new int[rows * cols];
  wall = new int *[rows];
  for (int n = 0; n < rows; n++) wall[n] = data + cols * n;
  srand(7);
}
int calc(int *gpuWall, int *gpuResult[2], int pyramid, int blockCols, int border) {
  dim3 dimBlock(STR_SIZE), dimGrid(blockCols);
  int src = 1, dst = 0;
  for (int t = 0; t < rows - 1; t += pyramid) {
    int temp = src; src = dst; dst = temp;
    dynproc<<<dimGrid, dimBlock>>>(MIN(pyramid, rows - t - 1), gpuWall, gpuResult[src], gpuResult[dst], cols, rows, t, border);
  }
  needle<<<1, 16, 3 * 17 * 17 * sizeof(int)>>>(0, 0, 1, 2, 3, 4);
  return dst;
}
int main(int argc, char **argv) { init(argc, argv); return EXIT_SUCCESS; }
