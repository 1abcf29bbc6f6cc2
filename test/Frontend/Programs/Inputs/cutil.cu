// 2008 style
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <math.h>
#include <cuda.h>
#include <cutil.h>
#include <cutil_inline.h>
#define BLOCK_SIZE 16
#define AS(i, j) CUT_BANK_CHECKER(((float *)&As[0][0]), (BLOCK_SIZE * i + j))
#define BS(i, j) Bs[i][j]
typedef struct {
  int width;
  int height;
  float *elements;
} Matrix;
__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C) {
  __shared__ float As[BLOCK_SIZE][BLOCK_SIZE];
  __shared__ float Bs[BLOCK_SIZE][BLOCK_SIZE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = __mul24(blockIdx.y, BLOCK_SIZE) + ty,
      col = __umul24(blockIdx.x, BLOCK_SIZE) + tx;
  float sum = 0.f;
  for (int m = 0; m < A.width / BLOCK_SIZE; ++m) {
    AS(ty, tx) = A.elements[row * A.width + m * BLOCK_SIZE + tx];
    BS(ty, tx) = B.elements[(m * BLOCK_SIZE + ty) * B.width + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BLOCK_SIZE; ++k)
      sum += AS(ty, k) * BS(k, tx);
    __syncthreads();
  }
  C.elements[row * C.width + col] = sum;
}
void runTest(int argc, char **argv);
int main(int argc, char **argv) {
  runTest(argc, argv);
  CUT_EXIT(argc, argv);
}
void runTest(int argc, char **argv) {
  CUT_DEVICE_INIT(argc, argv);
  unsigned int timer = 0;
  CUT_SAFE_CALL(cutCreateTimer(&timer));
  CUT_SAFE_CALL(cutStartTimer(timer));
  float *d;
  CUDA_SAFE_CALL(cudaMalloc((void **)&d, 1024 * sizeof(float)));
  Matrix A = {32, 32, d};
  dim3 grid(2, 2), threads(BLOCK_SIZE, BLOCK_SIZE);
  MatMulKernel<<<grid, threads>>>(A, A, A);
  CUT_CHECK_ERROR("Kernel execution failed");
  cudaThreadSynchronize();
  CUT_SAFE_CALL(cutStopTimer(timer));
  printf("%f ms\n", cutGetTimerValue(timer));
  CUT_SAFE_CALL(cutDeleteTimer(timer));
  CUDA_SAFE_CALL(cudaFree(d));
  cudaThreadExit();
}
