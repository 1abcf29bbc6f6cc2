//===- rotations_any.cu - Rotations whose types are given at the call -----===//

#include "Rotations.h"
#include "Vectors.h"

using namespace heddle_blas;

template <typename T>
static cublasStatus_t runRotg(cublasHandle_t H, void *A, void *B, void *C,
                              void *S) {
  auto *OfA = static_cast<T *>(A), *OfB = static_cast<T *>(B);
  auto *Cosine = static_cast<RealOf<T> *>(C);
  auto *Sine = static_cast<T *>(S);
  if (H->Mode == CUBLAS_POINTER_MODE_DEVICE)
    return launch(H, rotg<T>, 1, 1, OfA, OfB, Cosine, Sine);
  make(*OfA, *OfB, *Cosine, *Sine);
  return CUBLAS_STATUS_SUCCESS;
}
/// The cosine is a real number.
EXPORTED cublasStatus_t cublasRotgEx(cublasHandle_t H, void *A, void *B,
                                     cudaDataType OfBoth, void *C, void *S,
                                     cudaDataType OfRotation,
                                     cudaDataType Type) {
  ENTER(H);
  REQUIRE(A && B && C && S);
  if (OfBoth == OfRotation && OfBoth == Type) {
    if (Type == CUDA_R_32F)
      return runRotg<float>(H, A, B, C, S);
    if (Type == CUDA_R_64F)
      return runRotg<double>(H, A, B, C, S);
    if (Type == CUDA_C_32F)
      return runRotg<cuComplex>(H, A, B, C, S);
    if (Type == CUDA_C_64F)
      return runRotg<cuDoubleComplex>(H, A, B, C, S);
  }
  return refuseTypes(__func__, OfBoth, OfRotation, Type);
}

EXPORTED cublasStatus_t cublasRotmEx(cublasHandle_t H, int N, void *X,
                                     cudaDataType OfX, int IncX, void *Y,
                                     cudaDataType OfY, int IncY,
                                     const void *Given, cudaDataType OfGiven,
                                     cudaDataType Type) {
  ENTER(H);
  const auto Run = [&](auto E) {
    using T = decltype(E);
    return runRotm<T, T>(H, N, static_cast<T *>(X), IncX, static_cast<T *>(Y),
                         IncY, static_cast<const T *>(Given));
  };
  if (OfX == OfY && OfX == OfGiven && OfX == Type && Type == CUDA_R_32F)
    return Run(0.0f);
  if (OfX == OfY && OfX == OfGiven && OfX == Type && Type == CUDA_R_64F)
    return Run(0.0);
  return refuseTypes(__func__, OfX, OfY, Type);
}

EXPORTED cublasStatus_t cublasRotmgEx(cublasHandle_t H, void *D1,
                                      cudaDataType OfD1, void *D2,
                                      cudaDataType OfD2, void *X1,
                                      cudaDataType OfX1, const void *Y1,
                                      cudaDataType OfY1, void *Given,
                                      cudaDataType OfGiven, cudaDataType Type) {
  ENTER(H);
  REQUIRE(D1 && D2 && X1 && Y1 && Given);
  const auto Run = [&](auto E) {
    using T = decltype(E);
    auto *First = static_cast<T *>(D1), *Second = static_cast<T *>(D2);
    auto *X = static_cast<T *>(X1), *To = static_cast<T *>(Given);
    auto *Y = static_cast<const T *>(Y1);
    if (H->Mode == CUBLAS_POINTER_MODE_DEVICE)
      return launch(H, rotmg<T>, 1, 1, First, Second, X, Y, To);
    ModifiedMaker<T>(*First, *Second, *X, To).make(*Y);
    return CUBLAS_STATUS_SUCCESS;
  };
  const bool Same = OfD1 == Type && OfD2 == Type && OfX1 == Type &&
                    OfY1 == Type && OfGiven == Type;
  if (Same && Type == CUDA_R_32F)
    return Run(0.0f);
  if (Same && Type == CUDA_R_64F)
    return Run(0.0);
  return refuseTypes(__func__, OfD1, OfGiven, Type);
}
