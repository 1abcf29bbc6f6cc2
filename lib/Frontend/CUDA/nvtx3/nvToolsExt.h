// Markers for profilers, which have no effect here.

#ifndef HEDDLE_CUDA_NVTOOLSEXT_H
#define HEDDLE_CUDA_NVTOOLSEXT_H

#include <stdint.h>

#define NVTX_VERSION 2
#define NVTX_EVENT_ATTRIB_STRUCT_SIZE sizeof(nvtxEventAttributes_t)
enum { NVTX_COLOR_UNKNOWN, NVTX_COLOR_ARGB };
enum { NVTX_MESSAGE_UNKNOWN, NVTX_MESSAGE_TYPE_ASCII };
typedef uint64_t nvtxRangeId_t;
struct nvtxEventAttributes_t {
  uint16_t version, size;
  uint32_t category;
  int32_t colorType;
  uint32_t color;
  int32_t payloadType, reserved0;
  uint64_t payload;
  int32_t messageType;
  union {
    const char *ascii;
  } message;
};
template <typename... T> int nvtxRangePushA(T...);
template <typename... T> int nvtxRangePush(T...);
template <typename... T> int nvtxRangePushEx(T...);
int nvtxRangePop();
template <typename... T> void nvtxMarkA(T...);
template <typename... T> nvtxRangeId_t nvtxRangeStartA(T...);
void nvtxRangeEnd(nvtxRangeId_t);
template <typename... T> void nvtxNameOsThreadA(T...);

#endif
