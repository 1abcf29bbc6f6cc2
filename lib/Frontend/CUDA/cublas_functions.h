// Functions of dense linear algebra that the library lacks. They take whatever
// they get; called, they say so.

#ifndef HEDDLE_CUDA_CUBLAS_FUNCTIONS_H
#define HEDDLE_CUDA_CUBLAS_FUNCTIONS_H

// clang-format off
#define __HEDDLE_BLAS_API(name)                                                \
  template <typename... T> cublasStatus_t name(const T &...) {                 \
    return __heddle_refuse_blas(#name);                                        \
  }
__HEDDLE_BLAS_API(cublasGetLoggerCallback)
__HEDDLE_BLAS_API(cublasLoggerConfigure)
__HEDDLE_BLAS_API(cublasSetLoggerCallback)
__HEDDLE_BLAS_API(cublasUint8gemmBias)
__HEDDLE_BLAS_API(cublasXerbla)
// clang-format on
#undef __HEDDLE_BLAS_API

#endif
