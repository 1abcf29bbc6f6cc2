// cuBLAS where something is wrong: prints the status of each call.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

static void say(const char *what, cublasStatus_t status) {
  printf("%s: %s\n", what, cublasGetStatusName(status));
}

int main() {
  cublasHandle_t handle = nullptr;
  float one = 1, *x = nullptr;
  double result = 0;
  say("no handle", cublasSscal(handle, 10, &one, x, 1));
  say("create", cublasCreate(&handle));
  cudaMalloc((void **)&x, 400);
  say("leading", cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 8, 4, 4, &one, x,
                             7, x, 4, &one, x, 8));
  say("size",
      cublasSgemv(handle, CUBLAS_OP_N, -1, 4, &one, x, 8, x, 1, &one, x, 1));
  say("step", cublasSger(handle, 4, 4, &one, x, 0, x, 1, x, 4));
  say("result", cublasDasum(handle, 4, nullptr, 1, nullptr));
  say("nothing", cublasDasum(handle, 0, nullptr, 1, &result));
  say("copy", cublasSetVector(1000, sizeof(float), &one, 1, x, 1));
  cublasFillMode_t fill = CUBLAS_FILL_MODE_LOWER;
  cublasOperation_t no = CUBLAS_OP_N;
  cublasDiagType_t diagonal = CUBLAS_DIAG_NON_UNIT;
  cuComplex z = {1, 0}, *c = (cuComplex *)x;
  say("band",
      cublasSgbmv(handle, no, 4, 4, 1, 1, &one, x, 2, x, 1, &one, x, 1));
  say("triangle", cublasSsymv(handle, CUBLAS_FILL_MODE_FULL, 4, &one, x, 4, x,
                              1, &one, x, 1));
  say("operation",
      cublasStrsv(handle, fill, (cublasOperation_t)7, diagonal, 4, x, 4, x, 1));
  say("diagonal",
      cublasStrmm(handle, CUBLAS_SIDE_LEFT, fill, no, (cublasDiagType_t)2, 4, 4,
                  &one, x, 4, x, 4, x, 4));
  say("side", cublasSsymm(handle, (cublasSideMode_t)2, fill, 4, 4, &one, x, 4,
                          x, 4, &one, x, 4));
  say("in place", cublasStrmm(handle, CUBLAS_SIDE_LEFT, fill, no, diagonal, 4,
                              4, &one, x, 4, x, 4, x, 5));
  say("conjugates",
      cublasCsyrk(handle, fill, CUBLAS_OP_C, 4, 4, &z, c, 4, &z, c, 4));
  say("no conjugates",
      cublasCherk(handle, fill, CUBLAS_OP_T, 4, 4, &one, c, 4, &one, c, 4));
  say("count", cublasSgemvStridedBatched(handle, no, 4, 4, &one, x, 4, 16, x, 1,
                                         4, &one, x, 1, 4, -1));
  say("factor", cublasCgerc(handle, 4, 4, nullptr, c, 1, c, 1, c, 4));
  say("no rows", cublasCtbsv(handle, fill, no, diagonal, 0, 0, c, 1, c, 1));
  say("vectors", cublasAxpyEx(handle, 4, &one, CUDA_R_32F, x, CUDA_R_32F, 1, x,
                              CUDA_R_64F, 1, CUDA_R_32F));
  say("types", cublasGemmEx(handle, no, no, 4, 4, 4, &one, x, CUDA_R_8I, 4, x,
                            CUDA_R_8I, 4, &one, x, CUDA_R_16F, 4,
                            CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
  say("refused", cublasUint8gemmBias(
                     handle, no, no, no, 4, 4, 4, (unsigned char *)x, 0, 4,
                     (unsigned char *)x, 0, 4, (unsigned char *)x, 0, 4, 1, 0));
  cudaFree(x);
  say("destroy", cublasDestroy(handle));
  return 0;
}
