// Functions of sparse linear algebra that the library lacks. They take whatever
// they get; called, they say so.

#ifndef HEDDLE_CUDA_CUSPARSE_FUNCTIONS_H
#define HEDDLE_CUDA_CUSPARSE_FUNCTIONS_H

// clang-format off
#define __HEDDLE_SPARSE_API(name)                                              \
  template <typename... T> cusparseStatus_t name(const T &...) {               \
    return __heddle_refuse_sparse(#name);                                      \
  }
#define __HEDDLE_SPARSE_STAGES(name)                                           \
  __HEDDLE_SPARSE_API(name) __HEDDLE_SPARSE_API(name##_bufferSize)
__HEDDLE_SPARSE_API(cusparseCreateBsr)
__HEDDLE_SPARSE_API(cusparseCreateBlockedEll)
__HEDDLE_SPARSE_API(cusparseCreateSlicedEll)
__HEDDLE_SPARSE_API(cusparseDnMatSetStridedBatch)
__HEDDLE_SPARSE_API(cusparseCsrSetStridedBatch)
__HEDDLE_SPARSE_API(cusparseCooSetStridedBatch)
__HEDDLE_SPARSE_API(cusparseCreateMatDescr)
__HEDDLE_SPARSE_API(cusparseDestroyMatDescr)
__HEDDLE_SPARSE_API(cusparseSetMatType)
__HEDDLE_SPARSE_API(cusparseSetMatIndexBase)
__HEDDLE_SPARSE_API(cusparseSetMatFillMode)
__HEDDLE_SPARSE_API(cusparseSetMatDiagType)
__HEDDLE_SPARSE_STAGES(cusparseSpMMOp)
__HEDDLE_SPARSE_API(cusparseScsrmv) __HEDDLE_SPARSE_API(cusparseDcsrmv)
__HEDDLE_SPARSE_API(cusparseScsrmm) __HEDDLE_SPARSE_API(cusparseDcsrmm)
__HEDDLE_SPARSE_API(cusparseScsr2dense) __HEDDLE_SPARSE_API(cusparseDcsr2dense)
__HEDDLE_SPARSE_API(cusparseSdense2csr) __HEDDLE_SPARSE_API(cusparseDdense2csr)
__HEDDLE_SPARSE_API(cusparseSnnz) __HEDDLE_SPARSE_API(cusparseDnnz)
__HEDDLE_SPARSE_API(cusparseScsrilu02) __HEDDLE_SPARSE_API(cusparseDcsrilu02)
__HEDDLE_SPARSE_API(cusparseScsric02) __HEDDLE_SPARSE_API(cusparseDcsric02)
__HEDDLE_SPARSE_API(cusparseSgtsv2) __HEDDLE_SPARSE_API(cusparseDgtsv2)
__HEDDLE_SPARSE_API(cusparseSgtsv2StridedBatch)
__HEDDLE_SPARSE_API(cusparseDgtsv2StridedBatch)
__HEDDLE_SPARSE_API(cusparseSbsrmv) __HEDDLE_SPARSE_API(cusparseDbsrmv)
__HEDDLE_SPARSE_API(cusparseXcoosort_bufferSizeExt)
__HEDDLE_SPARSE_API(cusparseXcoosortByRow)
__HEDDLE_SPARSE_API(cusparseXcoosortByColumn)
__HEDDLE_SPARSE_API(cusparseXcsrsort)
__HEDDLE_SPARSE_API(cusparseCreateIdentityPermutation)
// clang-format on
#undef __HEDDLE_SPARSE_STAGES
#undef __HEDDLE_SPARSE_API

#endif
