// Products, systems and conversions of sparse matrices in several steps, and
// what descriptors were created with.

#ifndef HEDDLE_CUDA_CUSPARSE_PRODUCTS_H
#define HEDDLE_CUDA_CUSPARSE_PRODUCTS_H

extern "C" {
// Formats and what objects hold
cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *, int64_t rows,
                                   int64_t cols, int64_t nnz, void *offsets,
                                   void *rows_of, void *values,
                                   cusparseIndexType_t offset_type,
                                   cusparseIndexType_t row_type,
                                   cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCreateConstCsc(cusparseConstSpMatDescr_t *,
                                        int64_t rows, int64_t cols, int64_t nnz,
                                        const void *offsets,
                                        const void *rows_of, const void *values,
                                        cusparseIndexType_t offset_type,
                                        cusparseIndexType_t row_type,
                                        cusparseIndexBase_t, cudaDataType);
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t, void *offsets,
                                        void *rows_of, void *values);
cusparseStatus_t cusparseCreateConstSpVec(
    cusparseConstSpVecDescr_t *, int64_t size, int64_t nnz, const void *indices,
    const void *values, cusparseIndexType_t, cusparseIndexBase_t, cudaDataType);
#define __HEDDLE_SPARSE_GET(Const, Pointer)                                    \
  cusparseStatus_t cusparse##Const##CsrGet(                                    \
      cusparse##Const##SpMatDescr_t, int64_t *rows, int64_t *cols,             \
      int64_t *nnz, Pointer *offsets, Pointer *columns, Pointer *values,       \
      cusparseIndexType_t *offset_type, cusparseIndexType_t *column_type,      \
      cusparseIndexBase_t *, cudaDataType *);                                  \
  cusparseStatus_t cusparse##Const##CscGet(                                    \
      cusparse##Const##SpMatDescr_t, int64_t *rows, int64_t *cols,             \
      int64_t *nnz, Pointer *offsets, Pointer *rows_of, Pointer *values,       \
      cusparseIndexType_t *offset_type, cusparseIndexType_t *row_type,         \
      cusparseIndexBase_t *, cudaDataType *);                                  \
  cusparseStatus_t cusparse##Const##CooGet(                                    \
      cusparse##Const##SpMatDescr_t, int64_t *rows, int64_t *cols,             \
      int64_t *nnz, Pointer *rows_of, Pointer *columns, Pointer *values,       \
      cusparseIndexType_t *, cusparseIndexBase_t *, cudaDataType *);           \
  cusparseStatus_t cusparse##Const##SpVecGet(                                  \
      cusparse##Const##SpVecDescr_t, int64_t *size, int64_t *nnz,              \
      Pointer *indices, Pointer *values, cusparseIndexType_t *,                \
      cusparseIndexBase_t *, cudaDataType *);                                  \
  cusparseStatus_t cusparse##Const##DnMatGet(                                  \
      cusparse##Const##DnMatDescr_t, int64_t *rows, int64_t *cols,             \
      int64_t *ld, Pointer *values, cudaDataType *, cusparseOrder_t *);
__HEDDLE_SPARSE_GET(, void *)
__HEDDLE_SPARSE_GET(Const, const void *)
#undef __HEDDLE_SPARSE_GET
cusparseStatus_t cusparseConstDnVecGet(cusparseConstDnVecDescr_t, int64_t *size,
                                       const void **values, cudaDataType *);
cusparseStatus_t cusparseConstSpMatGetValues(cusparseConstSpMatDescr_t,
                                             const void **);
cusparseStatus_t cusparseConstSpVecGetValues(cusparseConstSpVecDescr_t,
                                             const void **);
cusparseStatus_t cusparseConstDnVecGetValues(cusparseConstDnVecDescr_t,
                                             const void **);
cusparseStatus_t cusparseConstDnMatGetValues(cusparseConstDnMatDescr_t,
                                             const void **);
cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t,
                                           cusparseIndexBase_t *);
cusparseStatus_t cusparseSpVecGetValues(cusparseSpVecDescr_t, void **);
cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t, void *);
cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t,
                                           cusparseSpMatAttribute_t, void *,
                                           size_t);
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t,
                                           cusparseSpMatAttribute_t, void *,
                                           size_t);

// Sparse and dense vectors
cusparseStatus_t cusparseGather(cusparseHandle_t, cusparseConstDnVecDescr_t y,
                                cusparseSpVecDescr_t x);
cusparseStatus_t cusparseScatter(cusparseHandle_t, cusparseConstSpVecDescr_t x,
                                 cusparseDnVecDescr_t y);
cusparseStatus_t cusparseAxpby(cusparseHandle_t, const void *alpha,
                               cusparseConstSpVecDescr_t x, const void *beta,
                               cusparseDnVecDescr_t y);
cusparseStatus_t cusparseRot(cusparseHandle_t, const void *c, const void *s,
                             cusparseSpVecDescr_t x, cusparseDnVecDescr_t y);

// From CSR to CSC
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(
    cusparseHandle_t, int rows, int cols, int nnz, const void *values,
    const int *offsets, const int *columns, void *to_values, int *to_offsets,
    int *to_rows, cudaDataType, cusparseAction_t, cusparseIndexBase_t,
    cusparseCsr2CscAlg_t, size_t *);
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t, int rows, int cols,
                                    int nnz, const void *values,
                                    const int *offsets, const int *columns,
                                    void *to_values, int *to_offsets,
                                    int *to_rows, cudaDataType,
                                    cusparseAction_t, cusparseIndexBase_t,
                                    cusparseCsr2CscAlg_t, void *buffer);

// Products at the entries of a sparse matrix
cusparseStatus_t cusparseSDDMM_bufferSize(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType, cusparseSDDMMAlg_t,
    size_t *);
cusparseStatus_t cusparseSDDMM_preprocess(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType, cusparseSDDMMAlg_t,
    void *buffer);
cusparseStatus_t cusparseSDDMM(cusparseHandle_t, cusparseOperation_t of_a,
                               cusparseOperation_t of_b, const void *alpha,
                               cusparseConstDnMatDescr_t a,
                               cusparseConstDnMatDescr_t b, const void *beta,
                               cusparseSpMatDescr_t c, cudaDataType,
                               cusparseSDDMMAlg_t, void *buffer);

// Products of two sparse matrices
cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t *);
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t);
cusparseStatus_t cusparseSpGEMM_getNumProducts(cusparseSpGEMMDescr_t,
                                               int64_t *);
cusparseStatus_t cusparseSpGEMM_workEstimation(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t, size_t *, void *buffer);
cusparseStatus_t cusparseSpGEMM_compute(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
    const void *beta, cusparseSpMatDescr_t c, cudaDataType, cusparseSpGEMMAlg_t,
    cusparseSpGEMMDescr_t, size_t *, void *buffer);
cusparseStatus_t
cusparseSpGEMM_copy(cusparseHandle_t, cusparseOperation_t of_a,
                    cusparseOperation_t of_b, const void *alpha,
                    cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                    const void *beta, cusparseSpMatDescr_t c, cudaDataType,
                    cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t);

// Triangular systems
cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t *);
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t,
                                         const void *alpha,
                                         cusparseConstSpMatDescr_t,
                                         cusparseConstDnVecDescr_t x,
                                         cusparseDnVecDescr_t y, cudaDataType,
                                         cusparseSpSVAlg_t, cusparseSpSVDescr_t,
                                         size_t *);
cusparseStatus_t
cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void *alpha,
                      cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t x,
                      cusparseDnVecDescr_t y, cudaDataType, cusparseSpSVAlg_t,
                      cusparseSpSVDescr_t, void *buffer);
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t, cusparseOperation_t,
                                    const void *alpha,
                                    cusparseConstSpMatDescr_t,
                                    cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType,
                                    cusparseSpSVAlg_t, cusparseSpSVDescr_t);
cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t *);
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t);
cusparseStatus_t cusparseSpSM_bufferSize(
    cusparseHandle_t, cusparseOperation_t of_a, cusparseOperation_t of_b,
    const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
    cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
    cusparseSpSMDescr_t, size_t *);
cusparseStatus_t
cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t of_a,
                      cusparseOperation_t of_b, const void *alpha,
                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                      cusparseDnMatDescr_t c, cudaDataType, cusparseSpSMAlg_t,
                      cusparseSpSMDescr_t, void *buffer);
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t, cusparseOperation_t of_a,
                                    cusparseOperation_t of_b, const void *alpha,
                                    cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b,
                                    cusparseDnMatDescr_t c, cudaDataType,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t);
}

#endif
