// cuSPARSE where something is wrong: prints the status of each call.
#include <cstdio>
#include <cuda_runtime.h>
#include <cusparse.h>

static void say(const char *what, cusparseStatus_t status) {
  printf("%s: %s\n", what, cusparseGetErrorName(status));
}

int main() {
  cusparseHandle_t handle = nullptr;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr, z = nullptr;
  float one = 1, *values = nullptr;
  int *indices = nullptr;
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  auto multiply = [&](cusparseDnVecDescr_t from, cudaDataType type) {
    return cusparseSpMV(handle, plain, &one, a, from, &one, y, type,
                        CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  cudaMalloc((void **)&values, 400);
  cudaMalloc((void **)&indices, 400);
  cudaMemset(indices, 0, 400);
  say("no handle", multiply(x, CUDA_R_32F));
  say("create", cusparseCreate(&handle));
  say("no matrix", multiply(x, CUDA_R_32F));
  say("rows", cusparseCreateCsr(&a, -1, 8, 0, indices, indices, values,
                                CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("short indices", cusparseCreateCsr(&a, 4, 8, 0, indices, indices, values,
                                         CUSPARSE_INDEX_16U, CUSPARSE_INDEX_16U,
                                         CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("matrix", cusparseCreateCsr(&a, 4, 8, 0, indices, indices, values,
                                  CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  say("no values", cusparseCreateDnVec(&x, 8, nullptr, CUDA_R_32F));
  cusparseCreateDnVec(&x, 8, values, CUDA_R_32F);
  cusparseCreateDnVec(&y, 4, values + 8, CUDA_R_32F);
  cusparseCreateDnVec(&z, 8, values, CUDA_C_32F);
  say("sizes", multiply(y, CUDA_R_32F));
  say("types", multiply(z, CUDA_R_32F));
  say("empty", multiply(x, CUDA_R_32F));
  cusparseSpSVDescr_t system = nullptr;
  cusparseSpGEMMDescr_t product = nullptr;
  cusparseSpMatDescr_t square = nullptr, columns = nullptr;
  int wrong = 7;
  size_t bytes = 0;
  cusparseCreateCsr(&square, 4, 4, 0, indices, indices, values,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateCsc(&columns, 4, 4, 0, indices, indices, values,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseSpSV_createDescr(&system);
  cusparseSpGEMM_createDescr(&product);
  auto solve = [&](cusparseSpMatDescr_t m) {
    return cusparseSpSV_solve(handle, plain, &one, m, y, y, CUDA_R_32F,
                              CUSPARSE_SPSV_ALG_DEFAULT, system);
  };
  auto multiply_sparse = [&](cusparseOperation_t op, cusparseSpMatDescr_t m) {
    return cusparseSpGEMM_workEstimation(
        handle, op, plain, &one, m, square, &one, square, CUDA_R_32F,
        CUSPARSE_SPGEMM_DEFAULT, product, &bytes, nullptr);
  };
  say("not square", solve(a));
  say("no analysis", solve(square));
  say("attribute", cusparseSpMatSetAttribute(square, CUSPARSE_SPMAT_FILL_MODE,
                                             &wrong, sizeof(wrong)));
  say("format", cusparseCscSetPointers(square, indices, indices, values));
  say("transposed", multiply_sparse(CUSPARSE_OPERATION_TRANSPOSE, square));
  say("by columns", multiply_sparse(plain, columns));
  say("no estimate",
      cusparseSpGEMM_compute(handle, plain, plain, &one, square, square, &one,
                             square, CUDA_R_32F, CUSPARSE_SPGEMM_DEFAULT,
                             product, &bytes, values));
  say("refused", cusparseXcsrsort(handle, 4, 4));
  const cusparseSpMatDescr_t matrices[] = {a, square, columns};
  for (cusparseSpMatDescr_t m : matrices)
    cusparseDestroySpMat(m);
  const cusparseDnVecDescr_t vectors[] = {x, y, z};
  for (cusparseDnVecDescr_t v : vectors)
    cusparseDestroyDnVec(v);
  cusparseSpSV_destroyDescr(system);
  cusparseSpGEMM_destroyDescr(product);
  say("destroy", cusparseDestroy(handle));
  return 0;
}
