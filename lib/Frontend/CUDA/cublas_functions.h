// Functions of dense linear algebra that the library lacks. They take whatever
// they get; called, they say so.

#ifndef HEDDLE_CUDA_CUBLAS_FUNCTIONS_H
#define HEDDLE_CUDA_CUBLAS_FUNCTIONS_H

// clang-format off
#define __HEDDLE_BLAS_API(name)                                                \
  template <typename... T> cublasStatus_t name(const T &...) {                 \
    return __heddle_refuse_blas(#name);                                        \
  }
__HEDDLE_BLAS_API(cublasCgetrfBatched)
__HEDDLE_BLAS_API(cublasCgetriBatched)
__HEDDLE_BLAS_API(cublasCgetrsBatched)
__HEDDLE_BLAS_API(cublasDgelsBatched)
__HEDDLE_BLAS_API(cublasDgeqrfBatched)
__HEDDLE_BLAS_API(cublasDgetrfBatched)
__HEDDLE_BLAS_API(cublasDgetriBatched)
__HEDDLE_BLAS_API(cublasDgetrsBatched)
__HEDDLE_BLAS_API(cublasDmatinvBatched)
__HEDDLE_BLAS_API(cublasGetLoggerCallback)
__HEDDLE_BLAS_API(cublasLoggerConfigure)
__HEDDLE_BLAS_API(cublasSetLoggerCallback)
__HEDDLE_BLAS_API(cublasSgelsBatched)
__HEDDLE_BLAS_API(cublasSgeqrfBatched)
__HEDDLE_BLAS_API(cublasSgetrfBatched)
__HEDDLE_BLAS_API(cublasSgetriBatched)
__HEDDLE_BLAS_API(cublasSgetrsBatched)
__HEDDLE_BLAS_API(cublasSmatinvBatched)
__HEDDLE_BLAS_API(cublasUint8gemmBias)
__HEDDLE_BLAS_API(cublasXerbla)
__HEDDLE_BLAS_API(cublasZgetrfBatched)
__HEDDLE_BLAS_API(cublasZgetriBatched)
__HEDDLE_BLAS_API(cublasZgetrsBatched)
// clang-format on
#undef __HEDDLE_BLAS_API

#endif
