//===- Vectors.h - Level 1: one thread for each element ---------*- C++ -*-===//
//
// Elements are of type E in memory, arithmetic is in C.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_VECTORS_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_VECTORS_H

#include "Blas.h"

namespace heddle_blas {

static constexpr unsigned VectorThreads = 256;

static __device__ inline long long index() {
  return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

template <typename E, typename C>
__global__ void axpy(int N, Factor<C> Alpha, const E *X, int IncX, E *Y,
                     int IncY) {
  const long long I = index();
  if (I >= N)
    return;
  E &To = element(Y, I, N, IncY);
  To = as<E>(Alpha.get() * as<C>(element(X, I, N, IncX)) + as<C>(To));
}
template <typename E, typename C, typename F>
__global__ void scal(int N, Factor<F> Alpha, E *X, int IncX) {
  const long long I = index();
  if (I < N)
    X[I * IncX] = as<E>(Alpha.get() * as<C>(X[I * IncX]));
}
template <typename E>
__global__ void copy(int N, const E *X, int IncX, E *Y, int IncY) {
  if (const long long I = index(); I < N)
    element(Y, I, N, IncY) = element(X, I, N, IncX);
}
template <typename E>
__global__ void swap(int N, E *X, int IncX, E *Y, int IncY) {
  const long long I = index();
  if (I >= N)
    return;
  const E Old = element(X, I, N, IncX);
  element(X, I, N, IncX) = element(Y, I, N, IncY);
  element(Y, I, N, IncY) = Old;
}
/// A factor of the type F as a number to compute with.
template <typename C, typename F>
using Computed = std::conditional_t<IsComplex<F>, C, RealOf<C>>;
/// The cosine is a real number, or a complex one without an imaginary part.
template <typename E, typename C, typename Cosine, typename Sine>
__global__ void rot(int N, E *X, int IncX, E *Y, int IncY, Factor<Cosine> Cos,
                    Factor<Sine> Sin) {
  const long long I = index();
  if (I >= N)
    return;
  E &OfX = element(X, I, N, IncX), &OfY = element(Y, I, N, IncY);
  const C A = as<C>(OfX), B = as<C>(OfY);
  const auto Keep = as<Computed<C, Cosine>>(Cos.get());
  const auto Mix = as<Computed<C, Sine>>(Sin.get());
  OfX = as<E>(Keep * A + Mix * B);
  OfY = as<E>(Keep * B - conjugate(Mix) * A);
}

/// A modified rotation: which of the four elements of the matrix are given.
template <typename C> struct Modified {
  C Flag, H11, H21, H12, H22;

  BOTH void apply(C &X, C &Y) const {
    const C A = X, B = Y;
    if (Flag == C(-2))
      return;
    X = (Flag == C(0) ? A : H11 * A) + (Flag == C(1) ? B : H12 * B);
    Y = (Flag == C(1) ? -A : H21 * A) + (Flag == C(0) ? B : H22 * B);
  }
};
template <typename E, typename C>
__global__ void rotm(int N, E *X, int IncX, E *Y, int IncY, Modified<C> Given,
                     const E *At) {
  const long long I = index();
  if (I >= N)
    return;
  if (At)
    Given = {as<C>(At[0]), as<C>(At[1]), as<C>(At[2]), as<C>(At[3]),
             as<C>(At[4])};
  E &OfX = element(X, I, N, IncX), &OfY = element(Y, I, N, IncY);
  C A = as<C>(OfX), B = as<C>(OfY);
  Given.apply(A, B);
  OfX = as<E>(A);
  OfY = as<E>(B);
}

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

template <typename E, typename C>
cublasStatus_t runAxpy(cublasHandle_t H, int N, const C *Alpha, const E *X,
                       int IncX, E *Y, int IncY) {
  REQUIRE(Alpha);
  return N <= 0 ? CUBLAS_STATUS_SUCCESS
                : launch(H, axpy<E, C>, blocks(N, VectorThreads), VectorThreads,
                         N, factor(H, Alpha), X, IncX, Y, IncY);
}
template <typename E, typename C, typename F>
cublasStatus_t runScal(cublasHandle_t H, int N, const F *Alpha, E *X,
                       int IncX) {
  REQUIRE(Alpha);
  return N <= 0 || IncX <= 0
             ? CUBLAS_STATUS_SUCCESS
             : launch(H, scal<E, C, F>, blocks(N, VectorThreads), VectorThreads,
                      N, factor(H, Alpha), X, IncX);
}
template <typename E>
cublasStatus_t runCopy(cublasHandle_t H, int N, const E *X, int IncX, E *Y,
                       int IncY) {
  return N <= 0 ? CUBLAS_STATUS_SUCCESS
                : launch(H, heddle_blas::copy<E>, blocks(N, VectorThreads),
                         VectorThreads, N, X, IncX, Y, IncY);
}
template <typename E>
cublasStatus_t runSwap(cublasHandle_t H, int N, E *X, int IncX, E *Y,
                       int IncY) {
  return N <= 0 ? CUBLAS_STATUS_SUCCESS
                : launch(H, heddle_blas::swap<E>, blocks(N, VectorThreads),
                         VectorThreads, N, X, IncX, Y, IncY);
}
template <typename E, typename C, typename Cosine, typename Sine>
cublasStatus_t runRot(cublasHandle_t H, int N, E *X, int IncX, E *Y, int IncY,
                      Factor<Cosine> Cos, Factor<Sine> Sin) {
  return N <= 0 ? CUBLAS_STATUS_SUCCESS
                : launch(H, rot<E, C, Cosine, Sine>, blocks(N, VectorThreads),
                         VectorThreads, N, X, IncX, Y, IncY, Cos, Sin);
}
template <typename E, typename C>
cublasStatus_t runRotm(cublasHandle_t H, int N, E *X, int IncX, E *Y, int IncY,
                       const E *Given) {
  REQUIRE(Given);
  const bool OnDevice = H->Mode == CUBLAS_POINTER_MODE_DEVICE;
  Modified<C> Values = {};
  if (!OnDevice)
    Values = {as<C>(Given[0]), as<C>(Given[1]), as<C>(Given[2]),
              as<C>(Given[3]), as<C>(Given[4])};
  return N <= 0
             ? CUBLAS_STATUS_SUCCESS
             : launch(H, rotm<E, C>, blocks(N, VectorThreads), VectorThreads, N,
                      X, IncX, Y, IncY, Values, OnDevice ? Given : nullptr);
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_VECTORS_H
