//===- descriptors.cu - Handles, matrices and vectors of libcusparse ------===//

#include "Sparse.h"

using namespace heddle_sparse;

EXPORTED cusparseStatus_t cusparseCreate(cusparseHandle_t *To) {
  __heddle_count(__func__);
  REQUIRE(To);
  *To = new cusparseContext;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseDestroy(cusparseHandle_t H) {
  ENTER(H);
  delete H;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseGetVersion(cusparseHandle_t H, int *To) {
  ENTER(H);
  REQUIRE(To);
  *To = CUSPARSE_VERSION;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseGetProperty(libraryPropertyType Which,
                                              int *To) {
  __heddle_count(__func__);
  REQUIRE(To && Which >= MAJOR_VERSION && Which <= PATCH_LEVEL);
  *To = Which == MAJOR_VERSION ? CUSPARSE_VER_MAJOR : 0;
  return CUSPARSE_STATUS_SUCCESS;
}

/// A field of an object, set and read.
#define FIELD(Set, Get, Object, ConstObject, Type, Field)                      \
  EXPORTED cusparseStatus_t Set(Object O, Type Value) {                        \
    ENTER(O);                                                                  \
    O->Field = Value;                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }                                                                            \
  EXPORTED cusparseStatus_t Get(ConstObject O, Type *To) {                     \
    ENTER(O);                                                                  \
    REQUIRE(To);                                                               \
    *To = O->Field;                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
#define SAME(Set, Get, Object, Type, Field)                                    \
  FIELD(Set, Get, Object, Object, Type, Field)
SAME(cusparseSetStream, cusparseGetStream, cusparseHandle_t, cudaStream_t,
     Stream)
SAME(cusparseSetPointerMode, cusparseGetPointerMode, cusparseHandle_t,
     cusparsePointerMode_t, Mode)
SAME(cusparseSpMatSetValues, cusparseSpMatGetValues, cusparseSpMatDescr_t,
     void *, Values)
SAME(cusparseDnVecSetValues, cusparseDnVecGetValues, cusparseDnVecDescr_t,
     void *, Values)
SAME(cusparseDnMatSetValues, cusparseDnMatGetValues, cusparseDnMatDescr_t,
     void *, Values)

/// Names and what they mean.
static constexpr struct {
  cusparseStatus_t Status;
  const char *Name, *Text;
} Statuses[] = {
#define STATUS(Name, Text)                                                     \
  {CUSPARSE_STATUS_##Name, "CUSPARSE_STATUS_" #Name, Text}
    STATUS(SUCCESS, "success"),
    STATUS(NOT_INITIALIZED, "initialization error"),
    STATUS(ALLOC_FAILED, "out of memory"),
    STATUS(INVALID_VALUE, "invalid value"),
    STATUS(ARCH_MISMATCH, "architecture mismatch"),
    STATUS(MAPPING_ERROR, "texture error"),
    STATUS(EXECUTION_FAILED, "kernel launch failure"),
    STATUS(INTERNAL_ERROR, "internal error"),
    STATUS(MATRIX_TYPE_NOT_SUPPORTED, "matrix type not supported"),
    STATUS(ZERO_PIVOT, "zero pivot"),
    STATUS(NOT_SUPPORTED, "operation not supported"),
    STATUS(INSUFFICIENT_RESOURCES, "insufficient resources"),
};
EXPORTED const char *cusparseGetErrorName(cusparseStatus_t S) {
  for (const auto &Known : Statuses)
    if (Known.Status == S)
      return Known.Name;
  return "unrecognized error code";
}
EXPORTED const char *cusparseGetErrorString(cusparseStatus_t S) {
  for (const auto &Known : Statuses)
    if (Known.Status == S)
      return Known.Text;
  return "unrecognized error code";
}
EXPORTED cusparseStatus_t __heddle_refuse_sparse(const char *Function) {
  return heddle_library::refuse(Function, CUSPARSE_STATUS_NOT_SUPPORTED);
}

//===----------------------------------------------------------------------===//
// Matrices and vectors
//===----------------------------------------------------------------------===//

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
    return refuseTypes(From.IsCoo ? "cusparseCreateCoo" : "cusparseCreateCsr");
  *To = new cusparseSpMatDescr(From);
  return CUSPARSE_STATUS_SUCCESS;
}

#define MATRICES(Const, Pointer, Descriptor)                                   \
  EXPORTED cusparseStatus_t cusparseCreate##Const##Csr(                        \
      Descriptor *To, int64_t Rows, int64_t Columns, int64_t Entries,          \
      Pointer Offsets, Pointer Indices, Pointer Values,                        \
      cusparseIndexType_t OffsetType, cusparseIndexType_t IndexType,           \
      cusparseIndexBase_t Base, cudaDataType Type) {                           \
    __heddle_count(__func__);                                                  \
    return create(To, {false, Rows, Columns, Entries, (void *)Offsets,         \
                       (void *)Indices, (void *)Values, OffsetType, IndexType, \
                       Base, Type});                                           \
  }                                                                            \
  EXPORTED cusparseStatus_t cusparseCreate##Const##Coo(                        \
      Descriptor *To, int64_t Rows, int64_t Columns, int64_t Entries,          \
      Pointer RowOf, Pointer Indices, Pointer Values,                          \
      cusparseIndexType_t IndexType, cusparseIndexBase_t Base,                 \
      cudaDataType Type) {                                                     \
    __heddle_count(__func__);                                                  \
    return create(To, {true, Rows, Columns, Entries, (void *)RowOf,            \
                       (void *)Indices, (void *)Values, IndexType, IndexType,  \
                       Base, Type});                                           \
  }
MATRICES(, void *, cusparseSpMatDescr_t)
MATRICES(Const, const void *, cusparseConstSpMatDescr_t)

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
EXPORTED cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t M,
                                                 cusparseFormat_t *To) {
  ENTER(M);
  REQUIRE(To);
  *To = M->IsCoo ? CUSPARSE_FORMAT_COO : CUSPARSE_FORMAT_CSR;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t M,
                                                    cusparseIndexBase_t *To) {
  ENTER(M);
  REQUIRE(To);
  *To = M->Base;
  return CUSPARSE_STATUS_SUCCESS;
}
static cusparseStatus_t setPointers(cusparseSpMatDescr_t M, bool IsCoo,
                                    void *Offsets, void *Indices,
                                    void *Values) {
  ENTER(M);
  REQUIRE(M->IsCoo == IsCoo);
  M->Offsets = Offsets;
  M->Indices = Indices;
  M->Values = Values;
  return CUSPARSE_STATUS_SUCCESS;
}
EXPORTED cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t M,
                                                 void *Offsets, void *Indices,
                                                 void *Values) {
  return setPointers(M, false, Offsets, Indices, Values);
}
EXPORTED cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t M,
                                                 void *RowOf, void *Indices,
                                                 void *Values) {
  return setPointers(M, true, RowOf, Indices, Values);
}

EXPORTED cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t *To,
                                              int64_t Size, int64_t Entries,
                                              void *Indices, void *Values,
                                              cusparseIndexType_t IndexType,
                                              cusparseIndexBase_t Base,
                                              cudaDataType Type) {
  __heddle_count(__func__);
  REQUIRE(To && Size >= 0 && Entries >= 0 && Entries <= Size && isBase(Base));
  if (!isIndex(IndexType))
    return refuseTypes(__func__);
  *To = new cusparseSpVecDescr{Size,      Entries, Indices, Values,
                               IndexType, Base,    Type};
  return CUSPARSE_STATUS_SUCCESS;
}
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
EXPORTED cusparseStatus_t cusparseDnVecGet(cusparseDnVecDescr_t V,
                                           int64_t *Size, void **Values,
                                           cudaDataType *Type) {
  ENTER(V);
  REQUIRE(Size && Values && Type);
  *Size = V->Size;
  *Values = V->Values;
  *Type = V->Type;
  return CUSPARSE_STATUS_SUCCESS;
}
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
