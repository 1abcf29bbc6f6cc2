//===- Sparse.h - What the functions of libcusparse share -------*- C++ -*-===//

#ifndef HEDDLE_CUDA_LIBRARIES_SPARSE_SPARSE_H
#define HEDDLE_CUDA_LIBRARIES_SPARSE_SPARSE_H

#include "../Library.h"

#include <cusparse.h>

struct cusparseContext {
  cudaStream_t Stream = nullptr;
  cusparsePointerMode_t Mode = CUSPARSE_POINTER_MODE_HOST;
};
struct cusparseSpMatDescr {
  /// Of COO, Offsets are the rows of the entries, in order. CSC is kept as the
  /// CSR form of the transpose.
  cusparseFormat_t Format;
  int64_t Rows, Columns, Entries;
  void *Offsets, *Indices, *Values;
  cusparseIndexType_t OffsetType, IndexType;
  cusparseIndexBase_t Base;
  cudaDataType Type;
  cusparseFillMode_t Fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t Diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;

  bool isCsc() const { return Format == CUSPARSE_FORMAT_CSC; }
};
struct cusparseSpVecDescr {
  int64_t Size, Entries;
  void *Indices, *Values;
  cusparseIndexType_t IndexType;
  cusparseIndexBase_t Base;
  cudaDataType Type;
};
struct cusparseDnVecDescr {
  int64_t Size;
  void *Values;
  cudaDataType Type;
};
struct cusparseDnMatDescr {
  int64_t Rows, Columns, Leading;
  void *Values;
  cudaDataType Type;
  cusparseOrder_t Order;
};

namespace heddle_sparse {

using heddle_library::blocks;
using heddle_library::Scalar;
static constexpr unsigned Threads = 256, Warp = 32;

/// Counts the call, and wants a handle.
#define ENTER(Handle)                                                          \
  do {                                                                         \
    __heddle_count(__func__);                                                  \
    if (!(Handle))                                                             \
      return CUSPARSE_STATUS_NOT_INITIALIZED;                                  \
  } while (0)
/// Returns the status of \p Call unless it is that of success.
#define TRY(Call)                                                              \
  do {                                                                         \
    if (const cusparseStatus_t Status_ = (Call);                               \
        Status_ != CUSPARSE_STATUS_SUCCESS)                                    \
      return Status_;                                                          \
  } while (0)
#define REQUIRE(Condition)                                                     \
  do {                                                                         \
    if (!(Condition))                                                          \
      return CUSPARSE_STATUS_INVALID_VALUE;                                    \
  } while (0)

inline cusparseStatus_t status(cudaError_t E) {
  return E == cudaSuccess ? CUSPARSE_STATUS_SUCCESS
                          : CUSPARSE_STATUS_EXECUTION_FAILED;
}
/// Launches \p Kernel for \p Elements, \p Each to a block, if there are any.
template <typename... P>
cusparseStatus_t launch(cusparseHandle_t H, void (*Kernel)(P...),
                        long long Elements, unsigned Each,
                        typename heddle_library::As<P>::Type... Arguments) {
  if (Elements <= 0)
    return CUSPARSE_STATUS_SUCCESS;
  return status(heddle_library::launch(
      H->Stream, Kernel, blocks(Elements, Each), Threads, 0, Arguments...));
}
template <typename T> Scalar<T> scalar(cusparseHandle_t H, const void *P) {
  return Scalar<T>::of(H->Mode == CUSPARSE_POINTER_MODE_DEVICE, P);
}

/// Numbers of 32 or 64 bits.
struct Integers {
  void *At;
  bool IsWide;
  __device__ long long operator[](long long I) const {
    return IsWide ? static_cast<const long long *>(At)[I]
                  : static_cast<const int *>(At)[I];
  }
  __device__ void set(long long I, long long Value) const {
    if (IsWide)
      static_cast<long long *>(At)[I] = Value;
    else
      static_cast<int *>(At)[I] = int(Value);
  }
};
inline Integers integers(void *At, cusparseIndexType_t Type) {
  return {At, Type == CUSPARSE_INDEX_64I};
}

template <typename T> struct Sparse {
  Integers Offsets, Indices;
  T *Values;
  long long Rows, Entries;
  int Base;
  bool IsCoo;

  explicit Sparse(const cusparseSpMatDescr &M)
      : Offsets(integers(M.Offsets, M.OffsetType)),
        Indices(integers(M.Indices, M.IndexType)),
        Values(static_cast<T *>(M.Values)),
        Rows(M.isCsc() ? M.Columns : M.Rows), Entries(M.Entries),
        Base(int(M.Base)), IsCoo(M.Format == CUSPARSE_FORMAT_COO) {}

  /// The first entry of \p Row, or where it would be.
  __device__ long long begin(long long Row) const {
    if (!IsCoo)
      return Offsets[Row] - Base;
    long long From = 0;
    for (long long Left = Entries; Left > 0;) {
      const long long Half = Left / 2;
      const bool IsBefore = Offsets[From + Half] - Base < Row;
      From = IsBefore ? From + Half + 1 : From;
      Left = IsBefore ? Left - Half - 1 : Half;
    }
    return From;
  }
  __device__ long long column(long long I) const { return Indices[I] - Base; }
};

/// A dense matrix by its distances between rows and between columns.
template <typename T> struct Dense {
  T *At;
  long long RowStep, ColumnStep;

  Dense(const cusparseDnMatDescr &M, bool IsTransposed)
      : At(static_cast<T *>(M.Values)), RowStep(1), ColumnStep(M.Leading) {
    if ((M.Order == CUSPARSE_ORDER_ROW) != IsTransposed) {
      RowStep = M.Leading;
      ColumnStep = 1;
    }
  }
  Dense transposed() const {
    Dense Other = *this;
    Other.RowStep = ColumnStep;
    Other.ColumnStep = RowStep;
    return Other;
  }
  __device__ T &at(long long Row, long long Column) const {
    return At[Row * RowStep + Column * ColumnStep];
  }
};

/// What a product leaves in \p To: what that holds does not matter where Beta
/// is 0.
template <typename T>
__device__ void result(T &To, Scalar<T> Alpha, T Sum, Scalar<T> Beta) {
  const T Keep = Beta.get();
  To = Keep == 0 ? Alpha.get() * Sum : Alpha.get() * Sum + Keep * To;
}

/// Whether all \p Others are of \p Type, one that there are kernels of.
template <typename... T>
bool isSupported(cudaDataType Type, const T... Others) {
  return (Type == CUDA_R_32F || Type == CUDA_R_64F) &&
         ((Others == Type) && ...);
}
inline cusparseStatus_t refuseTypes(const char *Function) {
  return heddle_library::refuse(Function, CUSPARSE_STATUS_NOT_SUPPORTED,
                                "this combination of types");
}
inline bool isOperation(cusparseOperation_t Op) {
  return Op >= CUSPARSE_OPERATION_NON_TRANSPOSE &&
         Op <= CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE;
}
/// Conjugate or not: numbers are real.
inline bool isTransposed(cusparseOperation_t Op) {
  return Op != CUSPARSE_OPERATION_NON_TRANSPOSE;
}

/// What must hold of C = op(A) * op(B), of which one is sparse (SpMM, SDDMM).
template <typename MatrixA, typename MatrixB, typename MatrixC>
cusparseStatus_t checkProduct(const char *Function, cusparseHandle_t H,
                              cusparseOperation_t OpA, cusparseOperation_t OpB,
                              const void *Alpha, MatrixA A, MatrixB B,
                              const void *Beta, MatrixC C, cudaDataType Type) {
  __heddle_count(Function);
  if (!H)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  REQUIRE(Alpha && A && B && Beta && C && isOperation(OpA) && isOperation(OpB));
  const bool TA = isTransposed(OpA), TB = isTransposed(OpB);
  REQUIRE(C->Rows == (TA ? A->Columns : A->Rows) &&
          (TB ? B->Columns : B->Rows) == (TA ? A->Rows : A->Columns) &&
          C->Columns == (TB ? B->Rows : B->Columns));
  return isSupported(Type, A->Type, B->Type, C->Type) ? CUSPARSE_STATUS_SUCCESS
                                                      : refuseTypes(Function);
}

/// Adds up the counts of \p Rows rows where they are: where each row begins,
/// and behind the last where all end. \p Offsets, if any, gets them, too, and
/// \p Total on the host the sum (conversions.cu).
cusparseStatus_t addUp(cusparseHandle_t H, long long Rows, long long *Counts,
                       Integers Offsets, int Base, long long *Total);

/// Calls \p Function with a value of the type.
template <typename F> cusparseStatus_t withType(cudaDataType Type, F Function) {
  return Type == CUDA_R_64F ? Function(double()) : Function(float());
}

} // namespace heddle_sparse

#endif // HEDDLE_CUDA_LIBRARIES_SPARSE_SPARSE_H
