//===- rotations.cu - Level 1: the making of rotations --------------------===//

#include "../Rotations.h"
#include "../Typed.h"

using namespace heddle_blas;

EXPORTED cublasStatus_t NAME(rotg_v2)(cublasHandle_t H, T *A, T *B, R *C,
                                      T *Sine) {
  ENTER(H);
  REQUIRE(A && B && C && Sine);
  if (H->Mode == CUBLAS_POINTER_MODE_DEVICE)
    return launch(H, rotg<T>, 1, 1, A, B, C, Sine);
  make(*A, *B, *C, *Sine);
  return CUBLAS_STATUS_SUCCESS;
}

#ifndef MIXED
EXPORTED cublasStatus_t NAME(rotmg_v2)(cublasHandle_t H, T *D1, T *D2, T *X1,
                                       const T *Y1, T *Matrix) {
  ENTER(H);
  REQUIRE(D1 && D2 && X1 && Y1 && Matrix);
  if (H->Mode == CUBLAS_POINTER_MODE_DEVICE)
    return launch(H, rotmg<T>, 1, 1, D1, D2, X1, Y1, Matrix);
  ModifiedMaker<T>(*D1, *D2, *X1, Matrix).make(*Y1);
  return CUBLAS_STATUS_SUCCESS;
}
#endif
