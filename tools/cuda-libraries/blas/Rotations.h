//===- Rotations.h - The rotation that makes an element zero ----*- C++ -*-===//
//
// Level 1 of the reference BLAS: a few numbers, computed where they lie.
//
//===----------------------------------------------------------------------===//

#ifndef HEDDLE_CUDA_LIBRARIES_BLAS_ROTATIONS_H
#define HEDDLE_CUDA_LIBRARIES_BLAS_ROTATIONS_H

#include "Blas.h"

namespace heddle_blas {

/// A becomes r and B becomes z, from which C and S can be made again.
template <typename T> BOTH void makeReal(T &A, T &B, T &C, T &S) {
  const T Larger = fabs(A) > fabs(B) ? A : B;
  const T Scale = fabs(A) + fabs(B);
  if (Scale == 0) {
    C = 1;
    S = A = B = 0;
    return;
  }
  const T X = A / Scale, Y = B / Scale;
  const T Root = T(sqrt(X * X + Y * Y)) * Scale;
  const T Length = Larger < 0 ? -Root : Root;
  C = A / Length;
  S = B / Length;
  const T Z = fabs(A) > fabs(B) ? S : C != 0 ? 1 / C : T(1);
  A = Length;
  B = Z;
}
/// A becomes r; C is real.
template <typename T> BOTH void makeComplex(T &A, T B, RealOf<T> &C, T &S) {
  const RealOf<T> OfA = length(A), OfB = length(B);
  if (OfA == 0) {
    C = 0;
    S = as<T>(RealOf<T>(1));
    A = B;
    return;
  }
  const RealOf<T> Norm = hypot(OfA, OfB);
  const T Direction = (1 / OfA) * A;
  C = OfA / Norm;
  S = (1 / Norm) * (Direction * conjugate(B));
  A = Norm * Direction;
}
template <typename T> BOTH void make(T &A, T &B, RealOf<T> &C, T &S) {
  if constexpr (IsComplex<T>)
    makeComplex(A, B, C, S);
  else
    makeReal(A, B, C, S);
}

/// The matrix of a modified rotation, which keeps D1 and D2 near 1.
template <typename T> class ModifiedMaker {
  T &D1, &D2, &X1;
  T *P;
  static constexpr T Gamma = 4096;

  /// Writes out all four elements, so that they can be scaled.
  BOTH void complete() {
    if (P[0] == 0)
      P[1] = P[4] = 1;
    else if (P[0] == 1) {
      P[2] = -1;
      P[3] = 1;
    }
    P[0] = -1;
  }
  BOTH void vanish() {
    P[0] = -1;
    P[1] = P[2] = P[3] = P[4] = D1 = D2 = X1 = 0;
  }
  /// Multiplies \p D by powers of Gamma squared, the row of it by Gamma.
  BOTH void scale(T &D, T &First, T &Second, T *X) {
    while (D != 0 &&
           (fabs(D) <= 1 / (Gamma * Gamma) || fabs(D) >= Gamma * Gamma)) {
      complete();
      const bool Small = fabs(D) < 1;
      const T By = Small ? 1 / Gamma : Gamma;
      D = Small ? D * Gamma * Gamma : D / (Gamma * Gamma);
      First *= By;
      Second *= By;
      if (X)
        *X *= By;
    }
  }

public:
  BOTH ModifiedMaker(T &D1, T &D2, T &X1, T *P)
      : D1(D1), D2(D2), X1(X1), P(P) {}

  BOTH void make(T Y1) {
    if (D1 < 0)
      return vanish();
    const T P2 = D2 * Y1;
    if (P2 == 0) {
      P[0] = -2;
      return;
    }
    const T P1 = D1 * X1, Q2 = P2 * Y1, Q1 = P1 * X1;
    if (fabs(Q1) > fabs(Q2)) {
      P[2] = -Y1 / X1;
      P[3] = P2 / P1;
      const T U = 1 - P[3] * P[2];
      if (U <= 0)
        return vanish();
      P[0] = 0;
      D1 /= U;
      D2 /= U;
      X1 *= U;
    } else {
      if (Q2 < 0)
        return vanish();
      P[0] = 1;
      P[1] = P1 / P2;
      P[4] = X1 / Y1;
      const T U = 1 + P[1] * P[4], Old = D2 / U;
      D2 = D1 / U;
      D1 = Old;
      X1 = Y1 * U;
    }
    scale(D1, P[1], P[3], &X1);
    scale(D2, P[2], P[4], nullptr);
  }
};

template <typename T> __global__ void rotg(T *A, T *B, RealOf<T> *C, T *S) {
  make(*A, *B, *C, *S);
}
template <typename T>
__global__ void rotmg(T *D1, T *D2, T *X1, const T *Y1, T *P) {
  ModifiedMaker<T>(*D1, *D2, *X1, P).make(*Y1);
}

} // namespace heddle_blas

#endif // HEDDLE_CUDA_LIBRARIES_BLAS_ROTATIONS_H
