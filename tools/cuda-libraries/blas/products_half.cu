//===- products_half.cu - Products of halves ------------------------------===//

#include "AnyProduct.h"
#include "Gemv.h"

using namespace heddle_blas;

/// Halves are summed in single precision, whatever the type of alpha and beta.
bool heddle_blas::multiplyHalves(cublasHandle_t H, const AnyProduct &G,
                                 const Types &Of, cublasStatus_t &Status) {
  const bool InHalf =
      Of.Sum == CUBLAS_COMPUTE_16F || Of.Sum == CUBLAS_COMPUTE_16F_PEDANTIC;
  if (Of.are(CUDA_R_16F, CUDA_R_16F) && InHalf)
    Status = multiplyAny<__half, __half, float, __half>(H, G);
  else if (Of.are(CUDA_R_16F, CUDA_R_16F) && Of.inSingle())
    Status = multiplyAny<__half, __half, float, float>(H, G);
  else if (Of.are(CUDA_R_16F, CUDA_R_32F) && Of.inSingle())
    Status = multiplyAny<__half, float, float, float>(H, G);
  else
    return false;
  return true;
}

EXPORTED cublasStatus_t cublasHgemm(cublasHandle_t H, cublasOperation_t OpA,
                                    cublasOperation_t OpB, int M, int N, int K,
                                    const __half *Alpha, const __half *A,
                                    int LDA, const __half *B, int LDB,
                                    const __half *Beta, __half *C, int LDC) {
  ENTER(H);
  return multiply<__half, __half, float>(
      H, {OpA, OpB, M, N, K, LDA, LDB, LDC, 1}, Alpha, strided(A), strided(B),
      Beta, strided(C));
}
EXPORTED cublasStatus_t cublasHgemmBatched(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const __half *Alpha, const __half *const A[], int LDA,
    const __half *const B[], int LDB, const __half *Beta, __half *const C[],
    int LDC, int Count) {
  ENTER(H);
  return multiply<__half, __half, float>(
      H, {OpA, OpB, M, N, K, LDA, LDB, LDC, Count}, Alpha,
      listed<const __half>(A), listed<const __half>(B), Beta,
      listed<__half>(C));
}
EXPORTED cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const __half *Alpha, const __half *A, int LDA,
    long long StrideA, const __half *B, int LDB, long long StrideB,
    const __half *Beta, __half *C, int LDC, long long StrideC, int Count) {
  ENTER(H);
  return multiply<__half, __half, float>(
      H, {OpA, OpB, M, N, K, LDA, LDB, LDC, Count}, Alpha, strided(A, StrideA),
      strided(B, StrideB), Beta, strided(C, StrideC));
}
