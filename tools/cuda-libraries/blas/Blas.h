//===- Blas.h - What each function of libcublas begins with -----*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_BLAS_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_BLAS_H

#include "../Library.h"
#include "Numbers.h"

#include <cublas_v2.h>

#include <vector>

struct cublasContext {
  cudaStream_t Stream = nullptr;
  cublasPointerMode_t Mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t Math = CUBLAS_DEFAULT_MATH;
  cublasAtomicsMode_t Atomics = CUBLAS_ATOMICS_NOT_ALLOWED;
  int Multiprocessors = 0;   ///< what the program asks for; has no effect
  void *Workspace = nullptr; ///< of reductions, allocated by the first
  /// Device memory for copies of operands. Graphs may hold launches that use
  /// the older ones, so all are kept; only the last one, the largest, is given.
  std::vector<void *> Scratch;
  size_t ScratchBytes = 0;
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
/// Returns the status of \p Call unless it is that of success.
#define TRY(Call)                                                              \
  do {                                                                         \
    if (const cublasStatus_t Status_ = (Call);                                 \
        Status_ != CUBLAS_STATUS_SUCCESS)                                      \
      return Status_;                                                          \
  } while (0)

inline cublasStatus_t status(cudaError_t E) {
  return E == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                          : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline bool isOperation(cublasOperation_t Op) {
  return Op == CUBLAS_OP_N || Op == CUBLAS_OP_T || Op == CUBLAS_OP_C;
}
inline bool isFill(cublasFillMode_t Fill) {
  return Fill == CUBLAS_FILL_MODE_LOWER || Fill == CUBLAS_FILL_MODE_UPPER;
}
inline bool isSide(cublasSideMode_t Side) {
  return Side == CUBLAS_SIDE_LEFT || Side == CUBLAS_SIDE_RIGHT;
}
inline bool isDiagonal(cublasDiagType_t D) {
  return D == CUBLAS_DIAG_NON_UNIT || D == CUBLAS_DIAG_UNIT;
}
/// Whether columns of \p Count elements fit a leading dimension.
inline bool fits(int Leading, int Count) {
  return Leading >= (Count > 1 ? Count : 1);
}

/// A factor such as alpha: of the host, or in device memory, where it may be a
/// real number that stands for a complex one.
template <typename T> struct Factor {
  T Value;
  const T *At;
  const RealOf<T> *AtReal;
  bool Conjugated;

  __device__ T get() const {
    const T X = At ? *At : AtReal ? as<T>(*AtReal) : Value;
    return conjugateIf(Conjugated, X);
  }
};
template <typename T> Factor<T> constant(T Value) {
  return {Value, nullptr, nullptr, false};
}
template <typename T> Factor<T> factor(cublasHandle_t H, const T *P) {
  if (H->Mode == CUBLAS_POINTER_MODE_DEVICE)
    return {T{}, P, nullptr, false};
  return constant(*P);
}
/// \p P is of the type T or of its parts.
template <typename T, typename R>
Factor<T> factorAs(cublasHandle_t H, const R *P) {
  if constexpr (std::is_same_v<T, R>)
    return factor<T>(H, P);
  else if (H->Mode == CUBLAS_POINTER_MODE_DEVICE)
    return {T{}, nullptr, P, false};
  else
    return constant(as<T>(*P));
}
template <typename T> Factor<T> conjugated(Factor<T> F) {
  F.Conjugated = !F.Conjugated;
  return F;
}

/// The matrices of a batch: in equal distances or by a list in device memory.
template <typename T> struct Batch {
  T *First;
  long long Stride;
  T *const *Each;

  __device__ T *at(int Z) const { return Each ? Each[Z] : First + Z * Stride; }
};
template <typename T> Batch<T> strided(T *First, long long Stride = 0) {
  return {First, Stride, nullptr};
}
template <typename T> Batch<T> listed(T *const *Each) {
  return {nullptr, 0, Each};
}
template <typename T> Batch<T> from(Batch<T> All, int Z) {
  return All.Each ? listed<T>(All.Each + Z)
                  : strided(All.First + Z * All.Stride, All.Stride);
}
/// The most matrices of a launch: the limit of a grid.
static constexpr int MaxBatch = 65535;

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

/// Device memory of the handle, until the next call asks for some.
cublasStatus_t scratch(cublasHandle_t H, size_t Bytes, void **To);
template <typename T>
cublasStatus_t scratch(cublasHandle_t H, size_t Elements, T **To) {
  void *Memory = nullptr;
  TRY(scratch(H, Elements * sizeof(T), &Memory));
  *To = static_cast<T *>(Memory);
  return CUBLAS_STATUS_SUCCESS;
}

/// Says on stderr that \p Function does not take these types.
cublasStatus_t refuseTypes(const char *Function, int X, int Y, int Of);

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_BLAS_H
