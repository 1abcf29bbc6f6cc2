//===- products_any.cu - Products whose types are given at the call -------===//

#include "AnyProduct.h"

using namespace heddle_blas;

bool Types::inSingle() const {
  return Sum == CUBLAS_COMPUTE_32F || Sum == CUBLAS_COMPUTE_32F_PEDANTIC ||
         Sum == CUBLAS_COMPUTE_32F_FAST_16F ||
         Sum == CUBLAS_COMPUTE_32F_FAST_16BF ||
         Sum == CUBLAS_COMPUTE_32F_FAST_TF32;
}

template <typename T>
static cublasStatus_t ofSame(cublasHandle_t H, const AnyProduct &G) {
  return multiplySame<T>(H, G.P, static_cast<const T *>(G.Alpha), G.a<T>(),
                         G.b<T>(), static_cast<const T *>(G.Beta), G.c<T>());
}
static cublasStatus_t run(cublasHandle_t H, const AnyProduct &G, const Types &T,
                          const char *Function) {
  cublasStatus_t Status = CUBLAS_STATUS_SUCCESS;
  const bool InDouble =
      T.Sum == CUBLAS_COMPUTE_64F || T.Sum == CUBLAS_COMPUTE_64F_PEDANTIC;
  if (multiplyHalves(H, G, T, Status) || multiplyNarrow(H, G, T, Status))
    return Status;
  if (T.are(CUDA_R_32F, CUDA_R_32F) && T.inSingle())
    return ofSame<float>(H, G);
  if (T.are(CUDA_C_32F, CUDA_C_32F) && T.inSingle())
    return ofSame<cuComplex>(H, G);
  if (T.are(CUDA_R_64F, CUDA_R_64F) && InDouble)
    return ofSame<double>(H, G);
  if (T.are(CUDA_C_64F, CUDA_C_64F) && InDouble)
    return ofSame<cuDoubleComplex>(H, G);
  std::fprintf(stderr,
               "heddle: %s: types %d, %d and %d with compute type %d are not "
               "supported; docs/CUDARuntime.md lists those that are (error "
               "%d)\n",
               Function, int(T.A), int(T.B), int(T.C), int(T.Sum),
               int(CUBLAS_STATUS_NOT_SUPPORTED));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

EXPORTED cublasStatus_t cublasGemmEx(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const void *Alpha, const void *A, cudaDataType OfA, int LDA,
    const void *B, cudaDataType OfB, int LDB, const void *Beta, void *C,
    cudaDataType OfC, int LDC, cublasComputeType_t Type, cublasGemmAlgo_t) {
  ENTER(H);
  return run(H,
             {{OpA, OpB, M, N, K, LDA, LDB, LDC, 1},
              Alpha,
              Beta,
              false,
              A,
              B,
              C,
              0,
              0,
              0},
             {OfA, OfB, OfC, Type}, __func__);
}
EXPORTED cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const void *Alpha, const void *const A[], cudaDataType OfA,
    int LDA, const void *const B[], cudaDataType OfB, int LDB, const void *Beta,
    void *const C[], cudaDataType OfC, int LDC, int Count,
    cublasComputeType_t Type, cublasGemmAlgo_t) {
  ENTER(H);
  return run(H,
             {{OpA, OpB, M, N, K, LDA, LDB, LDC, Count},
              Alpha,
              Beta,
              true,
              A,
              B,
              const_cast<void **>(C),
              0,
              0,
              0},
             {OfA, OfB, OfC, Type}, __func__);
}
EXPORTED cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,
    int N, int K, const void *Alpha, const void *A, cudaDataType OfA, int LDA,
    long long StrideA, const void *B, cudaDataType OfB, int LDB,
    long long StrideB, const void *Beta, void *C, cudaDataType OfC, int LDC,
    long long StrideC, int Count, cublasComputeType_t Type, cublasGemmAlgo_t) {
  ENTER(H);
  return run(H,
             {{OpA, OpB, M, N, K, LDA, LDB, LDC, Count},
              Alpha,
              Beta,
              false,
              A,
              B,
              C,
              StrideA,
              StrideB,
              StrideC},
             {OfA, OfB, OfC, Type}, __func__);
}

/// Each group of a batch has its own sizes and factors.
EXPORTED cublasStatus_t cublasGemmGroupedBatchedEx(
    cublasHandle_t H, const cublasOperation_t OpA[],
    const cublasOperation_t OpB[], const int M[], const int N[], const int K[],
    const void *Alpha, const void *const A[], cudaDataType OfA, const int LDA[],
    const void *const B[], cudaDataType OfB, const int LDB[], const void *Beta,
    void *const C[], cudaDataType OfC, const int LDC[], int Groups,
    const int Sizes[], cublasComputeType_t Type) {
  ENTER(H);
  REQUIRE(Groups >= 0 && Alpha && Beta);
  const Types T = {OfA, OfB, OfC, Type};
  const size_t Bytes = OfC == CUDA_C_64F                        ? 16
                       : OfC == CUDA_R_64F || OfC == CUDA_C_32F ? 8
                       : T.inSingle()                           ? 4
                                                                : 2;
  for (int G = 0, First = 0; G < Groups; First += Sizes[G++])
    TRY(run(
        H,
        {{OpA[G], OpB[G], M[G], N[G], K[G], LDA[G], LDB[G], LDC[G], Sizes[G]},
         static_cast<const char *>(Alpha) + G * Bytes,
         static_cast<const char *>(Beta) + G * Bytes,
         true,
         A + First,
         B + First,
         const_cast<void **>(C + First),
         0,
         0,
         0},
        T, __func__));
  return CUBLAS_STATUS_SUCCESS;
}

/// Factors and sums are in single precision.
#define IN_SINGLE(Name, T)                                                     \
  EXPORTED cublasStatus_t Name(                                                \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const void *A, cudaDataType OfA, int LDA,  \
      const void *B, cudaDataType OfB, int LDB, const T *Beta, void *C,        \
      cudaDataType OfC, int LDC) {                                             \
    ENTER(H);                                                                  \
    return run(H,                                                              \
               {{OpA, OpB, M, N, K, LDA, LDB, LDC, 1},                         \
                Alpha,                                                         \
                Beta,                                                          \
                false,                                                         \
                A,                                                             \
                B,                                                             \
                C,                                                             \
                0,                                                             \
                0,                                                             \
                0},                                                            \
               {OfA, OfB, OfC, CUBLAS_COMPUTE_32F}, __func__);                 \
  }
IN_SINGLE(cublasSgemmEx, float)
IN_SINGLE(cublasCgemmEx, cuComplex)
IN_SINGLE(cublasCgemm3mEx, cuComplex)
