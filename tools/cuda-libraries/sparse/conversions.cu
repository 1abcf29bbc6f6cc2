//===- conversions.cu - Between sparse formats and to dense ones ----------===//

#include "Sparse.h"

namespace heddle_sparse {

__device__ static long long index() {
  return (long long)blockIdx.x * Threads + threadIdx.x;
}

template <typename T>
__global__ void __launch_bounds__(Threads)
    clear(long long Rows, long long Columns, Dense<T> To) {
  if (const long long I = index(); I < Rows * Columns)
    To.at(I / Columns, I % Columns) = 0;
}
template <typename T>
__global__ void __launch_bounds__(Threads) spill(Sparse<T> From, Dense<T> To) {
  const long long Row = index();
  if (Row >= From.Rows)
    return;
  const long long End = From.begin(Row + 1);
  for (long long I = From.begin(Row); I < End; ++I)
    To.at(Row, From.column(I)) = From.Values[I];
}

/// How many entries each row has, in \p Counts.
template <typename T>
__global__ void __launch_bounds__(Threads)
    count(long long Rows, long long Columns, Dense<T> From, long long *Counts) {
  const long long Row = index();
  if (Row >= Rows)
    return;
  long long Entries = 0;
  for (long long C = 0; C < Columns; ++C)
    Entries += From.at(Row, C) != 0;
  Counts[Row] = Entries;
}
/// Where each row begins, and behind the last where all end: a block adds up
/// the counts, a run of them in each thread.
static __global__ void __launch_bounds__(Threads)
    begins(long long Rows, long long *Counts, Integers Offsets, int Base) {
  __shared__ long long Sums[Threads];
  const long long Each = (Rows + Threads - 1) / Threads;
  const long long From = threadIdx.x * Each;
  const long long To = From + Each < Rows ? From + Each : Rows;
  long long Sum = 0;
  for (long long I = From; I < To; ++I)
    Sum += Counts[I];
  Sums[threadIdx.x] = Sum;
  __syncthreads();
  long long Before = 0;
  for (unsigned T = 0; T < threadIdx.x; ++T)
    Before += Sums[T];
  for (long long I = From; I < To; ++I) {
    const long long Entries = Counts[I];
    Counts[I] = Before;
    if (Offsets.At)
      Offsets.set(I, Before + Base);
    Before += Entries;
  }
  if (threadIdx.x == Threads - 1) {
    Counts[Rows] = Before;
    if (Offsets.At)
      Offsets.set(Rows, Before + Base);
  }
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    collect(long long Columns, Dense<T> From, const long long *Begins,
            Sparse<T> To) {
  const long long Row = index();
  if (Row >= To.Rows)
    return;
  long long At = Begins[Row];
  for (long long C = 0; C < Columns; ++C) {
    const T Value = From.at(Row, C);
    if (Value == 0)
      continue;
    To.Values[At] = Value;
    To.Indices.set(At, C + To.Base);
    if (To.IsCoo)
      To.Offsets.set(At, Row + To.Base);
    ++At;
  }
}

static __global__ void __launch_bounds__(Threads)
    expand(int Rows, const int *Offsets, int *To, int Base) {
  const long long Row = index();
  if (Row >= Rows)
    return;
  for (int I = Offsets[Row] - Base; I < Offsets[Row + 1] - Base; ++I)
    To[I] = int(Row) + Base;
}
/// A thread writes the offsets of the rows that begin between its entry and the
/// one before.
static __global__ void __launch_bounds__(Threads)
    compress(int Rows, int Entries, const int *RowOf, int *To, int Base) {
  const long long I = index();
  if (I > Entries)
    return;
  const int First = I == 0 ? 0 : RowOf[I - 1] - Base + 1;
  const int Last = I == Entries ? Rows : RowOf[I] - Base;
  for (int Row = First; Row <= Last; ++Row)
    To[Row] = int(I) + Base;
}

cusparseStatus_t addUp(cusparseHandle_t H, long long Rows, long long *Counts,
                       Integers Offsets, int Base, long long *Total) {
  TRY(launch(H, begins, 1, 1, Rows, Counts, Offsets, Base));
  if (!Total)
    return CUSPARSE_STATUS_SUCCESS;
  cudaError_t E = cudaMemcpyAsync(Total, Counts + Rows, sizeof(*Total),
                                  cudaMemcpyDeviceToHost, H->Stream);
  if (E == cudaSuccess)
    E = cudaStreamSynchronize(H->Stream);
  return status(E);
}

} // namespace heddle_sparse

using namespace heddle_sparse;

static cusparseStatus_t check(const char *Function, cusparseHandle_t H,
                              cusparseConstSpMatDescr_t A,
                              cusparseConstDnMatDescr_t B) {
  __heddle_count(Function);
  if (!H)
    return CUSPARSE_STATUS_NOT_INITIALIZED;
  REQUIRE(A && B && A->Rows == B->Rows && A->Columns == B->Columns);
  return isSupported(A->Type, B->Type) ? CUSPARSE_STATUS_SUCCESS
                                       : refuseTypes(Function);
}

EXPORTED cusparseStatus_t cusparseSparseToDense_bufferSize(
    cusparseHandle_t H, cusparseConstSpMatDescr_t A, cusparseDnMatDescr_t B,
    cusparseSparseToDenseAlg_t, size_t *Size) {
  REQUIRE(Size);
  *Size = 0;
  return check(__func__, H, A, B);
}
EXPORTED cusparseStatus_t cusparseSparseToDense(cusparseHandle_t H,
                                                cusparseConstSpMatDescr_t A,
                                                cusparseDnMatDescr_t B,
                                                cusparseSparseToDenseAlg_t,
                                                void *) {
  if (const auto S = check(__func__, H, A, B))
    return S;
  return withType(A->Type, [&](auto Zero) {
    using T = decltype(Zero);
    const Dense<T> To(*B, A->isCsc());
    const Sparse<T> From(*A);
    const auto S = launch(H, clear<T>, B->Rows * B->Columns, Threads, From.Rows,
                          A->isCsc() ? B->Rows : B->Columns, To);
    return S != CUSPARSE_STATUS_SUCCESS
               ? S
               : launch(H, spill<T>, From.Rows, Threads, From, To);
  });
}

/// The buffer of these three holds where each row begins.
EXPORTED cusparseStatus_t cusparseDenseToSparse_bufferSize(
    cusparseHandle_t H, cusparseConstDnMatDescr_t B, cusparseSpMatDescr_t A,
    cusparseDenseToSparseAlg_t, size_t *Size) {
  REQUIRE(Size && B);
  *Size =
      size_t((A && A->isCsc() ? B->Columns : B->Rows) + 1) * sizeof(long long);
  return check(__func__, H, A, B);
}
EXPORTED cusparseStatus_t cusparseDenseToSparse_analysis(
    cusparseHandle_t H, cusparseConstDnMatDescr_t B, cusparseSpMatDescr_t A,
    cusparseDenseToSparseAlg_t, void *Buffer) {
  if (const auto S = check(__func__, H, A, B))
    return S;
  const bool IsCoo = A->Format == CUSPARSE_FORMAT_COO;
  REQUIRE(Buffer && (IsCoo || A->Offsets));
  auto *Counts = static_cast<long long *>(Buffer);
  const long long Rows = A->isCsc() ? B->Columns : B->Rows;
  TRY(withType(A->Type, [&](auto Zero) {
    using T = decltype(Zero);
    return launch(H, count<T>, Rows, Threads, Rows,
                  A->isCsc() ? B->Rows : B->Columns, Dense<T>(*B, A->isCsc()),
                  Counts);
  }));
  long long Entries = 0;
  TRY(addUp(H, Rows, Counts,
            integers(IsCoo ? nullptr : A->Offsets, A->OffsetType), int(A->Base),
            &Entries));
  A->Entries = Entries;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseDenseToSparse_convert(
    cusparseHandle_t H, cusparseConstDnMatDescr_t B, cusparseSpMatDescr_t A,
    cusparseDenseToSparseAlg_t, void *Buffer) {
  if (const auto S = check(__func__, H, A, B))
    return S;
  REQUIRE(Buffer);
  return withType(A->Type, [&](auto Zero) {
    using T = decltype(Zero);
    const Sparse<T> To(*A);
    return launch(H, collect<T>, To.Rows, Threads,
                  A->isCsc() ? B->Rows : B->Columns, Dense<T>(*B, A->isCsc()),
                  static_cast<const long long *>(Buffer), To);
  });
}

EXPORTED cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t H,
                                           const int *Offsets, int Entries,
                                           int Rows, int *To,
                                           cusparseIndexBase_t Base) {
  ENTER(H);
  REQUIRE(Rows >= 0 && Entries >= 0 && (Entries == 0 || (Offsets && To)));
  return launch(H, expand, Rows, Threads, Rows, Offsets, To, int(Base));
}
EXPORTED cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t H, const int *RowOf,
                                           int Entries, int Rows, int *To,
                                           cusparseIndexBase_t Base) {
  ENTER(H);
  REQUIRE(Rows >= 0 && Entries >= 0 && To && (Entries == 0 || RowOf));
  return launch(H, compress, Entries + 1LL, Threads, Rows, Entries, RowOf, To,
                int(Base));
}
