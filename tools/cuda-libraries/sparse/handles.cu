//===- handles.cu - Handles of libcusparse, and fields of its objects -----===//

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
#define GET(Name, Object, Type, Field)                                         \
  EXPORTED cusparseStatus_t Name(Object O, Type *To) {                         \
    ENTER(O);                                                                  \
    REQUIRE(To);                                                               \
    *To = O->Field;                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                            \
  }
GET(cusparseSpMatGetFormat, cusparseConstSpMatDescr_t, cusparseFormat_t, Format)
GET(cusparseSpMatGetIndexBase, cusparseConstSpMatDescr_t, cusparseIndexBase_t,
    Base)
GET(cusparseSpVecGetIndexBase, cusparseConstSpVecDescr_t, cusparseIndexBase_t,
    Base)
GET(cusparseConstSpMatGetValues, cusparseConstSpMatDescr_t, const void *,
    Values)
GET(cusparseConstSpVecGetValues, cusparseConstSpVecDescr_t, const void *,
    Values)
GET(cusparseConstDnVecGetValues, cusparseConstDnVecDescr_t, const void *,
    Values)
GET(cusparseConstDnMatGetValues, cusparseConstDnMatDescr_t, const void *,
    Values)
SAME(cusparseSpVecSetValues, cusparseSpVecGetValues, cusparseSpVecDescr_t,
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
