//===- products.cu - Products of two sparse matrices ----------------------===//
//
// All products of entries are written out row by row, sorted by column and
// added up: the memory is that of the products, not of the result.
//
//===----------------------------------------------------------------------===//

#include "Sparse.h"

#include <initializer_list>

struct cusparseSpGEMMDescr {
  long long Products = -1; ///< after workEstimation
  long long *Begins = nullptr;
  void *Terms = nullptr; ///< after compute
};

namespace heddle_sparse {

/// An entry of a row that is being added up.
template <typename T> struct Term {
  long long Column;
  T Value;
};

__device__ static long long index() {
  return (long long)blockIdx.x * Threads + threadIdx.x;
}

/// How many products the entries of each row have.
template <typename T>
__global__ void __launch_bounds__(Threads)
    countProducts(Sparse<T> A, Sparse<T> B, long long *Counts) {
  const long long Row = index();
  if (Row >= A.Rows)
    return;
  long long Count = 0;
  for (long long I = A.begin(Row); I < A.begin(Row + 1); ++I)
    Count += B.begin(A.column(I) + 1) - B.begin(A.column(I));
  Counts[Row] = Count;
}

/// Lets element \p I sink in a heap of \p N, the largest column first.
template <typename T>
__device__ void sink(Term<T> *Terms, long long I, long long N) {
  const Term<T> Mine = Terms[I];
  for (long long Child = 2 * I + 1; Child < N; Child = 2 * I + 1) {
    if (Child + 1 < N && Terms[Child + 1].Column > Terms[Child].Column)
      ++Child;
    if (Terms[Child].Column <= Mine.Column)
      break;
    Terms[I] = Terms[Child];
    I = Child;
  }
  Terms[I] = Mine;
}
template <typename T> __device__ void sort(Term<T> *Terms, long long N) {
  for (long long I = N / 2; I-- > 0;)
    sink(Terms, I, N);
  for (long long Last = N - 1; Last > 0; --Last) {
    const Term<T> Largest = Terms[0];
    Terms[0] = Terms[Last];
    Terms[Last] = Largest;
    sink(Terms, 0, Last);
  }
}
/// The sums of each row, in the order of columns, where its products begin. \p
/// Counts gets how many there are.
template <typename T>
__global__ void __launch_bounds__(Threads)
    multiplyRows(Sparse<T> A, Sparse<T> B, const long long *Begins,
                 Term<T> *Terms, long long *Counts) {
  const long long Row = index();
  if (Row >= A.Rows)
    return;
  Term<T> *Mine = Terms + Begins[Row];
  long long N = 0;
  for (long long I = A.begin(Row); I < A.begin(Row + 1); ++I)
    for (long long J = B.begin(A.column(I)); J < B.begin(A.column(I) + 1); ++J)
      Mine[N++] = {B.column(J), A.Values[I] * B.Values[J]};
  sort(Mine, N);
  long long Sums = 0;
  for (long long I = 0; I < N; ++I)
    if (Sums > 0 && Mine[Sums - 1].Column == Mine[I].Column)
      Mine[Sums - 1].Value += Mine[I].Value;
    else
      Mine[Sums++] = Mine[I];
  Counts[Row] = Sums;
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    writeRows(const long long *Begins, const long long *ToBegins,
              const Term<T> *Terms, Scalar<T> Alpha, Scalar<T> Beta,
              Sparse<T> C) {
  const long long Row = index();
  if (Row > C.Rows)
    return;
  C.Offsets.set(Row, ToBegins[Row] + C.Base);
  if (Row == C.Rows)
    return;
  const Term<T> *From = Terms + Begins[Row];
  for (long long I = ToBegins[Row]; I < ToBegins[Row + 1]; ++I, ++From) {
    C.Indices.set(I, From->Column + C.Base);
    result(C.Values[I], Alpha, From->Value, Beta);
  }
}

} // namespace heddle_sparse

using namespace heddle_sparse;

EXPORTED cusparseStatus_t
cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *To) {
  __heddle_count(__func__);
  REQUIRE(To);
  *To = new cusparseSpGEMMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t D) {
  __heddle_count(__func__);
  delete D;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t D,
                                                        int64_t *To) {
  __heddle_count(__func__);
  REQUIRE(D && To && D->Products >= 0);
  *To = D->Products;
  return CUSPARSE_STATUS_SUCCESS;
}

static cusparseStatus_t check(const char *Function, cusparseHandle_t H,
                              cusparseOperation_t OpA, cusparseOperation_t OpB,
                              const void *Alpha, cusparseConstSpMatDescr_t A,
                              cusparseConstSpMatDescr_t B, const void *Beta,
                              cusparseConstSpMatDescr_t C, cudaDataType Type,
                              cusparseSpGEMMDescr_t D) {
  __heddle_count(Function);
  if (!H)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  REQUIRE(Alpha && A && B && Beta && C && D);
  REQUIRE(isOperation(OpA) && isOperation(OpB));
  REQUIRE(A->Columns == B->Rows && C->Rows == A->Rows &&
          C->Columns == B->Columns);
  for (cusparseConstSpMatDescr_t M : {A, B, C})
    if (M->Format != CUSPARSE_FORMAT_CSR)
      return heddle_library::refuse(Function, CUSPARSE_STATUS_NOT_SUPPORTED,
                                    "a matrix that is not CSR");
  if (isTransposed(OpA) || isTransposed(OpB))
    return heddle_library::refuse(Function, CUSPARSE_STATUS_NOT_SUPPORTED,
                                  "a transposed operand");
  return isSupported(Type, A->Type, B->Type, C->Type) ? CUSPARSE_STATUS_SUCCESS
                                                      : refuseTypes(Function);
}

/// The first buffer has where the products of each row begin, the second where
/// the rows of the result do, and the terms. Without a buffer the size is
/// given.
EXPORTED cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
    const void *Beta, cusparseSpMatDescr_t C, cudaDataType Type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t D, size_t *Size, void *Buffer) {
  TRY(check(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type, D));
  REQUIRE(Size);
  *Size = size_t(A->Rows + 1) * sizeof(long long);
  if (!Buffer)
    return CUSPARSE_STATUS_SUCCESS;
  D->Begins = static_cast<long long *>(Buffer);
  TRY(withType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    return launch(H, countProducts<T>, A->Rows, Threads, Sparse<T>(*A),
                  Sparse<T>(*B), D->Begins);
  }));
  return addUp(H, A->Rows, D->Begins, {nullptr, false}, 0, &D->Products);
}
EXPORTED cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
    const void *Beta, cusparseSpMatDescr_t C, cudaDataType Type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t D, size_t *Size, void *Buffer) {
  TRY(check(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type, D));
  REQUIRE(Size && D->Products >= 0);
  // A term takes as much as two numbers of 64 bits, whatever its type.
  const size_t OfTerms = size_t(D->Products) * sizeof(Term<double>);
  *Size = OfTerms + size_t(A->Rows + 1) * sizeof(long long);
  if (!Buffer)
    return CUSPARSE_STATUS_SUCCESS;
  D->Terms = Buffer;
  auto *Counts =
      reinterpret_cast<long long *>(static_cast<char *>(Buffer) + OfTerms);
  TRY(withType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    return launch(H, multiplyRows<T>, A->Rows, Threads, Sparse<T>(*A),
                  Sparse<T>(*B), D->Begins, static_cast<Term<T> *>(Buffer),
                  Counts);
  }));
  long long Entries = 0;
  TRY(addUp(H, A->Rows, Counts, {nullptr, false}, 0, &Entries));
  C->Entries = Entries;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpGEMM_copy(
    cusparseHandle_t H, cusparseOperation_t OpA, cusparseOperation_t OpB,
    const void *Alpha, cusparseConstSpMatDescr_t A, cusparseConstSpMatDescr_t B,
    const void *Beta, cusparseSpMatDescr_t C, cudaDataType Type,
    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t D) {
  TRY(check(__func__, H, OpA, OpB, Alpha, A, B, Beta, C, Type, D));
  REQUIRE(D->Terms && C->Offsets);
  REQUIRE(C->Entries == 0 || (C->Indices && C->Values));
  return withType(Type, [&](auto Zero) {
    using T = decltype(Zero);
    const auto *Begins = reinterpret_cast<const long long *>(
        static_cast<char *>(D->Terms) +
        size_t(D->Products) * sizeof(Term<double>));
    return launch(H, writeRows<T>, C->Rows + 1, Threads, D->Begins, Begins,
                  static_cast<const Term<T> *>(D->Terms), scalar<T>(H, Alpha),
                  scalar<T>(H, Beta), Sparse<T>(*C));
  });
}
