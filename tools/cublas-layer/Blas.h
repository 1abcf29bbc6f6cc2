//===- Blas.h - What each function of libcublas begins with -----*- C++ -*-===//
//
// The library is a CUDA program: its kernels are launched through libcudart, so
// that a recording has them as it has the program's own.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUBLAS_LAYER_BLAS_H
#define HEDDLE_CUBLAS_LAYER_BLAS_H

#include <cublas_v2.h>

#define EXPORTED extern "C" __attribute__((visibility("default")))
EXPORTED void __heddle_count(const char *Function); // in libcudart

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

/// A parameter such as alpha, where the handle's pointer mode says.
template <typename T> struct Scalar {
  T Value;
  const T *At; ///< in device memory, or null
  __device__ T get() const { return At ? *At : Value; }
};
template <typename T> Scalar<T> scalar(cublasHandle_t H, const T *P) {
  return H->Mode == CUBLAS_POINTER_MODE_DEVICE ? Scalar<T>{T(), P}
                                               : Scalar<T>{*P, nullptr};
}

/// Element \p I of a vector of \p N: a negative step begins at the other end.
template <typename T>
__device__ T &element(T *X, long long I, long long N, long long Step) {
  return X[Step < 0 ? (I - N + 1) * Step : I * Step];
}

template <typename T> struct As {
  using Type = T;
};
/// Launches \p Kernel on the stream of \p H.
template <typename... P>
cublasStatus_t launch(cublasHandle_t H, void (*Kernel)(P...), dim3 Grid,
                      dim3 Block, typename As<P>::Type... Arguments) {
  void *At[] = {(void *)&Arguments...};
  return status(
      cudaLaunchKernel((const void *)Kernel, Grid, Block, At, 0, H->Stream));
}

inline unsigned blocks(long long Elements, unsigned Each) {
  return unsigned((Elements + Each - 1) / Each);
}

} // namespace heddle_blas

#endif // HEDDLE_CUBLAS_LAYER_BLAS_H
