//===- products_stored.cu - Level 3: matrices with a part in memory -------===//

#include "../Product.h"
#include "../Typed.h"

using namespace heddle_blas;

/// C = alpha * A * B + beta * C, or B * A: the matrix \p OfA has one triangle
/// in memory.
static cublasStatus_t run(cublasHandle_t H, bool IsLeft, Layout OfA, int M,
                          int N, Factor<T> Alpha, const T *A, const T *B,
                          int LDB, Factor<T> Beta, T *C, int LDC) {
  const Layout OfB = general(LDB, CUBLAS_OP_N), OfC = general(LDC, CUBLAS_OP_N);
  const Shape X = IsLeft ? Shape{M, N, M, OfA, transposed(OfB), OfC}
                         : Shape{M, N, N, OfB, transposed(OfA), OfC};
  return multiply<false, T, T, T>(H, X, Alpha, strided(IsLeft ? A : B),
                                  strided(IsLeft ? B : A), Beta, strided(C), 1);
}

#define SYMMETRIC(Name, Is)                                                    \
  EXPORTED cublasStatus_t Name(                                                \
      cublasHandle_t H, cublasSideMode_t Side, cublasFillMode_t Fill, int M,   \
      int N, const T *Alpha, const T *A, int LDA, const T *B, int LDB,         \
      const T *Beta, T *C, int LDC) {                                          \
    ENTER(H);                                                                  \
    const bool IsLeft = Side == CUBLAS_SIDE_LEFT;                              \
    const int Size = IsLeft ? M : N;                                           \
    REQUIRE(isSide(Side) && isFill(Fill) && M >= 0 && N >= 0);                 \
    REQUIRE(fits(LDA, Size) && fits(LDB, M) && fits(LDC, M));                  \
    REQUIRE(Alpha && Beta);                                                    \
    return run(H, IsLeft, triangle(Is, Layout::Full, Fill, Size, 0, LDA), M,   \
               N, factor(H, Alpha), A, B, LDB, factor(H, Beta), C, LDC);       \
  }
SYMMETRIC(NAME(symm_v2), Layout::Symmetric)
#ifdef MIXED
SYMMETRIC(NAME(hemm_v2), Layout::Hermitian)
#endif

/// B may be C: then a copy of it is multiplied.
EXPORTED cublasStatus_t NAME(trmm_v2)(cublasHandle_t H, cublasSideMode_t Side,
                                      cublasFillMode_t Fill,
                                      cublasOperation_t Op,
                                      cublasDiagType_t Diagonal, int M, int N,
                                      const T *Alpha, const T *A, int LDA,
                                      const T *B, int LDB, T *C, int LDC) {
  ENTER(H);
  const bool IsLeft = Side == CUBLAS_SIDE_LEFT;
  const int Size = IsLeft ? M : N;
  REQUIRE(isSide(Side) && isFill(Fill) && isOperation(Op));
  REQUIRE(isDiagonal(Diagonal) && M >= 0 && N >= 0 && Alpha);
  REQUIRE(fits(LDA, Size) && fits(LDB, M) && fits(LDC, M));
  REQUIRE(B != C || LDB == LDC);
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  if (B == C) {
    T *Copy = nullptr;
    TRY(scratch(H, size_t(M) * N, &Copy));
    TRY(status(cudaMemcpy2DAsync(Copy, M * sizeof(T), B, LDB * sizeof(T),
                                 M * sizeof(T), N, cudaMemcpyDeviceToDevice,
                                 H->Stream)));
    B = Copy;
    LDB = M;
  }
  const Layout L =
      triangle(Layout::Triangular, Layout::Full, Fill, Size, 0, LDA);
  return run(H, IsLeft, with(L, Op, Diagonal), M, N, factor(H, Alpha), A, B,
             LDB, constant(T{}), C, LDC);
}
