//===- products_half.cu - Products of halves, and of any types ------------===//

#include "Product.h"

#include <cstdio>

using namespace heddle_blas;

namespace {
/// Everything that a product has beside its types.
struct Given {
  cublasOperation_t OpA, OpB;
  int M, N, K;
  const void *Alpha, *A;
  int LDA;
  long long StrideA;
  const void *B;
  int LDB;
  long long StrideB;
  const void *Beta;
  void *C;
  int LDC;
  long long StrideC;
  int Count;
};
} // namespace

/// Halves are summed in single precision, whatever the type of alpha and beta.
template <typename Out, typename Factor>
static cublasStatus_t ofHalves(cublasHandle_t H, const Given &G) {
  return multiply<__half, Out, float, Factor>(
      H, G.OpA, G.OpB, G.M, G.N, G.K, static_cast<const Factor *>(G.Alpha),
      strided(static_cast<const __half *>(G.A), G.StrideA), G.LDA,
      strided(static_cast<const __half *>(G.B), G.StrideB), G.LDB,
      static_cast<const Factor *>(G.Beta),
      strided(static_cast<Out *>(G.C), G.StrideC), G.LDC, G.Count);
}
template <typename T>
static cublasStatus_t ofSame(cublasHandle_t H, const Given &G) {
  return multiplyAny(H, G.OpA, G.OpB, G.M, G.N, G.K,
                     static_cast<const T *>(G.Alpha),
                     static_cast<const T *>(G.A), G.LDA, G.StrideA,
                     static_cast<const T *>(G.B), G.LDB, G.StrideB,
                     static_cast<const T *>(G.Beta), static_cast<T *>(G.C),
                     G.LDC, G.StrideC, G.Count);
}

static cublasStatus_t ofTypes(cublasHandle_t H, const Given &G, cudaDataType A,
                              cudaDataType B, cudaDataType C,
                              cublasComputeType_t Type, const char *Function) {
  const bool InHalf =
      Type == CUBLAS_COMPUTE_16F || Type == CUBLAS_COMPUTE_16F_PEDANTIC;
  const bool InSingle = Type == CUBLAS_COMPUTE_32F ||
                        Type == CUBLAS_COMPUTE_32F_PEDANTIC ||
                        Type == CUBLAS_COMPUTE_32F_FAST_16F ||
                        Type == CUBLAS_COMPUTE_32F_FAST_16BF ||
                        Type == CUBLAS_COMPUTE_32F_FAST_TF32;
  const bool InDouble =
      Type == CUBLAS_COMPUTE_64F || Type == CUBLAS_COMPUTE_64F_PEDANTIC;
  const bool OfHalves = A == CUDA_R_16F && B == CUDA_R_16F;
  if (OfHalves && C == CUDA_R_16F && InHalf)
    return ofHalves<__half, __half>(H, G);
  if (OfHalves && C == CUDA_R_16F && InSingle)
    return ofHalves<__half, float>(H, G);
  if (OfHalves && C == CUDA_R_32F && InSingle)
    return ofHalves<float, float>(H, G);
  if (A == CUDA_R_32F && B == A && C == A && InSingle)
    return ofSame<float>(H, G);
  if (A == CUDA_R_64F && B == A && C == A && InDouble)
    return ofSame<double>(H, G);
  std::fprintf(stderr,
               "heddle: %s: types %d, %d and %d with compute type %d are not "
               "supported; docs/CUDARuntime.md lists those that are (error "
               "%d)\n",
               Function, int(A), int(B), int(C), int(Type),
               int(CUBLAS_STATUS_NOT_SUPPORTED));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

EXPORTED cublasStatus_t cublasHgemm(cublasHandle_t H, cublasOperation_t OpA,
                                    cublasOperation_t OpB, int M, int N, int K,
                                    const __half *Alpha, const __half *A,
                                    int LDA, const __half *B, int LDB,
                                    const __half *Beta, __half *C, int LDC) {
  ENTER(H);
  return ofHalves<__half, __half>(
      H, {OpA, OpB, M, N, K, Alpha, A, LDA, 0, B, LDB, 0, Beta, C, LDC, 0, 1});
}
EXPORTED cublasStatus_t cublasHgemmStridedBatched(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const __half *Alpha, const __half *A, int LDA,
    long long StrideA, const __half *B, int LDB, long long StrideB,
    const __half *Beta, __half *C, int LDC, long long StrideC, int Count) {
  ENTER(H);
  return ofHalves<__half, __half>(H,
                                  {OpA, OpB, M, N, K, Alpha, A, LDA, StrideA, B,
                                   LDB, StrideB, Beta, C, LDC, StrideC, Count});
}
EXPORTED cublasStatus_t cublasGemmEx(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const void *Alpha, const void *A, cudaDataType OfA, int LDA,
    const void *B, cudaDataType OfB, int LDB, const void *Beta, void *C,
    cudaDataType OfC, int LDC, cublasComputeType_t Type, cublasGemmAlgo_t) {
  ENTER(H);
  return ofTypes(
      H, {OpA, OpB, M, N, K, Alpha, A, LDA, 0, B, LDB, 0, Beta, C, LDC, 0, 1},
      OfA, OfB, OfC, Type, __func__);
}
EXPORTED cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const void *Alpha, const void *A, cudaDataType OfA, int LDA,
    long long StrideA, const void *B, cudaDataType OfB, int LDB,
    long long StrideB, const void *Beta, void *C, cudaDataType OfC, int LDC,
    long long StrideC, int Count, cublasComputeType_t Type, cublasGemmAlgo_t) {
  ENTER(H);
  return ofTypes(H,
                 {OpA, OpB, M, N, K, Alpha, A, LDA, StrideA, B, LDB, StrideB,
                  Beta, C, LDC, StrideC, Count},
                 OfA, OfB, OfC, Type, __func__);
}
