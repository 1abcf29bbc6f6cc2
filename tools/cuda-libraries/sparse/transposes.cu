//===- transposes.cu - From CSR to CSC ------------------------------------===//

#include "Sparse.h"

namespace heddle_sparse {

__device__ static long long index() {
  return (long long)blockIdx.x * Threads + threadIdx.x;
}

/// How many entries each column has.
static __global__ void __launch_bounds__(Threads)
    countColumns(long long Entries, const int *Columns, int Base,
                 unsigned long long *Counts) {
  if (const long long I = index(); I < Entries)
    atomicAdd(&Counts[Columns[I] - Base], 1ull);
}
/// Each entry takes the next place of its column. Which one that is depends on
/// the order of the threads, so columns are sorted after it.
template <typename T>
__global__ void __launch_bounds__(Threads)
    place(int Rows, const int *Offsets, const int *Columns, const T *Values,
          int Base, unsigned long long *Next, int *RowOf, T *To) {
  const long long Row = index();
  if (Row >= Rows)
    return;
  for (int I = Offsets[Row] - Base; I < Offsets[Row + 1] - Base; ++I) {
    const long long At = (long long)atomicAdd(&Next[Columns[I] - Base], 1ull);
    RowOf[At] = int(Row) + Base;
    if (Values)
      To[At] = Values[I];
  }
}
template <typename T>
__global__ void __launch_bounds__(Threads)
    sortColumns(int Columns, const int *Offsets, int Base, int *RowOf,
                T *Values) {
  const long long Column = index();
  if (Column >= Columns)
    return;
  const int Begin = Offsets[Column] - Base, End = Offsets[Column + 1] - Base;
  for (int I = Begin + 1; I < End; ++I) {
    const int Row = RowOf[I];
    const T Value = Values ? Values[I] : T{};
    int J = I;
    for (; J > Begin && RowOf[J - 1] > Row; --J) {
      RowOf[J] = RowOf[J - 1];
      if (Values)
        Values[J] = Values[J - 1];
    }
    RowOf[J] = Row;
    if (Values)
      Values[J] = Value;
  }
}

/// Values are only copied: their size is all that counts.
template <typename F>
static cusparseStatus_t withSize(cudaDataType Type, F Function) {
  switch (Type) {
  case CUDA_R_16F:
  case CUDA_R_16BF:
    return Function((unsigned short)0);
  case CUDA_R_32F:
    return Function(0u);
  case CUDA_R_64F:
  case CUDA_C_32F:
    return Function(0ull);
  case CUDA_C_64F:
    return Function(cuDoubleComplex());
  default:
    return refuseTypes("cusparseCsr2cscEx2");
  }
}

} // namespace heddle_sparse

using namespace heddle_sparse;

/// The buffer has where each column begins, with 64 bits.
EXPORTED cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t H, int Rows, int Columns, int Entries, const void *,
    const int *, const int *, void *, int *, int *, cudaDataType,
    cusparseAction_t, cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t *Size) {
  ENTER(H);
  REQUIRE(Rows >= 0 && Columns >= 0 && Entries >= 0 && Size);
  *Size = (size_t(Columns) + 1) * sizeof(long long);
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseCsr2cscEx2(
    cusparseHandle_t H, int Rows, int Columns, int Entries, const void *Values,
    const int *Offsets, const int *ColumnOf, void *To, int *ToOffsets,
    int *ToRows, cudaDataType Type, cusparseAction_t Action,
    cusparseIndexBase_t OfBase, cusparseCsr2CscAlg_t, void *Buffer) {
  ENTER(H);
  REQUIRE(Rows >= 0 && Columns >= 0 && Entries >= 0 && ToOffsets && Buffer);
  const bool WithValues = Action == CUSPARSE_ACTION_NUMERIC;
  REQUIRE(Entries == 0 || (Offsets && ColumnOf && ToRows));
  REQUIRE(Entries == 0 || !WithValues || (Values && To));
  const int Base = int(OfBase);
  auto *Counts = static_cast<unsigned long long *>(Buffer);
  TRY(status(cudaMemsetAsync(Counts, 0, (size_t(Columns) + 1) * sizeof(*Counts),
                             H->Stream)));
  TRY(launch(H, countColumns, Entries, Threads, Entries, ColumnOf, Base,
             Counts));
  TRY(addUp(H, Columns, static_cast<long long *>(Buffer),
            integers(ToOffsets, CUSPARSE_INDEX_32I), Base, nullptr));
  return withSize(Type, [&](auto Zero) {
    using T = decltype(Zero);
    const auto *From = WithValues ? static_cast<const T *>(Values) : nullptr;
    auto *Sorted = WithValues ? static_cast<T *>(To) : nullptr;
    TRY(launch(H, place<T>, Rows, Threads, Rows, Offsets, ColumnOf, From, Base,
               Counts, ToRows, Sorted));
    return launch(H, sortColumns<T>, Columns, Threads, Columns, ToOffsets, Base,
                  ToRows, Sorted);
  });
}
