//===- descriptors.cu - Matrices and vectors of libcusparse ---------------===//

#include "Sparse.h"

using namespace heddle_sparse;

static bool isIndex(cusparseIndexType_t T) {
  return T == CUSPARSE_INDEX_32I || T == CUSPARSE_INDEX_64I;
}
static bool isBase(cusparseIndexBase_t B) {
  return B == CUSPARSE_INDEX_BASE_ZERO || B == CUSPARSE_INDEX_BASE_ONE;
}
template <typename D>
static cusparseStatus_t create(D **To, cusparseSpMatDescr From) {
  REQUIRE(To && From.Rows >= 0 && From.Columns >= 0 && From.Entries >= 0);
  REQUIRE(isBase(From.Base));
  if (!isIndex(From.OffsetType) || !isIndex(From.IndexType))
    return refuseTypes(From.Format == CUSPARSE_FORMAT_COO ? "cusparseCreateCoo"
                       : From.Format == CUSPARSE_FORMAT_CSC
                           ? "cusparseCreateCsc"
                           : "cusparseCreateCsr");
  *To = new cusparseSpMatDescr(From);
  return CUSPARSE_STATUS_SUCCESS;
}

#define COMPRESSED(Name, Which, Pointer, Descriptor)                           \
  EXPORTED cusparseStatus_t Name(                                              \
      Descriptor *To, int64_t Rows, int64_t Columns, int64_t Entries,          \
      Pointer Offsets, Pointer Indices, Pointer Values,                        \
      cusparseIndexType_t OffsetType, cusparseIndexType_t IndexType,           \
      cusparseIndexBase_t Base, cudaDataType Type) {                           \
    __heddle_count(__func__);                                                  \
    return create(To, {CUSPARSE_FORMAT_##Which, Rows, Columns, Entries,        \
                       (void *)Offsets, (void *)Indices, (void *)Values,       \
                       OffsetType, IndexType, Base, Type});                    \
  }
#define COORDINATES(Name, Pointer, Descriptor)                                 \
  EXPORTED cusparseStatus_t Name(                                              \
      Descriptor *To, int64_t Rows, int64_t Columns, int64_t Entries,          \
      Pointer RowOf, Pointer Indices, Pointer Values,                          \
      cusparseIndexType_t IndexType, cusparseIndexBase_t Base,                 \
      cudaDataType Type) {                                                     \
    __heddle_count(__func__);                                                  \
    return create(To, {CUSPARSE_FORMAT_COO, Rows, Columns, Entries,            \
                       (void *)RowOf, (void *)Indices, (void *)Values,         \
                       IndexType, IndexType, Base, Type});                     \
  }
COMPRESSED(cusparseCreateCsr, CSR, void *, cusparseSpMatDescr_t)
COMPRESSED(cusparseCreateCsc, CSC, void *, cusparseSpMatDescr_t)
COORDINATES(cusparseCreateCoo, void *, cusparseSpMatDescr_t)
COMPRESSED(cusparseCreateConstCsr, CSR, const void *, cusparseConstSpMatDescr_t)
COMPRESSED(cusparseCreateConstCsc, CSC, const void *, cusparseConstSpMatDescr_t)
COORDINATES(cusparseCreateConstCoo, const void *, cusparseConstSpMatDescr_t)

// Everything that a matrix was created with.
#define COMPRESSED_GET(Name, Which, Pointer, Descriptor)                       \
  EXPORTED cusparseStatus_t Name(                                              \
      Descriptor M, int64_t *Rows, int64_t *Columns, int64_t *Entries,         \
      Pointer *Offsets, Pointer *Indices, Pointer *Values,                     \
      cusparseIndexType_t *OffsetType, cusparseIndexType_t *IndexType,         \
      cusparseIndexBase_t *Base, cudaDataType *Type) {                         \
    ENTER(M);                                                                  \
    REQUIRE(M->Format == CUSPARSE_FORMAT_##Which && Rows && Columns &&         \
            Entries && Offsets && Indices && Values && OffsetType &&           \
            IndexType && Base && Type);                                        \
    *Rows = M->Rows, *Columns = M->Columns, *Entries = M->Entries;             \
    *Offsets = M->Offsets, *Indices = M->Indices, *Values = M->Values;         \
    *OffsetType = M->OffsetType, *IndexType = M->IndexType;                    \
    *Base = M->Base, *Type = M->Type;                                          \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
#define COORDINATES_GET(Name, Pointer, Descriptor)                             \
  EXPORTED cusparseStatus_t Name(                                              \
      Descriptor M, int64_t *Rows, int64_t *Columns, int64_t *Entries,         \
      Pointer *RowOf, Pointer *Indices, Pointer *Values,                       \
      cusparseIndexType_t *IndexType, cusparseIndexBase_t *Base,               \
      cudaDataType *Type) {                                                    \
    ENTER(M);                                                                  \
    REQUIRE(M->Format == CUSPARSE_FORMAT_COO && Rows && Columns && Entries &&  \
            RowOf && Indices && Values && IndexType && Base && Type);          \
    *Rows = M->Rows, *Columns = M->Columns, *Entries = M->Entries;             \
    *RowOf = M->Offsets, *Indices = M->Indices, *Values = M->Values;           \
    *IndexType = M->IndexType, *Base = M->Base, *Type = M->Type;               \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
COMPRESSED_GET(cusparseCsrGet, CSR, void *, cusparseSpMatDescr_t)
COMPRESSED_GET(cusparseCscGet, CSC, void *, cusparseSpMatDescr_t)
COORDINATES_GET(cusparseCooGet, void *, cusparseSpMatDescr_t)
COMPRESSED_GET(cusparseConstCsrGet, CSR, const void *,
               cusparseConstSpMatDescr_t)
COMPRESSED_GET(cusparseConstCscGet, CSC, const void *,
               cusparseConstSpMatDescr_t)
COORDINATES_GET(cusparseConstCooGet, const void *, cusparseConstSpMatDescr_t)

/// Which triangle is meant, and whether its diagonal is 1: systems ask for it.
EXPORTED cusparseStatus_t cusparseSpMatSetAttribute(
    cusparseSpMatDescr_t M, cusparseSpMatAttribute_t Which, void *From,
    size_t Bytes) {
  ENTER(M);
  REQUIRE(From && Bytes == sizeof(M->Fill));
  const int Value = *static_cast<const int *>(From);
  REQUIRE(Value == 0 || Value == 1);
  if (Which == CUSPARSE_SPMAT_FILL_MODE)
    M->Fill = cusparseFillMode_t(Value);
  else if (Which == CUSPARSE_SPMAT_DIAG_TYPE)
    M->Diagonal = cusparseDiagType_t(Value);
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpMatGetAttribute(
    cusparseConstSpMatDescr_t M, cusparseSpMatAttribute_t Which, void *To,
    size_t Bytes) {
  ENTER(M);
  REQUIRE(To && Bytes == sizeof(M->Fill));
  REQUIRE(Which == CUSPARSE_SPMAT_FILL_MODE ||
          Which == CUSPARSE_SPMAT_DIAG_TYPE);
  *static_cast<int *>(To) =
      Which == CUSPARSE_SPMAT_FILL_MODE ? int(M->Fill) : int(M->Diagonal);
  return CUSPARSE_STATUS_SUCCESS;
}

#define DESTROY(Name, Descriptor)                                              \
  EXPORTED cusparseStatus_t cusparseDestroy##Name(Descriptor D) {              \
    ENTER(D);                                                                  \
    delete D;                                                                  \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
DESTROY(SpMat, cusparseConstSpMatDescr_t)
DESTROY(SpVec, cusparseConstSpVecDescr_t)
DESTROY(DnVec, cusparseConstDnVecDescr_t)
DESTROY(DnMat, cusparseConstDnMatDescr_t)

EXPORTED cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t M,
                                               int64_t *Rows, int64_t *Columns,
                                               int64_t *Entries) {
  ENTER(M);
  REQUIRE(Rows && Columns && Entries);
  *Rows = M->Rows;
  *Columns = M->Columns;
  *Entries = M->Entries;
  return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t setPointers(cusparseSpMatDescr_t M,
                                    cusparseFormat_t Format, void *Offsets,
                                    void *Indices, void *Values) {
  ENTER(M);
  REQUIRE(M->Format == Format);
  M->Offsets = Offsets;
  M->Indices = Indices;
  M->Values = Values;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t M,
                                                 void *Offsets, void *Indices,
                                                 void *Values) {
  return setPointers(M, CUSPARSE_FORMAT_CSR, Offsets, Indices, Values);
}
EXPORTED cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t M,
                                                 void *Offsets, void *Indices,
                                                 void *Values) {
  return setPointers(M, CUSPARSE_FORMAT_CSC, Offsets, Indices, Values);
}
EXPORTED cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t M,
                                                 void *RowOf, void *Indices,
                                                 void *Values) {
  return setPointers(M, CUSPARSE_FORMAT_COO, RowOf, Indices, Values);
}

#define SPARSE_VECTOR(Create, Get, Pointer, Descriptor)                        \
  EXPORTED cusparseStatus_t Create(                                            \
      Descriptor *To, int64_t Size, int64_t Entries, Pointer Indices,          \
      Pointer Values, cusparseIndexType_t IndexType, cusparseIndexBase_t Base, \
      cudaDataType Type) {                                                     \
    __heddle_count(__func__);                                                  \
    REQUIRE(To && Size >= 0 && Entries >= 0 && Entries <= Size &&              \
            isBase(Base));                                                     \
    if (!isIndex(IndexType))                                                   \
      return refuseTypes(__func__);                                            \
    *To =                                                                      \
        new cusparseSpVecDescr{                                                \
            Size, Entries, (void *)Indices, (void *)Values, IndexType,         \
            Base, Type};                                                       \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  EXPORTED cusparseStatus_t Get(                                               \
      Descriptor V, int64_t *Size, int64_t *Entries, Pointer *Indices,         \
      Pointer *Values, cusparseIndexType_t *IndexType,                         \
      cusparseIndexBase_t *Base, cudaDataType *Type) {                         \
    ENTER(V);                                                                  \
    REQUIRE(Size && Entries && Indices && Values && IndexType && Base &&       \
            Type);                                                             \
    *Size = V->Size, *Entries = V->Entries, *Indices = V->Indices;             \
    *Values = V->Values, *IndexType = V->IndexType, *Base = V->Base;           \
    *Type = V->Type;                                                           \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
SPARSE_VECTOR(cusparseCreateSpVec, cusparseSpVecGet, void *,
              cusparseSpVecDescr_t)
SPARSE_VECTOR(cusparseCreateConstSpVec, cusparseConstSpVecGet, const void *,
              cusparseConstSpVecDescr_t)
template <typename D>
static cusparseStatus_t createVector(D **To, int64_t Size, const void *Values,
                                     cudaDataType Type) {
  __heddle_count("cusparseCreateDnVec");
  REQUIRE(To && Size >= 0 && (Size == 0 || Values));
  *To = new cusparseDnVecDescr{Size, const_cast<void *>(Values), Type};
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *To,
                                              int64_t Size, void *Values,
                                              cudaDataType Type) {
  return createVector(To, Size, Values, Type);
}
EXPORTED cusparseStatus_t
cusparseCreateConstDnVec(cusparseConstDnVecDescr_t *To, int64_t Size,
                         const void *Values, cudaDataType Type) {
  return createVector(To, Size, Values, Type);
}
#define DENSE_GET(Name, MatrixName, Pointer, Vector, Matrix)                   \
  EXPORTED cusparseStatus_t Name(Vector V, int64_t *Size, Pointer *Values,     \
                                 cudaDataType *Type) {                         \
    ENTER(V);                                                                  \
    REQUIRE(Size && Values && Type);                                           \
    *Size = V->Size, *Values = V->Values, *Type = V->Type;                     \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  EXPORTED cusparseStatus_t MatrixName(                                        \
      Matrix M, int64_t *Rows, int64_t *Columns, int64_t *Leading,             \
      Pointer *Values, cudaDataType *Type, cusparseOrder_t *Order) {           \
    ENTER(M);                                                                  \
    REQUIRE(Rows && Columns && Leading && Values && Type && Order);            \
    *Rows = M->Rows, *Columns = M->Columns, *Leading = M->Leading;             \
    *Values = M->Values, *Type = M->Type, *Order = M->Order;                   \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
DENSE_GET(cusparseDnVecGet, cusparseDnMatGet, void *, cusparseDnVecDescr_t,
          cusparseDnMatDescr_t)
DENSE_GET(cusparseConstDnVecGet, cusparseConstDnMatGet, const void *,
          cusparseConstDnVecDescr_t, cusparseConstDnMatDescr_t)
template <typename D>
static cusparseStatus_t createMatrix(D **To, cusparseDnMatDescr From) {
  __heddle_count("cusparseCreateDnMat");
  const bool ByRow = From.Order == CUSPARSE_ORDER_ROW;
  REQUIRE(To && From.Rows >= 0 && From.Columns >= 0);
  REQUIRE(ByRow || From.Order == CUSPARSE_ORDER_COL);
  REQUIRE(From.Leading >= (ByRow ? From.Columns : From.Rows));
  *To = new cusparseDnMatDescr(From);
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *To,
                                              int64_t Rows, int64_t Columns,
                                              int64_t Leading, void *Values,
                                              cudaDataType Type,
                                              cusparseOrder_t Order) {
  return createMatrix(To, {Rows, Columns, Leading, Values, Type, Order});
}
EXPORTED cusparseStatus_t
cusparseCreateConstDnMat(cusparseConstDnMatDescr_t *To, int64_t Rows,
                         int64_t Columns, int64_t Leading, const void *Values,
                         cudaDataType Type, cusparseOrder_t Order) {
  return createMatrix(
      To, {Rows, Columns, Leading, const_cast<void *>(Values), Type, Order});
}
