//===- products.cu - Level 3: products of general matrices ----------------===//

#include "../Product.h"
#include "../Typed.h"

using namespace heddle_blas;

namespace heddle_blas {
template <typename U>
cublasStatus_t multiplySame(cublasHandle_t H, const Product &P, const U *Alpha,
                            Batch<const U> A, Batch<const U> B, const U *Beta,
                            Batch<U> C) {
  return multiply<U, U, U>(H, P, Alpha, A, B, Beta, C);
}
template cublasStatus_t multiplySame(cublasHandle_t, const Product &, const T *,
                                     Batch<const T>, Batch<const T>, const T *,
                                     Batch<T>);
} // namespace heddle_blas

#define ONE(Name)                                                              \
  EXPORTED cublasStatus_t Name(                                                \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *A, int LDA, const T *B, int LDB,  \
      const T *Beta, T *C, int LDC) {                                          \
    ENTER(H);                                                                  \
    return multiplySame<T>(H, {OpA, OpB, M, N, K, LDA, LDB, LDC, 1}, Alpha,    \
                           strided(A), strided(B), Beta, strided(C));          \
  }
#define LISTED(Name)                                                           \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasOperation_t OpA,        \
                               cublasOperation_t OpB, int M, int N, int K,     \
                               const T *Alpha, const T *const A[], int LDA,    \
                               const T *const B[], int LDB, const T *Beta,     \
                               T *const C[], int LDC, int Count) {             \
    ENTER(H);                                                                  \
    return multiplySame<T>(H, {OpA, OpB, M, N, K, LDA, LDB, LDC, Count},       \
                           Alpha, listed<const T>(A), listed<const T>(B),      \
                           Beta, listed<T>(C));                                \
  }
#define STRIDED(Name)                                                          \
  EXPORTED cublasStatus_t Name(                                                \
      cublasHandle_t H, cublasOperation_t OpA, cublasOperation_t OpB, int M,   \
      int N, int K, const T *Alpha, const T *A, int LDA, long long StrideA,    \
      const T *B, int LDB, long long StrideB, const T *Beta, T *C, int LDC,    \
      long long StrideC, int Count) {                                          \
    ENTER(H);                                                                  \
    return multiplySame<T>(H, {OpA, OpB, M, N, K, LDA, LDB, LDC, Count},       \
                           Alpha, strided(A, StrideA), strided(B, StrideB),    \
                           Beta, strided(C, StrideC));                         \
  }
ONE(NAME(gemm_v2))
LISTED(NAME(gemmBatched))
STRIDED(NAME(gemmStridedBatched))
#ifdef MIXED
// Three real products for one complex one is a choice of the vendor's, which
// changes the rounding.
ONE(NAME(gemm3m))
#ifdef OF_C
LISTED(NAME(gemm3mBatched))
STRIDED(NAME(gemm3mStridedBatched))
#endif
#else
/// Each group of a batch has its own sizes and factors.
EXPORTED cublasStatus_t NAME(gemmGroupedBatched)(
    cublasHandle_t H, const cublasOperation_t OpA[],
    const cublasOperation_t OpB[], const int M[], const int N[], const int K[],
    const T Alpha[], const T *const A[], const int LDA[], const T *const B[],
    const int LDB[], const T Beta[], T *const C[], const int LDC[], int Groups,
    const int Sizes[]) {
  ENTER(H);
  REQUIRE(Groups >= 0);
  for (int G = 0, First = 0; G < Groups; First += Sizes[G++])
    TRY(multiplySame<T>(
        H, {OpA[G], OpB[G], M[G], N[G], K[G], LDA[G], LDB[G], LDC[G], Sizes[G]},
        Alpha + G, listed<const T>(A + First), listed<const T>(B + First),
        Beta + G, listed<T>(C + First)));
  return CUBLAS_STATUS_SUCCESS;
}
#endif

//===----------------------------------------------------------------------===//
// Products of which a triangle is computed
//===----------------------------------------------------------------------===//

/// C += op(A) * op(B)' with alpha; \p Conjugates says what the stroke means.
static cublasStatus_t ofTriangle(cublasHandle_t H, cublasFillMode_t Fill,
                                 cublasOperation_t Op, bool Conjugates, int N,
                                 int K, Factor<T> Alpha, const T *A, int LDA,
                                 const T *B, int LDB, Factor<T> Beta, T *C,
                                 int LDC) {
  // What is transposed in A is not in B, and the same for conjugates.
  const auto Dual = Conjugates ? CUBLAS_OP_C : CUBLAS_OP_T;
  const bool Flip = Op != CUBLAS_OP_N;
  const Product P = {Flip ? Dual : CUBLAS_OP_N,
                     Flip ? CUBLAS_OP_N : Dual,
                     N,
                     N,
                     K,
                     LDA,
                     LDB,
                     LDC,
                     1};
  Shape X = P.shape();
  X.C = triangle(Conjugates ? Layout::Hermitian : Layout::Symmetric,
                 Layout::Full, Fill, N, 0, LDC);
  return multiply<true, T, T, T>(H, X, Alpha, strided(A), strided(B), Beta,
                                 strided(C), 1);
}
static bool isRight(cublasFillMode_t Fill, cublasOperation_t Op,
                    bool Conjugates, int N, int K, int LDA, int LDB, int LDC) {
  // Complex symmetric products have no conjugates, and the other way round.
  const auto Other = Conjugates ? CUBLAS_OP_T : CUBLAS_OP_C;
  const int Rows = Op == CUBLAS_OP_N ? N : K;
  return isFill(Fill) && isOperation(Op) && !(IsComplex<T> && Op == Other) &&
         N >= 0 && K >= 0 && fits(LDA, Rows) && fits(LDB, Rows) && fits(LDC, N);
}

#define RANK_K(Name, Conjugates, F)                                            \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill,        \
                               cublasOperation_t Op, int N, int K,             \
                               const F *Alpha, const T *A, int LDA,            \
                               const F *Beta, T *C, int LDC) {                 \
    ENTER(H);                                                                  \
    REQUIRE(isRight(Fill, Op, Conjugates, N, K, LDA, LDA, LDC));               \
    REQUIRE(Alpha && Beta);                                                    \
    return ofTriangle(H, Fill, Op, Conjugates, N, K, factorAs<T>(H, Alpha), A, \
                      LDA, A, LDA, factorAs<T>(H, Beta), C, LDC);              \
  }
#define RANK_KX(Name, Conjugates, F)                                           \
  EXPORTED cublasStatus_t Name(                                                \
      cublasHandle_t H, cublasFillMode_t Fill, cublasOperation_t Op, int N,    \
      int K, const T *Alpha, const T *A, int LDA, const T *B, int LDB,         \
      const F *Beta, T *C, int LDC) {                                          \
    ENTER(H);                                                                  \
    REQUIRE(isRight(Fill, Op, Conjugates, N, K, LDA, LDB, LDC));               \
    REQUIRE(Alpha && Beta);                                                    \
    return ofTriangle(H, Fill, Op, Conjugates, N, K, factor(H, Alpha), A, LDA, \
                      B, LDB, factorAs<T>(H, Beta), C, LDC);                   \
  }
// The second of both products is added to the first.
#define RANK_2K(Name, Conjugates, F)                                           \
  EXPORTED cublasStatus_t Name(                                                \
      cublasHandle_t H, cublasFillMode_t Fill, cublasOperation_t Op, int N,    \
      int K, const T *Alpha, const T *A, int LDA, const T *B, int LDB,         \
      const F *Beta, T *C, int LDC) {                                          \
    ENTER(H);                                                                  \
    REQUIRE(isRight(Fill, Op, Conjugates, N, K, LDA, LDB, LDC));               \
    REQUIRE(Alpha && Beta);                                                    \
    const Factor<T> Times = factor(H, Alpha);                                  \
    TRY(ofTriangle(H, Fill, Op, Conjugates, N, K, Times, A, LDA, B, LDB,       \
                   factorAs<T>(H, Beta), C, LDC));                             \
    return ofTriangle(H, Fill, Op, Conjugates, N, K,                           \
                      Conjugates ? conjugated(Times) : Times, B, LDB, A, LDA,  \
                      constant(as<T>(R(1))), C, LDC);                          \
  }
RANK_K(NAME(syrk_v2), false, T)
RANK_KX(NAME(syrkx), false, T)
RANK_2K(NAME(syr2k_v2), false, T)
#ifdef MIXED
RANK_K(NAME(herk_v2), true, R)
RANK_KX(NAME(herkx), true, R)
RANK_2K(NAME(her2k_v2), true, R)
#endif
