// Marks and ranges for profilers. Ranges name the regions of a recording; where
// nothing is recorded these are the answers that NVTX gives without a profiler.

#ifndef HEDDLE_CUDA_NVTOOLSEXT_H
#define HEDDLE_CUDA_NVTOOLSEXT_H

#include "../own_names.def"

#include <stddef.h>
#include <stdint.h>

#define NVTX_VERSION 3
#define NVTX_SUCCESS 0
#define NVTX_NO_PUSH_POP_TRACKING (-2)
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE ((uint16_t)sizeof(nvtxEventAttributes_t))
typedef enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB } nvtxColorType_t;
typedef enum {
  NVTX_MESSAGE_UNKNOWN,
  NVTX_MESSAGE_TYPE_ASCII,
  NVTX_MESSAGE_TYPE_UNICODE,
  NVTX_MESSAGE_TYPE_REGISTERED
} nvtxMessageType_t;
typedef enum {
  NVTX_PAYLOAD_UNKNOWN,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT64,
  NVTX_PAYLOAD_TYPE_INT64,
  NVTX_PAYLOAD_TYPE_DOUBLE,
  NVTX_PAYLOAD_TYPE_UNSIGNED_INT32,
  NVTX_PAYLOAD_TYPE_INT32,
  NVTX_PAYLOAD_TYPE_FLOAT
} nvtxPayloadType_t;

typedef uint64_t nvtxRangeId_t;
typedef struct nvtxDomainRegistration_st *nvtxDomainHandle_t;
typedef struct nvtxStringRegistration_st *nvtxStringHandle_t;
typedef union {
  const char *ascii;
  const wchar_t *unicode;
  nvtxStringHandle_t registered;
} nvtxMessageValue_t;
typedef struct {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  union {
    uint64_t ullValue;
    int64_t llValue;
    double dValue;
    uint32_t uiValue;
    int32_t iValue;
    float fValue;
  } payload;
  int32_t messageType;
  nvtxMessageValue_t message;
} nvtxEventAttributes_t;

#ifdef __cplusplus
extern "C" {
#define HEDDLE_NVTX_NONE
#else
#define HEDDLE_NVTX_NONE void
#endif

// The library defines what is declared here (tools/cuda-layer/Ranges.cpp).
#ifndef HEDDLE_NVTX_LIBRARY
// What names regions of a recording goes to libcudart, if the program has it.
#define HEDDLE_NVTX(RESULT, NONE, NAME, PARAMS, ARGS)                          \
  extern RESULT __heddle_##NAME PARAMS __attribute__((weak));                  \
  static inline RESULT NAME PARAMS {                                           \
    return __heddle_##NAME ? __heddle_##NAME ARGS : NONE;                      \
  }
HEDDLE_NVTX(nvtxRangeId_t, 0, nvtxRangeStartEx,
            (const nvtxEventAttributes_t *of), (of))
HEDDLE_NVTX(nvtxRangeId_t, 0, nvtxRangeStartA, (const char *name), (name))
HEDDLE_NVTX(nvtxRangeId_t, 0, nvtxRangeStartW, (const wchar_t *name), (name))
HEDDLE_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushEx,
            (const nvtxEventAttributes_t *of), (of))
HEDDLE_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushA, (const char *name),
            (name))
HEDDLE_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePushW,
            (const wchar_t *name), (name))
HEDDLE_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxRangePop, (HEDDLE_NVTX_NONE),
            ())
HEDDLE_NVTX(nvtxDomainHandle_t, 0, nvtxDomainCreateA, (const char *name),
            (name))
HEDDLE_NVTX(nvtxDomainHandle_t, 0, nvtxDomainCreateW, (const wchar_t *name),
            (name))
HEDDLE_NVTX(nvtxRangeId_t, 0, nvtxDomainRangeStartEx,
            (nvtxDomainHandle_t in, const nvtxEventAttributes_t *of), (in, of))
HEDDLE_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePushEx,
            (nvtxDomainHandle_t in, const nvtxEventAttributes_t *of), (in, of))
HEDDLE_NVTX(int, NVTX_NO_PUSH_POP_TRACKING, nvtxDomainRangePop,
            (nvtxDomainHandle_t in), (in))
HEDDLE_NVTX(nvtxStringHandle_t, 0, nvtxDomainRegisterStringA,
            (nvtxDomainHandle_t in, const char *text), (in, text))
HEDDLE_NVTX(nvtxStringHandle_t, 0, nvtxDomainRegisterStringW,
            (nvtxDomainHandle_t in, const wchar_t *text), (in, text))
#undef HEDDLE_NVTX
extern void __heddle_nvtxDomainRangeEnd(nvtxDomainHandle_t in, nvtxRangeId_t id)
    __attribute__((weak));
static inline void nvtxDomainRangeEnd(nvtxDomainHandle_t in, nvtxRangeId_t id) {
  if (__heddle_nvtxDomainRangeEnd)
    __heddle_nvtxDomainRangeEnd(in, id);
}
static inline void nvtxRangeEnd(nvtxRangeId_t id) { nvtxDomainRangeEnd(0, id); }
#define HEDDLE_NVTX_VOID(NAME, ...)                                            \
  static inline void NAME(__VA_ARGS__) {}
#endif

// Marks and names have no effect.
HEDDLE_NVTX_VOID(nvtxInitialize, const void *)
HEDDLE_NVTX_VOID(nvtxMarkEx, const nvtxEventAttributes_t *)
HEDDLE_NVTX_VOID(nvtxMarkA, const char *)
HEDDLE_NVTX_VOID(nvtxMarkW, const wchar_t *)
HEDDLE_NVTX_VOID(nvtxNameCategoryA, uint32_t, const char *)
HEDDLE_NVTX_VOID(nvtxNameCategoryW, uint32_t, const wchar_t *)
HEDDLE_NVTX_VOID(nvtxNameOsThreadA, uint32_t, const char *)
HEDDLE_NVTX_VOID(nvtxNameOsThreadW, uint32_t, const wchar_t *)
HEDDLE_NVTX_VOID(nvtxDomainDestroy, nvtxDomainHandle_t)
HEDDLE_NVTX_VOID(nvtxDomainMarkEx, nvtxDomainHandle_t,
                 const nvtxEventAttributes_t *)
HEDDLE_NVTX_VOID(nvtxDomainNameCategoryA, nvtxDomainHandle_t, uint32_t,
                 const char *)
HEDDLE_NVTX_VOID(nvtxDomainNameCategoryW, nvtxDomainHandle_t, uint32_t,
                 const wchar_t *)
// Of CUDA's objects, whose handles are pointers.
HEDDLE_NVTX_VOID(nvtxNameCudaDeviceA, int, const char *)
HEDDLE_NVTX_VOID(nvtxNameCudaStreamA, const void *, const char *)
HEDDLE_NVTX_VOID(nvtxNameCudaEventA, const void *, const char *)

#undef HEDDLE_NVTX_VOID
#undef HEDDLE_NVTX_NONE
#ifdef __cplusplus
}
#endif

#define nvtxMark nvtxMarkA
#define nvtxRangeStart nvtxRangeStartA
#define nvtxRangePush nvtxRangePushA
#define nvtxNameCategory nvtxNameCategoryA
#define nvtxNameOsThread nvtxNameOsThreadA
#define nvtxDomainCreate nvtxDomainCreateA
#define nvtxDomainRegisterString nvtxDomainRegisterStringA

#include "../user_names.def"

#endif
