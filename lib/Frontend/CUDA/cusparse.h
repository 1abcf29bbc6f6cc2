// Sparse products and conversions: what Heddle's own libcusparse has
// (tools/cuda-libraries/sparse).

#ifndef HEDDLE_CUDA_CUSPARSE_H
#define HEDDLE_CUDA_CUSPARSE_H

#include "own_names.def"

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

#include <stdint.h>

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION 12000

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;
typedef enum {
  CUSPARSE_POINTER_MODE_HOST,
  CUSPARSE_POINTER_MODE_DEVICE
} cusparsePointerMode_t;
typedef enum {
  CUSPARSE_ACTION_SYMBOLIC,
  CUSPARSE_ACTION_NUMERIC
} cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC,
  CUSPARSE_MATRIX_TYPE_HERMITIAN,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR
} cusparseMatrixType_t;
typedef enum {
  CUSPARSE_FILL_MODE_LOWER,
  CUSPARSE_FILL_MODE_UPPER
} cusparseFillMode_t;
typedef enum {
  CUSPARSE_DIAG_TYPE_NON_UNIT,
  CUSPARSE_DIAG_TYPE_UNIT
} cusparseDiagType_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE,
  CUSPARSE_OPERATION_TRANSPOSE,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
} cusparseOperation_t;
typedef enum {
  CUSPARSE_INDEX_BASE_ZERO,
  CUSPARSE_INDEX_BASE_ONE
} cusparseIndexBase_t;
typedef enum {
  CUSPARSE_INDEX_16U = 1,
  CUSPARSE_INDEX_32I = 2,
  CUSPARSE_INDEX_64I = 3
} cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum {
  CUSPARSE_FORMAT_CSR = 1,
  CUSPARSE_FORMAT_CSC = 2,
  CUSPARSE_FORMAT_COO = 3
} cusparseFormat_t;
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_MV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_COOMV_ALG = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_CSRMV_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_CSRMV_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_MM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_CSRMM_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPMAT_FILL_MODE,
  CUSPARSE_SPMAT_DIAG_TYPE
} cusparseSpMatAttribute_t;
typedef enum {
  CUSPARSE_CSR2CSC_ALG_DEFAULT = 1,
  CUSPARSE_CSR2CSC_ALG1 = 1,
  CUSPARSE_CSR2CSC_ALG2 = 2
} cusparseCsr2CscAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT } cusparseDenseToSparseAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseSpVecDescr *cusparseSpVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseSpVecDescr *cusparseConstSpVecDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef struct cusparseSpGEMMDescr *cusparseSpGEMMDescr_t;
typedef struct cusparseSpSVDescr *cusparseSpSVDescr_t;
typedef struct cusparseSpSMDescr *cusparseSpSMDescr_t;

extern "C" {
cusparseStatus_t cusparseCreate(cusparseHandle_t *);
cusparseStatus_t cusparseDestroy(cusparseHandle_t);
cusparseStatus_t cusparseGetVersion(cusparseHandle_t, int *);
cusparseStatus_t cusparseGetProperty(libraryPropertyType, int *);
const char *cusparseGetErrorName(cusparseStatus_t);
const char *cusparseGetErrorString(cusparseStatus_t);
cusparseStatus_t cusparseSetStream(cusparseHandle_t, cudaStream_t);
cusparseStatus_t cusparseGetStream(cusparseHandle_t, cudaStream_t *);
cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t,
                                        cusparsePointerMode_t);
cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t,
                                        cusparsePointerMode_t *);

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *, int64_t rows,
                                   int64_t cols, int64_t nnz, void *offsets,
                                   void *columns, void *values,
                                   cusparseIndexType_t offset_type,
                                   cusparseIndexType_t column_type,
                                   cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *, int64_t rows,
                                   int64_t cols, int64_t nnz, void *row_indices,
                                   void *columns, void *values,
                                   cusparseIndexType_t, cusparseIndexBase_t,
                                   cudaDataType);
cusparseStatus_t cusparseCreateConstCsr(cusparseConstSpMatDescr_t *,
                                        int64_t rows, int64_t cols, int64_t nnz,
                                        const void *offsets,
                                        const void *columns, const void *values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t column_type,
                                        cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstCoo(cusparseConstSpMatDescr_t *,
                                        int64_t rows, int64_t cols, int64_t nnz,
                                        const void *row_indices,
                                        const void *columns, const void *values,
                                        cusparseIndexType_t,
                                        cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t);
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t, int64_t *rows,
                                      int64_t *cols, int64_t *nnz);
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t,
                                        cusparseFormat_t *);
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t,
                                           cusparseIndexBase_t *);
cusparseStatus_t cusparseSpMatGetValues(cusparseSpMatDescr_t, void **);
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t, void *);
cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t, void *offsets,
                                        void *columns, void *values);
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t, void *row_indices,
                                        void *columns, void *values);

cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *, int64_t size,
                                     int64_t nnz, void *indices, void *values,
                                     cusparseIndexType_t, cusparseIndexBase_t,
                                     cudaDataType);
cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t);
cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *, int64_t size,
                                     void *values, cudaDataType);
cusparseStatus_t cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *,
                                          int64_t size, const void *values,
                                          cudaDataType);
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t);
cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t, int64_t *size,
                                  void **values, cudaDataType *);
cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t, void **);
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t, void *);
cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *, int64_t rows,
                                     int64_t cols, int64_t ld, void *values,
                                     cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *,
                                          int64_t rows, int64_t cols,
                                          int64_t ld, const void *values,
                                          cudaDataType, cusparseOrder_t);
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t);
cusparseStatus_t cusparseDnMatGetValues(cusparseDnMatDescr_t, void **);
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t, void *);

cusparseStatus_t cusparseSpMV_bufferSize(
    cusparseHandle_t, cusparseOperation_t, const void *alpha,
    cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t x, const void *beta,
    cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t, size_t *);
cusparseStatus_t cusparseSpMV_preprocess(
    cusparseHandle_t, cusparseOperation_t, const void *alpha,
    cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t x, const void *beta,
    cusparseDnVecDescr_t y, cudaDataType, cusparseSpMVAlg_t, void *buffer);
cusparseStatus_t cusparseSpMV(cusparseHandle_t, cusparseOperation_t,
                              const void *alpha, cusparseConstSpMatDescr_t,
                              cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType,
                              cusparseSpMVAlg_t, void *buffer);
cusparseStatus_t cusparseSpMM_bufferSize(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseDnMatDescr_t c, cudaDataType, cusparseSpMMAlg_t,
    size_t *);
cusparseStatus_t cusparseSpMM_preprocess(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseDnMatDescr_t c, cudaDataType, cusparseSpMMAlg_t,
    void *buffer);
cusparseStatus_t cusparseSpMM(cusparseHandle_t, cusparseOperation_t of_a,
                              cusparseOperation_t of_b, const void *alpha,
                              cusparseConstSpMatDescr_t a,
                              cusparseConstDnMatDescr_t b, const void *beta,
                              cusparseDnMatDescr_t c, cudaDataType,
                              cusparseSpMMAlg_t, void *buffer);
cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                         cusparseConstSpVecDescr_t x,
                                         cusparseConstDnVecDescr_t y,
                                         const void *result, cudaDataType,
                                         size_t *);
cusparseStatus_t cusparseSpVV(cusparseHandle_t, cusparseOperation_t,
                              cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void *result,
                              cudaDataType, void *buffer);

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t,
                                                  cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t,
                                                  cusparseSparseToDenseAlg_t,
                                                  size_t *);
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t,
                                       cusparseConstSpMatDescr_t,
                                       cusparseDnMatDescr_t,
                                       cusparseSparseToDenseAlg_t,
                                       void *buffer);
cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t,
                                                  cusparseConstDnMatDescr_t,
                                                  cusparseSpMatDescr_t,
                                                  cusparseDenseToSparseAlg_t,
                                                  size_t *);
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t,
                                                cusparseConstDnMatDescr_t,
                                                cusparseSpMatDescr_t,
                                                cusparseDenseToSparseAlg_t,
                                                void *buffer);
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t,
                                               cusparseConstDnMatDescr_t,
                                               cusparseSpMatDescr_t,
                                               cusparseDenseToSparseAlg_t,
                                               void *buffer);
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t, const int *offsets, int nnz,
                                  int rows, int *row_indices,
                                  cusparseIndexBase_t);
cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t, const int *row_indices,
                                  int nnz, int rows, int *offsets,
                                  cusparseIndexBase_t);
/// Says on stderr that the library lacks a function.
cusparseStatus_t __heddle_refuse_sparse(const char *function);
}

#include "cusparse_functions.h"
#include "cusparse_products.h"

#include "user_names.def"

#endif
