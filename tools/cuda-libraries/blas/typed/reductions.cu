//===- reductions.cu - Level 1: one number of a vector --------------------===//

#include "../Reductions.h"
#include "../Typed.h"

using namespace heddle_blas;

#define PRODUCT(Name, Conjugates)                                              \
  EXPORTED cublasStatus_t Name(cublasHandle_t H, int N, const T *X, int IncX,  \
                               const T *Y, int IncY, T *To) {                  \
    ENTER(H);                                                                  \
    return reduceAll<Dot<T, Conjugates>>(H, N, X, IncX, Y, IncY, To);          \
  }
#ifdef MIXED
PRODUCT(NAME(dotu_v2), false)
PRODUCT(NAME(dotc_v2), true)
#else
PRODUCT(NAME(dot_v2), false)
#endif

EXPORTED cublasStatus_t NORM(nrm2_v2)(cublasHandle_t H, int N, const T *X,
                                      int IncX, R *To) {
  ENTER(H);
  return reduceOne<Nrm2<T>>(H, N, X, IncX, To);
}
EXPORTED cublasStatus_t NORM(asum_v2)(cublasHandle_t H, int N, const T *X,
                                      int IncX, R *To) {
  ENTER(H);
  return reduceOne<Asum<T>>(H, N, X, IncX, To);
}
EXPORTED cublasStatus_t INDEX(amax_v2)(cublasHandle_t H, int N, const T *X,
                                       int IncX, int *To) {
  ENTER(H);
  return reduceOne<Extreme<T, true>>(H, N, X, IncX, To);
}
EXPORTED cublasStatus_t INDEX(amin_v2)(cublasHandle_t H, int N, const T *X,
                                       int IncX, int *To) {
  ENTER(H);
  return reduceOne<Extreme<T, false>>(H, N, X, IncX, To);
}
