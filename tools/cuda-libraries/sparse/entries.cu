//===- entries.cu - Sparse vectors, entry by entry ------------------------===//

#include "Sparse.h"

namespace heddle_sparse {

__device__ static long long index() {
  return (long long)blockIdx.x * Threads + threadIdx.x;
}

template <typename T>
__global__ void __launch_bounds__(Threads)
    gather(long long N, Integers At, int Base, const T *From, T *To) {
  if (const long long I = index(); I < N)
    To[I] = From[At[I] - Base];
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    scatter(long long N, Integers At, int Base, const T *From, T *To) {
  if (const long long I = index(); I < N)
    To[At[I] - Base] = From[I];
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    scaleVector(long long N, Scalar<T> Beta, T *Y) {
  const long long I = index();
  if (I < N)
    result(Y[I], Beta, T(0), Beta);
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    addScaled(long long N, Integers At, int Base, Scalar<T> Alpha, const T *X,
              T *Y) {
  if (const long long I = index(); I < N)
    Y[At[I] - Base] += Alpha.get() * X[I];
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    rotate(long long N, Integers At, int Base, Scalar<T> Cosine, Scalar<T> Sine,
           T *X, T *Y) {
  const long long I = index();
  if (I >= N)
    return;
  T &OfY = Y[At[I] - Base];
  const T A = X[I], B = OfY;
  X[I] = Cosine.get() * A + Sine.get() * B;
  OfY = Cosine.get() * B - Sine.get() * A;
}

/// What the functions have in common: the arrays, with the type T.
template <typename T> struct Pair {
  long long N;
  Integers At;
  int Base;
  T *X, *Y;

  Pair(const cusparseSpVecDescr &V, const cusparseDnVecDescr &W)
      : N(V.Entries), At(integers(V.Indices, V.IndexType)), Base(int(V.Base)),
        X(static_cast<T *>(V.Values)), Y(static_cast<T *>(W.Values)) {}
};

} // namespace heddle_sparse

using namespace heddle_sparse;

#define CHECK(X, Y)                                                            \
  do {                                                                         \
    ENTER(H);                                                                  \
    REQUIRE(X && Y && X->Size == Y->Size);                                     \
    if (!isSupported(X->Type, Y->Type))                                        \
      return refuseTypes(__func__);                                            \
  } while (0)

EXPORTED cusparseStatus_t cusparseGather(cusparseHandle_t H,
                                         cusparseConstDnVecDescr_t Y,
                                         cusparseSpVecDescr_t X) {
  CHECK(X, Y);
  return withType(X->Type, [&](auto Zero) {
    const Pair<decltype(Zero)> P(*X, *Y);
    return launch(H, gather<decltype(Zero)>, P.N, Threads, P.N, P.At, P.Base,
                  P.Y, P.X);
  });
}
EXPORTED cusparseStatus_t cusparseScatter(cusparseHandle_t H,
                                          cusparseConstSpVecDescr_t X,
                                          cusparseDnVecDescr_t Y) {
  CHECK(X, Y);
  return withType(X->Type, [&](auto Zero) {
    const Pair<decltype(Zero)> P(*X, *Y);
    return launch(H, scatter<decltype(Zero)>, P.N, Threads, P.N, P.At, P.Base,
                  P.X, P.Y);
  });
}
EXPORTED cusparseStatus_t cusparseAxpby(cusparseHandle_t H, const void *Alpha,
                                        cusparseConstSpVecDescr_t X,
                                        const void *Beta,
                                        cusparseDnVecDescr_t Y) {
  CHECK(X, Y);
  REQUIRE(Alpha && Beta);
  return withType(X->Type, [&](auto Zero) {
    using T = decltype(Zero);
    const Pair<T> P(*X, *Y);
    TRY(launch(H, scaleVector<T>, Y->Size, Threads, (long long)Y->Size,
               scalar<T>(H, Beta), P.Y));
    return launch(H, addScaled<T>, P.N, Threads, P.N, P.At, P.Base,
                  scalar<T>(H, Alpha), P.X, P.Y);
  });
}
EXPORTED cusparseStatus_t cusparseRot(cusparseHandle_t H, const void *Cosine,
                                      const void *Sine, cusparseSpVecDescr_t X,
                                      cusparseDnVecDescr_t Y) {
  CHECK(X, Y);
  REQUIRE(Cosine && Sine);
  return withType(X->Type, [&](auto Zero) {
    using T = decltype(Zero);
    const Pair<T> P(*X, *Y);
    return launch(H, rotate<T>, P.N, Threads, P.N, P.At, P.Base,
                  scalar<T>(H, Cosine), scalar<T>(H, Sine), P.X, P.Y);
  });
}
