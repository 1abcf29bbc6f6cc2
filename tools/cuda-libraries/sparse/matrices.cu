//===- matrices.cu - Products of sparse and dense matrices ----------------===//

#include "Sparse.h"

namespace heddle_sparse {

/// Which element of a dense matrix of \p Columns the thread has.
struct Element {
  long long Row, Column;
};
__device__ static Element element(long long Columns) {
  const long long I = (long long)blockIdx.x * Threads + threadIdx.x;
  return {I / Columns, I % Columns};
}

/// C = alpha * A * B + beta * C
template <typename T>
__global__ void __launch_bounds__(Threads)
    products(Sparse<T> A, long long Columns, Scalar<T> Alpha, Dense<T> B,
             Scalar<T> Beta, Dense<T> C) {
  const Element E = element(Columns);
  if (E.Row >= A.Rows)
    return;
  const long long End = A.begin(E.Row + 1);
  T Sum = 0;
  for (long long I = A.begin(E.Row); I < End; ++I)
    Sum += A.Values[I] * B.at(A.column(I), E.Column);
  result(C.at(E.Row, E.Column), Alpha, Sum, Beta);
}

template <typename T>
__global__ void __launch_bounds__(Threads)
    scaleAll(long long Rows, long long Columns, Scalar<T> Beta, Dense<T> C) {
  const Element E = element(Columns);
  if (E.Row < Rows)
    result(C.at(E.Row, E.Column), Beta, T(0), Beta);
}
/// C += alpha * A^T * B: a thread has a row of A and a column of B.
template <typename T>
__global__ void __launch_bounds__(Threads)
    spread(Sparse<T> A, long long Columns, Scalar<T> Alpha, Dense<T> B,
           Dense<T> C) {
  const Element E = element(Columns);
  if (E.Row >= A.Rows)
    return;
  const T Times = Alpha.get() * B.at(E.Row, E.Column);
  const long long End = A.begin(E.Row + 1);
  for (long long I = A.begin(E.Row); I < End; ++I)
    atomicAdd(&C.at(A.column(I), E.Column), Times * A.Values[I]);
}

template <typename T>
static cusparseStatus_t
multiply(cusparseHandle_t H, bool IsTransposed, bool IsTransposedB,
         const cusparseSpMatDescr &M, const cusparseDnMatDescr &Of,
         const cusparseDnMatDescr &To, const void *Alpha, const void *Beta) {
  const Sparse<T> A(M);
  const Dense<T> B(Of, IsTransposedB), C(To, false);
  const long long Columns = To.Columns, Each = A.Rows * Columns;
  if (IsTransposed == M.isCsc())
    return launch(H, products<T>, Each, Threads, A, Columns,
                  scalar<T>(H, Alpha), B, scalar<T>(H, Beta), C);
  const cusparseStatus_t S = launch(H, scaleAll<T>, To.Rows * Columns, Threads,
                                    To.Rows, Columns, scalar<T>(H, Beta), C);
  if (S != CUSPARSE_STATUS_SUCCESS)
    return S;
  return launch(H, spread<T>, Each, Threads, A, Columns, scalar<T>(H, Alpha), B,
                C);
}

} // namespace heddle_sparse

using namespace heddle_sparse;

EXPORTED cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
    const void *Beta, cusparseDnMatDescr_t C, cudaDataType Type,
    cusparseSpMMAlg_t, size_t *Size) {
  REQUIRE(Size);
  *Size = 0; // the kernels need none
  return checkProduct(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type);
}
EXPORTED cusparseStatus_t cusparseSpMM_preprocess(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
    const void *Beta, cusparseDnMatDescr_t C, cudaDataType Type,
    cusparseSpMMAlg_t, void *) {
  return checkProduct(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type);
}
EXPORTED cusparseStatus_t cusparseSpMM(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
    const void *Beta, cusparseDnMatDescr_t C, cudaDataType Type,
    cusparseSpMMAlg_t, void *) {
  if (const auto S = checkProduct(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type))
    return S;
  return withType(Type, [&](auto Zero) {
    return multiply<decltype(Zero)>(H, isTransposed(OpA), isTransposed(OpB), *A,
                                    *B, *C, Alpha, Beta);
  });
}
