// Compiling device code while a program runs: what Heddle's own libnvrtc has
// (tools/cuda-layer/Nvrtc.cpp).

#ifndef HEDDLE_CUDA_NVRTC_H
#define HEDDLE_CUDA_NVRTC_H

#include "own_names.def"

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_INVALID_OPTION = 5,
  NVRTC_ERROR_COMPILATION = 6,
  NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
  NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
  NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
  NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
  NVRTC_ERROR_INTERNAL_ERROR = 11,
  NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12
} nvrtcResult;
typedef struct _nvrtcProgram *nvrtcProgram;

const char *nvrtcGetErrorString(nvrtcResult);
nvrtcResult nvrtcVersion(int *major, int *minor);
nvrtcResult nvrtcGetNumSupportedArchs(int *count);
nvrtcResult nvrtcGetSupportedArchs(int *archs);
nvrtcResult nvrtcCreateProgram(nvrtcProgram *, const char *source,
                               const char *name, int header_count,
                               const char *const *headers,
                               const char *const *include_names);
nvrtcResult nvrtcDestroyProgram(nvrtcProgram *);
nvrtcResult nvrtcCompileProgram(nvrtcProgram, int option_count,
                                const char *const *options);
nvrtcResult nvrtcGetPTXSize(nvrtcProgram, size_t *);
nvrtcResult nvrtcGetPTX(nvrtcProgram, char *);
nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram, size_t *);
nvrtcResult nvrtcGetProgramLog(nvrtcProgram, char *);
nvrtcResult nvrtcAddNameExpression(nvrtcProgram, const char *);
nvrtcResult nvrtcGetLoweredName(nvrtcProgram, const char *expression,
                                const char **lowered);
// Machine code and the vendor's own forms: refused.
nvrtcResult nvrtcGetCUBINSize(nvrtcProgram, size_t *);
nvrtcResult nvrtcGetCUBIN(nvrtcProgram, char *);
nvrtcResult nvrtcGetNVVMSize(nvrtcProgram, size_t *);
nvrtcResult nvrtcGetNVVM(nvrtcProgram, char *);
nvrtcResult nvrtcGetLTOIRSize(nvrtcProgram, size_t *);
nvrtcResult nvrtcGetLTOIR(nvrtcProgram, char *);
nvrtcResult nvrtcGetOptiXIRSize(nvrtcProgram, size_t *);
nvrtcResult nvrtcGetOptiXIR(nvrtcProgram, char *);

#ifdef __cplusplus
}
#endif

#if defined(__cplusplus) && defined(NVRTC_GET_TYPE_NAME) && NVRTC_GET_TYPE_NAME
#include <cxxabi.h>
#include <stdlib.h>
#include <string>
#include <typeinfo>
static inline nvrtcResult nvrtcGetTypeName(const std::type_info &type,
                                           std::string *result) {
  int status = 0;
  char *text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  if (status != 0 || !text)
    return NVRTC_ERROR_INTERNAL_ERROR;
  *result = text;
  free(text);
  return NVRTC_SUCCESS;
}
// A type that stands in a wrapper keeps its qualifiers.
template <typename T> struct __nvrtcGetTypeName_helper_t {};
template <typename T> nvrtcResult nvrtcGetTypeName(std::string *result) {
  nvrtcResult status =
      nvrtcGetTypeName(typeid(__nvrtcGetTypeName_helper_t<T>), result);
  if (status != NVRTC_SUCCESS)
    return status;
  const size_t begin = result->find('<') + 1;
  *result = result->substr(begin, result->rfind('>') - begin);
  return NVRTC_SUCCESS;
}
#endif

#include "user_names.def"

#endif
