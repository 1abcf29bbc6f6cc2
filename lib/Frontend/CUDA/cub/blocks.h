// CUB's collectives of a warp and a block, as kernels call them. The
// device-wide algorithms are those of device_folds.h and device_sorts.h where
// the program runs, else declared for host code that is parsed only.

#ifndef HEDDLE_CUDA_CUB_BLOCKS_H
#define HEDDLE_CUDA_CUB_BLOCKS_H

#include "../own_names.def"

#include "sort.h"
#ifdef __HEDDLE_PROGRAM
#include "device_sorts.h"
#else

namespace cub {

// --- device-wide, for the host -----------------------------------------------
#define __HEDDLE_STATIC(name)                                                  \
  template <typename... A> static cudaError_t name(A &&...);
struct DeviceReduce {
  __HEDDLE_STATIC(Reduce)
  __HEDDLE_STATIC(Sum)
  __HEDDLE_STATIC(Min)
  __HEDDLE_STATIC(Max)
  __HEDDLE_STATIC(ArgMin)
  __HEDDLE_STATIC(ArgMax)
  __HEDDLE_STATIC(ReduceByKey)
  __HEDDLE_STATIC(TransformReduce)
};
struct DeviceScan {
  __HEDDLE_STATIC(ExclusiveSum)
  __HEDDLE_STATIC(InclusiveSum)
  __HEDDLE_STATIC(ExclusiveScan)
  __HEDDLE_STATIC(InclusiveScan)
  __HEDDLE_STATIC(ExclusiveSumByKey)
  __HEDDLE_STATIC(InclusiveSumByKey)
};
struct DeviceRadixSort {
  __HEDDLE_STATIC(SortKeys)
  __HEDDLE_STATIC(SortPairs)
  __HEDDLE_STATIC(SortKeysDescending)
  __HEDDLE_STATIC(SortPairsDescending)
};
struct DeviceSelect {
  __HEDDLE_STATIC(If)
  __HEDDLE_STATIC(Flagged)
  __HEDDLE_STATIC(Unique)
  __HEDDLE_STATIC(UniqueByKey)
};
struct DevicePartition {
  __HEDDLE_STATIC(If)
  __HEDDLE_STATIC(Flagged)
};
struct DeviceHistogram {
  __HEDDLE_STATIC(HistogramEven)
  __HEDDLE_STATIC(HistogramRange)
  __HEDDLE_STATIC(MultiHistogramEven)
};
struct DeviceRunLengthEncode {
  __HEDDLE_STATIC(Encode)
  __HEDDLE_STATIC(NonTrivialRuns)
};
struct DeviceMergeSort {
  __HEDDLE_STATIC(SortKeys)
  __HEDDLE_STATIC(SortPairs)
  __HEDDLE_STATIC(StableSortKeys)
};
struct DeviceSpmv {
  __HEDDLE_STATIC(CsrMV)
};
struct DeviceFor {
  __HEDDLE_STATIC(Bulk)
  __HEDDLE_STATIC(ForEach)
};
struct DeviceSegmentedReduce : DeviceReduce {};
struct DeviceSegmentedRadixSort : DeviceRadixSort {};
struct DeviceSegmentedSort : DeviceRadixSort {};
#undef __HEDDLE_STATIC
template <typename... A> cudaError_t PtxVersion(A &&...);
template <typename... A> cudaError_t MaxSmOccupancy(A &&...);

} // namespace cub

#endif // __HEDDLE_PROGRAM

#include "../user_names.def"

#endif
