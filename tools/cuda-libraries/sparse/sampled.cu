//===- sampled.cu - Products of dense matrices at the entries of a sparse one //

#include "Sparse.h"

namespace heddle_sparse {

/// C = alpha * (A * B) + beta * C at the entries of C: a warp for each row, a
/// lane for each entry.
template <typename T>
__global__ void __launch_bounds__(Threads)
    sample(long long Depth, Scalar<T> Alpha, Dense<T> A, Dense<T> B,
           Scalar<T> Beta, Sparse<T> C) {
  const long long Row = ((long long)blockIdx.x * Threads + threadIdx.x) / Warp;
  if (Row >= C.Rows)
    return;
  const long long End = C.begin(Row + 1);
  for (long long I = C.begin(Row) + threadIdx.x % Warp; I < End; I += Warp) {
    T Sum = 0;
    for (long long K = 0; K < Depth; ++K)
      Sum += A.at(Row, K) * B.at(K, C.column(I));
    result(C.Values[I], Alpha, Sum, Beta);
  }
}

} // namespace heddle_sparse

using namespace heddle_sparse;

EXPORTED cusparseStatus_t cusparseSDDMM_bufferSize(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
    const void *Beta, cusparseSpMatDescr_t C, cudaDataType Type,
    cusparseSDDMMAlg_t, size_t *Size) {
  REQUIRE(Size);
  *Size = 0; // the kernel needs none
  return checkProduct(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type);
}
EXPORTED cusparseStatus_t cusparseSDDMM_preprocess(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
    const void *Beta, cusparseSpMatDescr_t C, cudaDataType Type,
    cusparseSDDMMAlg_t, void *) {
  return checkProduct(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type);
}
EXPORTED cusparseStatus_t cusparseSDDMM(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstDnMatDescr_t A, cusparseConstDnMatDescr_t B,
    const void *Beta, cusparseSpMatDescr_t C, cudaDataType Type,
    cusparseSDDMMAlg_t, void *) {
  TRY(checkProduct(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type));
  return withType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    const Sparse<T> To(*C);
    Dense<T> Left(*A, isTransposed(OpA)), Right(*B, isTransposed(OpB));
    const long long Depth = isTransposed(OpA) ? A->Rows : A->Columns;
    if (C->isCsc()) { // the rows in memory are columns of the product
      const Dense<T> Old = Left;
      Left = Right.transposed();
      Right = Old.transposed();
    }
    return launch(H, sample<T>, To.Rows, Threads / Warp, Depth,
                  scalar<T>(H, Alpha), Left, Right, scalar<T>(H, Beta), To);
  });
}
