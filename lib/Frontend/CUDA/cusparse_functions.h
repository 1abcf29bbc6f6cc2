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
__HEDDLE_SPARSE_API(cusparseAxpby) __HEDDLE_SPARSE_API(cusparseGather)
__HEDDLE_SPARSE_API(cusparseScatter) __HEDDLE_SPARSE_API(cusparseRot)
__HEDDLE_SPARSE_API(cusparseCreateCsc) __HEDDLE_SPARSE_API(cusparseCreateBsr)
__HEDDLE_SPARSE_API(cusparseCreateBlockedEll)
__HEDDLE_SPARSE_API(cusparseCreateSlicedEll)
__HEDDLE_SPARSE_API(cusparseCscSetPointers)
__HEDDLE_SPARSE_API(cusparseCsrGet) __HEDDLE_SPARSE_API(cusparseCooGet)
__HEDDLE_SPARSE_API(cusparseDnMatGet) __HEDDLE_SPARSE_API(cusparseSpVecGet)
__HEDDLE_SPARSE_API(cusparseDnMatSetStridedBatch)
__HEDDLE_SPARSE_API(cusparseCsrSetStridedBatch)
__HEDDLE_SPARSE_API(cusparseCooSetStridedBatch)
__HEDDLE_SPARSE_API(cusparseSpMatSetAttribute)
__HEDDLE_SPARSE_API(cusparseSpMatGetAttribute)
__HEDDLE_SPARSE_API(cusparseCreateMatDescr)
__HEDDLE_SPARSE_API(cusparseDestroyMatDescr)
__HEDDLE_SPARSE_API(cusparseSetMatType)
__HEDDLE_SPARSE_API(cusparseSetMatIndexBase)
__HEDDLE_SPARSE_API(cusparseSetMatFillMode)
__HEDDLE_SPARSE_API(cusparseSetMatDiagType)
__HEDDLE_SPARSE_STAGES(cusparseSDDMM) __HEDDLE_SPARSE_API(cusparseSDDMM_preprocess)
__HEDDLE_SPARSE_STAGES(cusparseSpMMOp)
__HEDDLE_SPARSE_API(cusparseSpSV_createDescr)
__HEDDLE_SPARSE_API(cusparseSpSV_destroyDescr)
__HEDDLE_SPARSE_API(cusparseSpSV_bufferSize)
__HEDDLE_SPARSE_API(cusparseSpSV_analysis)
__HEDDLE_SPARSE_API(cusparseSpSV_solve)
__HEDDLE_SPARSE_API(cusparseSpSM_createDescr)
__HEDDLE_SPARSE_API(cusparseSpSM_destroyDescr)
__HEDDLE_SPARSE_API(cusparseSpSM_bufferSize)
__HEDDLE_SPARSE_API(cusparseSpSM_analysis)
__HEDDLE_SPARSE_API(cusparseSpSM_solve)
__HEDDLE_SPARSE_API(cusparseSpGEMM_createDescr)
__HEDDLE_SPARSE_API(cusparseSpGEMM_destroyDescr)
__HEDDLE_SPARSE_API(cusparseSpGEMM_workEstimation)
__HEDDLE_SPARSE_API(cusparseSpGEMM_compute)
__HEDDLE_SPARSE_API(cusparseSpGEMM_copy)
__HEDDLE_SPARSE_API(cusparseCsr2cscEx2)
__HEDDLE_SPARSE_API(cusparseCsr2cscEx2_bufferSize)
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
