//===- updates.cu - Level 2: a matrix and products of two vectors ---------===//

#include "../Layout.h"
#include "../Typed.h"

namespace heddle_blas {

/// Threads of a block: one row of them reads a column of a matrix.
static constexpr unsigned Rows = 32, Columns = 8;

/// A += alpha * x * y' and, where \p Twice, the same with x and y exchanged and
/// alpha conjugated as y is. Only what the layout has in memory.
template <typename F>
__global__ void updateElements(Layout L, int M, int N, bool Conjugates,
                               bool Twice, Factor<F> Alpha, const T *X,
                               int IncX, const T *Y, int IncY, T *A) {
  const int I = blockIdx.x * Rows + threadIdx.x;
  const int J = blockIdx.y * Columns + threadIdx.y;
  if (I >= M || J >= N ||
      (L.Is != Layout::General && I != J && (I < J) != L.Upper))
    return;
  const F Times = Alpha.get();
  T Sum = Times * (element(X, I, M, IncX) *
                   conjugateIf(Conjugates, element(Y, J, N, IncY)));
  if (Twice)
    Sum += conjugateIf(Conjugates, Times) *
           (element(Y, I, M, IncY) *
            conjugateIf(Conjugates, element(X, J, N, IncX)));
  T &To = A[L.offset(I, J)];
  To += Sum;
  if (L.Is == Layout::Hermitian && I == J)
    To = as<T>(real(To));
}

template <typename F>
static cublasStatus_t run(cublasHandle_t H, const Layout &L, int M, int N,
                          bool Conjugates, bool Twice, const F *Alpha,
                          const T *X, int IncX, const T *Y, int IncY, T *A) {
  REQUIRE(M >= 0 && N >= 0 && IncX != 0 && IncY != 0 && Alpha);
  REQUIRE(L.In == Layout::Packed || fits(L.Leading, M));
  if (M == 0 || N == 0)
    return CUBLAS_STATUS_SUCCESS;
  return launch(H, updateElements<F>, dim3(blocks(M, Rows), blocks(N, Columns)),
                dim3(Rows, Columns), L, M, N, Conjugates, Twice,
                factor(H, Alpha), X, IncX, Y, IncY, A);
}

} // namespace heddle_blas

using namespace heddle_blas;

#define GENERAL(Name, Conjugates)                                              \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, int M, int N, const T *Alpha, \
                               const T *X, int IncX, const T *Y, int IncY,     \
                               T *A, int LDA) {                                \
    ENTER(H);                                                                  \
    return run(H, general(LDA, CUBLAS_OP_N), M, N, Conjugates, false, Alpha,   \
               X, IncX, Y, IncY, A);                                           \
  }
#define ONE_FULL(Name, Is, F)                                                  \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               const F *Alpha, const T *X, int IncX, T *A,     \
                               int LDA) {                                      \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill));                                                     \
    return run(H, triangle(Is, Layout::Full, Fill, N, 0, LDA), N, N,           \
               Is == Layout::Hermitian, false, Alpha, X, IncX, X, IncX, A);    \
  }
#define ONE_PACKED(Name, Is, F)                                                \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               const F *Alpha, const T *X, int IncX, T *A) {   \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill));                                                     \
    return run(H, triangle(Is, Layout::Packed, Fill, N, 0, 0), N, N,           \
               Is == Layout::Hermitian, false, Alpha, X, IncX, X, IncX, A);    \
  }
#define TWO_FULL(Name, Is)                                                     \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               const T *Alpha, const T *X, int IncX,           \
                               const T *Y, int IncY, T *A, int LDA) {          \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill));                                                     \
    return run(H, triangle(Is, Layout::Full, Fill, N, 0, LDA), N, N,           \
               Is == Layout::Hermitian, true, Alpha, X, IncX, Y, IncY, A);     \
  }
#define TWO_PACKED(Name, Is)                                                   \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, cublasFillMode_t Fill, int N, \
                               const T *Alpha, const T *X, int IncX,           \
                               const T *Y, int IncY, T *A) {                   \
    ENTER(H);                                                                  \
    REQUIRE(isFill(Fill));                                                     \
    return run(H, triangle(Is, Layout::Packed, Fill, N, 0, 0), N, N,           \
               Is == Layout::Hermitian, true, Alpha, X, IncX, Y, IncY, A);     \
  }

ONE_FULL(NAME(syr_v2), Layout::Symmetric, T)
TWO_FULL(NAME(syr2_v2), Layout::Symmetric)
#ifdef MIXED
GENERAL(NAME(geru_v2), false)
GENERAL(NAME(gerc_v2), true)
ONE_FULL(NAME(her_v2), Layout::Hermitian, R)
ONE_PACKED(NAME(hpr_v2), Layout::Hermitian, R)
TWO_FULL(NAME(her2_v2), Layout::Hermitian)
TWO_PACKED(NAME(hpr2_v2), Layout::Hermitian)
#else
GENERAL(NAME(ger_v2), false)
ONE_PACKED(NAME(spr_v2), Layout::Symmetric, T)
TWO_PACKED(NAME(spr2_v2), Layout::Symmetric)
#endif
