//===- vectors.cu - Products of sparse matrices and vectors ---------------===//

#include "Sparse.h"

namespace heddle_sparse {

/// y = alpha * A * x + beta * y: a warp for each row.
template <typename T>
__global__ void __launch_bounds__(Threads)
    rows(Sparse<T> A, Scalar<T> Alpha, const T *X, Scalar<T> Beta, T *Y) {
  const long long Row = ((long long)blockIdx.x * Threads + threadIdx.x) / Warp;
  if (Row >= A.Rows)
    return;
  const unsigned Lane = threadIdx.x % Warp;
  const long long End = A.begin(Row + 1);
  T Sum = 0;
  for (long long I = A.begin(Row) + Lane; I < End; I += Warp)
    Sum += A.Values[I] * X[A.column(I)];
  for (unsigned Half = Warp / 2; Half > 0; Half /= 2)
    Sum += __shfl_down_sync(0xffffffff, Sum, Half);
  if (Lane == 0)
    result(Y[Row], Alpha, Sum, Beta);
}

template <typename T>
__global__ void __launch_bounds__(Threads)
    scale(long long N, Scalar<T> Beta, T *Y) {
  const long long I = (long long)blockIdx.x * Threads + threadIdx.x;
  if (I < N)
    result(Y[I], Beta, T(0), Beta);
}

/// y += alpha * A^T * x: a warp adds what its row gives to the columns.
template <typename T>
__global__ void __launch_bounds__(Threads)
    columns(Sparse<T> A, Scalar<T> Alpha, const T *X, T *Y) {
  const long long Row = ((long long)blockIdx.x * Threads + threadIdx.x) / Warp;
  if (Row >= A.Rows)
    return;
  const long long End = A.begin(Row + 1);
  const T Times = Alpha.get() * X[Row];
  for (long long I = A.begin(Row) + threadIdx.x % Warp; I < End; I += Warp)
    atomicAdd(&Y[A.column(I)], Times * A.Values[I]);
}

/// The product of a sparse and a dense vector, by one block.
template <typename T>
__global__ void __launch_bounds__(Threads)
    dot(long long N, Integers Indices, int Base, const T *X, const T *Y,
        T *To) {
  __shared__ T Sums[Threads];
  T Sum = 0;
  for (long long I = threadIdx.x; I < N; I += Threads)
    Sum += X[I] * Y[Indices[I] - Base];
  Sums[threadIdx.x] = Sum;
  __syncthreads();
  for (unsigned Half = Threads / 2; Half > 0; Half /= 2) {
    if (threadIdx.x < Half)
      Sums[threadIdx.x] += Sums[threadIdx.x + Half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    *To = Sums[0];
}

template <typename T>
static cusparseStatus_t
multiply(cusparseHandle_t H, bool IsTransposed, const cusparseSpMatDescr &M,
         const cusparseDnVecDescr &Of, const cusparseDnVecDescr &To,
         const void *Alpha, const void *Beta) {
  const Sparse<T> A(M);
  const auto *X = static_cast<const T *>(Of.Values);
  auto *Y = static_cast<T *>(To.Values);
  if (IsTransposed == M.isCsc())
    return launch(H, rows<T>, A.Rows, Threads / Warp, A, scalar<T>(H, Alpha), X,
                  scalar<T>(H, Beta), Y);
  const cusparseStatus_t S =
      launch(H, scale<T>, To.Size, Threads, To.Size, scalar<T>(H, Beta), Y);
  if (S != CUSPARSE_STATUS_SUCCESS)
    return S;
  return launch(H, columns<T>, A.Rows, Threads / Warp, A, scalar<T>(H, Alpha),
                X, Y);
}

template <typename T>
static cusparseStatus_t dotOf(cusparseHandle_t H, const cusparseSpVecDescr &X,
                              const cusparseDnVecDescr &Y, void *Result) {
  const bool ToDevice = H->Mode == CUSPARSE_POINTER_MODE_DEVICE;
  T *To = static_cast<T *>(Result);
  if (!ToDevice && cudaMalloc(&To, sizeof(T)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  // Without entries the sum is 0, so there is always a launch.
  const cusparseStatus_t S = launch(
      H, dot<T>, 1, 1, X.Entries, integers(X.Indices, X.IndexType), int(X.Base),
      static_cast<const T *>(X.Values), static_cast<const T *>(Y.Values), To);
  if (ToDevice)
    return S;
  cudaError_t E =
      cudaMemcpyAsync(Result, To, sizeof(T), cudaMemcpyDeviceToHost, H->Stream);
  if (E == cudaSuccess)
    E = cudaStreamSynchronize(H->Stream);
  const cudaError_t Freed = cudaFree(To);
  return S != CUSPARSE_STATUS_SUCCESS ? S
                                      : status(E == cudaSuccess ? Freed : E);
}

} // namespace heddle_sparse

using namespace heddle_sparse;

/// What must hold of a product with a vector.
static cusparseStatus_t check(const char *Function, cusparseHandle_t H,
                              cusparseOperation_t Op, const void *Alpha,
                              cusparseConstSpMatDescr_t A,
                              cusparseConstDnVecDescr_t X, const void *Beta,
                              cusparseConstDnVecDescr_t Y, cudaDataType Type) {
  __heddle_count(Function);
  if (!H)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  REQUIRE(Alpha && A && X && Beta && Y && isOperation(Op));
  const bool T = isTransposed(Op);
  REQUIRE(X->Size == (T ? A->Rows : A->Columns) &&
          Y->Size == (T ? A->Columns : A->Rows));
  if (!isSupported(Type, A->Type, X->Type, Y->Type))
    return refuseTypes(Function);
  return CUSPARSE_STATUS_SUCCESS;
}

EXPORTED cusparseStatus_t cusparseSpMV_bufferSize(
    cusparseHandle_t H, cusparseOperation_t Op, const void *Alpha,
    cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, const void *Beta,
    cusparseDnVecDescr_t Y, cudaDataType Type, cusparseSpMVAlg_t,
    size_t *Size) {
  REQUIRE(Size);
  *Size = 0; // the kernels need none
  return check(__func__, H, Op, Alpha, A, X, Beta, Y, Type);
}
EXPORTED cusparseStatus_t cusparseSpMV_preprocess(
    cusparseHandle_t H, cusparseOperation_t Op, const void *Alpha,
    cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, const void *Beta,
    cusparseDnVecDescr_t Y, cudaDataType Type, cusparseSpMVAlg_t, void *) {
  return check(__func__, H, Op, Alpha, A, X, Beta, Y, Type);
}
EXPORTED cusparseStatus_t cusparseSpMV(
    cusparseHandle_t H, cusparseOperation_t Op, const void *Alpha,
    cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X, const void *Beta,
    cusparseDnVecDescr_t Y, cudaDataType Type, cusparseSpMVAlg_t, void *) {
  if (const auto S = check(__func__, H, Op, Alpha, A, X, Beta, Y, Type))
    return S;
  return withType(Type, [&](auto Zero) {
    return multiply<decltype(Zero)>(H, isTransposed(Op), *A, *X, *Y, Alpha,
                                    Beta);
  });
}

EXPORTED cusparseStatus_t cusparseSpVV_bufferSize(
    cusparseHandle_t H, cusparseOperation_t Op, cusparseConstSpVecDescr_t X,
    cusparseConstDnVecDescr_t Y, const void *, cudaDataType, size_t *Size) {
  ENTER(H);
  REQUIRE(X && Y && Size && isOperation(Op));
  *Size = 0;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpVV(
    cusparseHandle_t H, cusparseOperation_t Op, cusparseConstSpVecDescr_t X,
    cusparseConstDnVecDescr_t Y, void *Result, cudaDataType Type, void *) {
  ENTER(H);
  REQUIRE(X && Y && Result && isOperation(Op) && X->Size == Y->Size);
  if (!isSupported(Type, X->Type, Y->Type))
    return refuseTypes(__func__);
  return withType(Type, [&](auto Zero) {
    return dotOf<decltype(Zero)>(H, *X, *Y, Result);
  });
}
