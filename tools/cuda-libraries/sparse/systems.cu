//===- systems.cu - Triangular systems with a sparse matrix ---------------===//

#include "Sparse.h"

struct cusparseSpSVDescr {
  bool IsAnalysed = false;
};
struct cusparseSpSMDescr {
  bool IsAnalysed = false;
};

namespace heddle_sparse {

/// Which entries of the stored rows belong to the triangle.
struct Triangle {
  bool Lower, Unit;
  bool ByColumn; ///< the rows in memory are columns of the system

  __device__ bool has(long long Row, long long Column) const {
    return Lower ? Column < Row : Column > Row;
  }
};

/// op(A) * Y = alpha * X: a warp for each column of Y, equation by equation.
template <typename T>
__global__ void __launch_bounds__(Threads)
    solve(Sparse<T> A, Triangle Of, Scalar<T> Alpha, Dense<T> X, Dense<T> Y,
          long long Columns) {
  const long long C = ((long long)blockIdx.x * Threads + threadIdx.x) / Warp;
  const unsigned Lane = threadIdx.x % Warp;
  if (C >= Columns)
    return;
  for (long long R = Lane; R < A.Rows; R += Warp)
    Y.at(R, C) = Alpha.get() * X.at(R, C);
  __syncwarp();
  const bool Forward = Of.Lower != Of.ByColumn;
  for (long long Done = 0; Done < A.Rows; ++Done) {
    const long long R = Forward ? Done : A.Rows - 1 - Done;
    const long long Begin = A.begin(R), End = A.begin(R + 1);
    T Sum = 0, Diagonal = 0;
    for (long long I = Begin + Lane; I < End; I += Warp) {
      const long long Column = A.column(I);
      if (Column == R)
        Diagonal += A.Values[I];
      else if (!Of.ByColumn && Of.has(R, Column))
        Sum += A.Values[I] * Y.at(Column, C);
    }
    for (unsigned Half = Warp / 2; Half > 0; Half /= 2) {
      Sum += __shfl_xor_sync(0xffffffff, Sum, Half);
      Diagonal += __shfl_xor_sync(0xffffffff, Diagonal, Half);
    }
    const T Known = (Y.at(R, C) - Sum) / (Of.Unit ? T(1) : Diagonal);
    __syncwarp();
    if (Lane == 0)
      Y.at(R, C) = Known;
    for (long long I = Begin + Lane; I < End && Of.ByColumn; I += Warp)
      if (const long long Column = A.column(I); Of.has(R, Column))
        Y.at(Column, C) -= A.Values[I] * Known;
    __syncwarp();
  }
}

static Triangle triangle(const cusparseSpMatDescr &A, cusparseOperation_t Op) {
  const bool Lower = A.Fill == CUSPARSE_FILL_MODE_LOWER;
  return {Lower != A.isCsc(), A.Diagonal == CUSPARSE_DIAG_TYPE_UNIT,
          isTransposed(Op) != A.isCsc()};
}

} // namespace heddle_sparse

using namespace heddle_sparse;

#define OBJECTS(Which)                                                         \
  EXPORTED cusparseStatus_t cusparse##Which##_createDescr(                     \
      cusparse##Which##Descr_t *To) {                                          \
    __heddle_count(__func__);                                                  \
    REQUIRE(To);                                                               \
    *To = new cusparse##Which##Descr;                                          \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  EXPORTED cusparseStatus_t cusparse##Which##_destroyDescr(                    \
      cusparse##Which##Descr_t D) {                                            \
    __heddle_count(__func__);                                                  \
    delete D;                                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
OBJECTS(SpSV)
OBJECTS(SpSM)

static cusparseStatus_t check(const char *Function, cusparseHandle_t H,
                              cusparseOperation_t Op, const void *Alpha,
                              cusparseConstSpMatDescr_t A,
                              cusparseConstDnVecDescr_t X,
                              cusparseConstDnVecDescr_t Y, cudaDataType Type) {
  __heddle_count(Function);
  if (!H)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  REQUIRE(Alpha && A && X && Y && isOperation(Op));
  REQUIRE(A->Rows == A->Columns && X->Size == A->Rows && Y->Size == A->Rows);
  return isSupported(Type, A->Type, X->Type, Y->Type) ? CUSPARSE_STATUS_SUCCESS
                                                      : refuseTypes(Function);
}
EXPORTED cusparseStatus_t cusparseSpSV_bufferSize(
    cusparseHandle_t H, cusparseOperation_t Op, const void *Alpha,
    cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X,
    cusparseDnVecDescr_t Y, cudaDataType Type, cusparseSpSVAlg_t,
    cusparseSpSVDescr_t D, size_t *Size) {
  REQUIRE(D && Size);
  *Size = 0; // the kernel needs none
  return check(__func__, H, Op, Alpha, A, X, Y, Type);
}
EXPORTED cusparseStatus_t cusparseSpSV_analysis(
    cusparseHandle_t H, cusparseOperation_t Op, const void *Alpha,
    cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X,
    cusparseDnVecDescr_t Y, cudaDataType Type, cusparseSpSVAlg_t,
    cusparseSpSVDescr_t D, void *) {
  REQUIRE(D);
  TRY(check(__func__, H, Op, Alpha, A, X, Y, Type));
  D->IsAnalysed = true;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpSV_solve(
    cusparseHandle_t H, cusparseOperation_t Op, const void *Alpha,
    cusparseConstSpMatDescr_t A, cusparseConstDnVecDescr_t X,
    cusparseDnVecDescr_t Y, cudaDataType Type, cusparseSpSVAlg_t,
    cusparseSpSVDescr_t D) {
  TRY(check(__func__, H, Op, Alpha, A, X, Y, Type));
  REQUIRE(D && D->IsAnalysed);
  return withType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    const auto Column = [](const cusparseDnVecDescr &V) {
      return Dense<T>({V.Size, 1, V.Size, V.Values, V.Type, CUSPARSE_ORDER_COL},
                      false);
    };
    return launch(H, solve<T>, 1, 1, Sparse<T>(*A), triangle(*A, Op),
                  scalar<T>(H, Alpha), Column(*X), Column(*Y), 1);
  });
}

static cusparseStatus_t check(const char *Function, cusparseHandle_t H,
                              cusparseOperation_t OpA, cusparseOperation_t OpB,
                              const void *Alpha, cusparseConstSpMatDescr_t A,
                              cusparseConstDnMatDescr_t B,
                              cusparseConstDnMatDescr_t C, cudaDataType Type) {
  __heddle_count(Function);
  if (!H)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  REQUIRE(Alpha && A && B && C && isOperation(OpA) && isOperation(OpB));
  const bool T = isTransposed(OpB);
  REQUIRE(A->Rows == A->Columns && C->Rows == A->Rows);
  REQUIRE((T ? B->Columns : B->Rows) == C->Rows &&
          (T ? B->Rows : B->Columns) == C->Columns);
  return isSupported(Type, A->Type, B->Type, C->Type) ? CUSPARSE_STATUS_SUCCESS
                                                      : refuseTypes(Function);
}
EXPORTED cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
    cusparseDnMatDescr_t C, cudaDataType Type, cusparseSpSMAlg_t,
    cusparseSpSMDescr_t D, size_t *Size) {
  REQUIRE(D && Size);
  *Size = 0;
  return check(__func__, H, OpA, OpB, Alpha, A, B, C, Type);
}
EXPORTED cusparseStatus_t cusparseSpSM_analysis(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
    cusparseDnMatDescr_t C, cudaDataType Type, cusparseSpSMAlg_t,
    cusparseSpSMDescr_t D, void *) {
  REQUIRE(D);
  TRY(check(__func__, H, OpA, OpB, Alpha, A, B, C, Type));
  D->IsAnalysed = true;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpSM_solve(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstDnMatDescr_t B,
    cusparseDnMatDescr_t C, cudaDataType Type, cusparseSpSMAlg_t,
    cusparseSpSMDescr_t D) {
  TRY(check(__func__, H, OpA, OpB, Alpha, A, B, C, Type));
  REQUIRE(D && D->IsAnalysed);
  return withType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    return launch(H, solve<T>, C->Columns, Threads / Warp, Sparse<T>(*A),
                  triangle(*A, OpA), scalar<T>(H, Alpha),
                  Dense<T>(*B, isTransposed(OpB)), Dense<T>(*C, false),
                  (long long)C->Columns);
  });
}
