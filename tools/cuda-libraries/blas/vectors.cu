//===- vectors.cu - Level 1: one thread for each element ------------------===//

#include "Blas.h"

namespace heddle_blas {

static constexpr unsigned Threads = 256;

__device__ static long long index() {
  return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

template <typename T>
__global__ void axpy(int N, Scalar<T> Alpha, const T *X, int IncX, T *Y,
                     int IncY) {
  if (const long long I = index(); I < N)
    element(Y, I, N, IncY) += Alpha.get() * element(X, I, N, IncX);
}
template <typename T>
__global__ void scal(int N, Scalar<T> Alpha, T *X, int IncX) {
  if (const long long I = index(); I < N)
    element(X, I, N, IncX) *= Alpha.get();
}
template <typename T>
__global__ void copy(int N, const T *X, int IncX, T *Y, int IncY) {
  if (const long long I = index(); I < N)
    element(Y, I, N, IncY) = element(X, I, N, IncX);
}
template <typename T>
__global__ void swap(int N, T *X, int IncX, T *Y, int IncY) {
  const long long I = index();
  if (I >= N)
    return;
  const T Old = element(X, I, N, IncX);
  element(X, I, N, IncX) = element(Y, I, N, IncY);
  element(Y, I, N, IncY) = Old;
}
template <typename T>
__global__ void rot(int N, T *X, int IncX, T *Y, int IncY, Scalar<T> C,
                    Scalar<T> S) {
  const long long I = index();
  if (I >= N)
    return;
  const T A = element(X, I, N, IncX), B = element(Y, I, N, IncY);
  element(X, I, N, IncX) = C.get() * A + S.get() * B;
  element(Y, I, N, IncY) = C.get() * B - S.get() * A;
}

} // namespace heddle_blas

using namespace heddle_blas;

#define FUNCTIONS(S, T)                                                        \
  EXPORTED cublasStatus_t cublas##S##axpy_v2(cublasHandle_t H, int N,          \
                                             const T *Alpha, const T *X,       \
                                             int IncX, T *Y, int IncY) {       \
    ENTER(H);                                                                  \
    REQUIRE(Alpha);                                                            \
    return N <= 0 ? CUBLAS_STATUS_SUCCESS                                      \
                  : launch(H, axpy<T>, blocks(N, Threads), Threads, N,         \
                           scalar(H, Alpha), X, IncX, Y, IncY);                \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##scal_v2(cublasHandle_t H, int N,          \
                                             const T *Alpha, T *X, int IncX) { \
    ENTER(H);                                                                  \
    REQUIRE(Alpha);                                                            \
    return N <= 0 || IncX <= 0                                                 \
               ? CUBLAS_STATUS_SUCCESS                                         \
               : launch(H, scal<T>, blocks(N, Threads), Threads, N,            \
                        scalar(H, Alpha), X, IncX);                            \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##copy_v2(                                  \
      cublasHandle_t H, int N, const T *X, int IncX, T *Y, int IncY) {         \
    ENTER(H);                                                                  \
    return N <= 0 ? CUBLAS_STATUS_SUCCESS                                      \
                  : launch(H, heddle_blas::copy<T>, blocks(N, Threads),        \
                           Threads, N, X, IncX, Y, IncY);                      \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##swap_v2(cublasHandle_t H, int N, T *X,    \
                                             int IncX, T *Y, int IncY) {       \
    ENTER(H);                                                                  \
    return N <= 0 ? CUBLAS_STATUS_SUCCESS                                      \
                  : launch(H, heddle_blas::swap<T>, blocks(N, Threads),        \
                           Threads, N, X, IncX, Y, IncY);                      \
  }                                                                            \
  EXPORTED cublasStatus_t cublas##S##rot_v2(cublasHandle_t H, int N, T *X,     \
                                            int IncX, T *Y, int IncY,          \
                                            const T *C, const T *Sine) {       \
    ENTER(H);                                                                  \
    REQUIRE(C && Sine);                                                        \
    return N <= 0 ? CUBLAS_STATUS_SUCCESS                                      \
                  : launch(H, rot<T>, blocks(N, Threads), Threads, N, X, IncX, \
                           Y, IncY, scalar(H, C), scalar(H, Sine));            \
  }
FUNCTIONS(S, float)
FUNCTIONS(D, double)
