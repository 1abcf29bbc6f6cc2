//===- vectors.cu - Level 1: a new value for each element -----------------===//

#include "../Typed.h"
#include "../Vectors.h"

using namespace heddle_blas;

EXPORTED cublasStatus_t NAME(axpy_v2)(cublasHandle_t H, int N, const T *Alpha,
                                      const T *X, int IncX, T *Y, int IncY) {
  ENTER(H);
  return runAxpy(H, N, Alpha, X, IncX, Y, IncY);
}
EXPORTED cublasStatus_t NAME(scal_v2)(cublasHandle_t H, int N, const T *Alpha,
                                      T *X, int IncX) {
  ENTER(H);
  return runScal<T, T>(H, N, Alpha, X, IncX);
}
EXPORTED cublasStatus_t NAME(copy_v2)(cublasHandle_t H, int N, const T *X,
                                      int IncX, T *Y, int IncY) {
  ENTER(H);
  return runCopy(H, N, X, IncX, Y, IncY);
}
EXPORTED cublasStatus_t NAME(swap_v2)(cublasHandle_t H, int N, T *X, int IncX,
                                      T *Y, int IncY) {
  ENTER(H);
  return runSwap(H, N, X, IncX, Y, IncY);
}
EXPORTED cublasStatus_t NAME(rot_v2)(cublasHandle_t H, int N, T *X, int IncX,
                                     T *Y, int IncY, const R *C,
                                     const T *Sine) {
  ENTER(H);
  REQUIRE(C && Sine);
  return runRot<T, T>(H, N, X, IncX, Y, IncY, factor(H, C), factor(H, Sine));
}

#ifdef MIXED
EXPORTED cublasStatus_t MIXED(scal_v2)(cublasHandle_t H, int N, const R *Alpha,
                                       T *X, int IncX) {
  ENTER(H);
  return runScal<T, T>(H, N, Alpha, X, IncX);
}
EXPORTED cublasStatus_t MIXED(rot_v2)(cublasHandle_t H, int N, T *X, int IncX,
                                      T *Y, int IncY, const R *C,
                                      const R *Sine) {
  ENTER(H);
  REQUIRE(C && Sine);
  return runRot<T, T>(H, N, X, IncX, Y, IncY, factor(H, C), factor(H, Sine));
}
#else
EXPORTED cublasStatus_t NAME(rotm_v2)(cublasHandle_t H, int N, T *X, int IncX,
                                      T *Y, int IncY, const T *Given) {
  ENTER(H);
  return runRotm<T, T>(H, N, X, IncX, Y, IncY, Given);
}
#endif
