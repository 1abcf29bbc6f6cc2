//===- Numbers.h - Arithmetic of real and complex elements ------*- C++ -*-===//
//
// Kernels are templates over float, double, cuComplex and cuDoubleComplex:
// what is said here for a complex number holds for a real one, too.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_NUMBERS_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_NUMBERS_H

#include <cuComplex.h>
#include <cuda_runtime.h>

#include <cmath>
#include <type_traits>

namespace heddle_blas {

template <typename T> struct Number {
  using Real = T;
  static constexpr bool IsComplex = false;
};
template <> struct Number<cuComplex> {
  using Real = float;
  static constexpr bool IsComplex = true;
};
template <> struct Number<cuDoubleComplex> {
  using Real = double;
  static constexpr bool IsComplex = true;
};
template <typename T> using RealOf = typename Number<T>::Real;
template <typename T> inline constexpr bool IsComplex = Number<T>::IsComplex;
template <typename T> using IfComplex = std::enable_if_t<IsComplex<T>, int>;

#define BOTH __host__ __device__

template <typename T, IfComplex<T> = 0> BOTH T operator-(T A) {
  return {-A.x, -A.y};
}
template <typename T, IfComplex<T> = 0> BOTH T operator+(T A, T B) {
  return {A.x + B.x, A.y + B.y};
}
template <typename T, IfComplex<T> = 0> BOTH T operator-(T A, T B) {
  return {A.x - B.x, A.y - B.y};
}
template <typename T, IfComplex<T> = 0> BOTH T operator*(T A, T B) {
  return {A.x * B.x - A.y * B.y, A.x * B.y + A.y * B.x};
}
template <typename T, IfComplex<T> = 0> BOTH T operator*(RealOf<T> A, T B) {
  return {A * B.x, A * B.y};
}
/// Scaled by the larger part of \p B, so that it does not overflow early.
template <typename T, IfComplex<T> = 0> BOTH T operator/(T A, T B) {
  const RealOf<T> Scale = fabs(B.x) > fabs(B.y) ? fabs(B.x) : fabs(B.y);
  const RealOf<T> X = B.x / Scale, Y = B.y / Scale;
  const RealOf<T> Square = (X * X + Y * Y) * Scale;
  return {(A.x * X + A.y * Y) / Square, (A.y * X - A.x * Y) / Square};
}
template <typename T, IfComplex<T> = 0> BOTH T &operator+=(T &A, T B) {
  return A = A + B;
}
template <typename T, IfComplex<T> = 0> BOTH T &operator-=(T &A, T B) {
  return A = A - B;
}

/// \p From as a number of another type; a real one becomes a complex one.
template <typename To, typename From> BOTH To as(From X) {
  if constexpr (IsComplex<To> && !IsComplex<From>)
    return {RealOf<To>(X), 0};
  else if constexpr (IsComplex<To> && !std::is_same_v<To, From>)
    return {RealOf<To>(X.x), RealOf<To>(X.y)};
  else
    return To(X);
}
template <typename T> BOTH RealOf<T> real(T X) {
  if constexpr (IsComplex<T>)
    return X.x;
  else
    return X;
}
template <typename T> BOTH RealOf<T> imaginary(T X) {
  if constexpr (IsComplex<T>)
    return X.y;
  else
    return 0;
}
template <typename T> BOTH T conjugate(T X) {
  if constexpr (IsComplex<T>)
    return {X.x, -X.y};
  else
    return X;
}
template <typename T> BOTH T conjugateIf(bool Condition, T X) {
  return Condition ? conjugate(X) : X;
}
template <typename T> BOTH bool isZero(T X) {
  return real(X) == 0 && imaginary(X) == 0;
}
/// The sum of both parts, as BLAS compares and adds complex numbers.
template <typename T> BOTH RealOf<T> size(T X) {
  if constexpr (IsComplex<T>)
    return fabs(X.x) + fabs(X.y);
  else
    return X < 0 ? -X : X;
}
/// The length of the vector in the plane, which does not overflow early.
template <typename T> BOTH RealOf<T> length(T X) {
  if constexpr (IsComplex<T>)
    return hypot(X.x, X.y);
  else
    return fabs(X);
}
template <typename T> __device__ T shuffleDown(T X, int Step) {
  if constexpr (IsComplex<T>)
    return {__shfl_down_sync(~0u, X.x, Step), __shfl_down_sync(~0u, X.y, Step)};
  else
    return __shfl_down_sync(~0u, X, Step);
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_NUMBERS_H
