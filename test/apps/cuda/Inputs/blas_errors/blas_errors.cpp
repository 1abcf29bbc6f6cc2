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
  say("size", cublasSgemv(handle, CUBLAS_OP_N, -1, 4, &one, x, 8, x, 1, &one, x,
                          1));
  say("step", cublasSger(handle, 4, 4, &one, x, 0, x, 1, x, 4));
  say("result", cublasDasum(handle, 4, nullptr, 1, nullptr));
  say("nothing", cublasDasum(handle, 0, nullptr, 1, &result));
  say("copy", cublasSetVector(1000, sizeof(float), &one, 1, x, 1));
  say("types", cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 4, 4, 4, &one, x,
                            CUDA_R_8I, 4, x, CUDA_R_8I, 4, &one, x, CUDA_R_32I,
                            4, CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT));
  say("refused", cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, 4, 4,
                             &one, x, 4, &one, x, 4));
  cudaFree(x);
  say("destroy", cublasDestroy(handle));
  return 0;
}
