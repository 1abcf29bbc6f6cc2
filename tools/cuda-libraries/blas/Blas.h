//===- Blas.h - What each function of libcublas begins with -----*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_BLAS_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_BLAS_H

#include "../Library.h"

#include <cublas_v2.h>

struct cublasContext {
  cudaStream_t Stream = nullptr;
  cublasPointerMode_t Mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t Math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t Atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  void *Workspace = nullptr; ///< of reductions, allocated by the first
};

namespace heddle_blas {

/// Counts the call, and wants a handle.
#define ENTER(Handle)                                                          \
  do {                                                                         \
    __heddle_count(__func__);                                                  \
    if (!(Handle))                                                             \
      return CUBLAS_STATUS_NOT_INITIALIZED;                                    \
  } while (0)
#define REQUIRE(Condition)                                                     \
  do {                                                                         \
    if (!(Condition))                                                          \
      return CUBLAS_STATUS_INVALID_VALUE;                                      \
  } while (0)

inline cublasStatus_t status(cudaError_t E) {
  return E == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

using heddle_library::Scalar;
template <typename T> Scalar<T> scalar(cublasHandle_t H, const T *P) {
  return Scalar<T>::of(H->Mode == CUBLAS_POINTER_MODE_DEVICE, P);
}

/// Element \p I of a vector of \p N: a negative step begins at the other end.
template <typename T>
__device__ T &element(T *X, long long I, long long N, long long Step) {
  return X[Step < 0 ? (I - N + 1) * Step : I * Step];
}

using heddle_library::As;
using heddle_library::blocks;
/// Launches \p Kernel on the stream of \p H.
template <typename... P>
cublasStatus_t launch(cublasHandle_t H, void (*Kernel)(P...), dim3 Grid,
                      dim3 Block, typename As<P>::Type... Arguments) {
  return status(
      heddle_library::launch(H->Stream, Kernel, Grid, Block, 0, Arguments...));
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_BLAS_H
