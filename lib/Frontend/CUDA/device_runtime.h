// What kernels may call of the runtime API. Everything is done at once and in
// order, as a default stream does it; a launch is analysed and not executed.

#ifndef HEDDLE_CUDA_DEVICE_RUNTIME_H
#define HEDDLE_CUDA_DEVICE_RUNTIME_H

#include "cuda_runtime_api.h"
#include "device_functions.h"

// What "kernel<<<...>>>(...)" becomes in device code: arguments are written to
// the buffer, then the launch reads it.
__attribute__((device)) inline char __heddle_launch_arguments[4096];
extern "C" __attribute__((device)) inline void *cudaGetParameterBuffer(size_t,
                                                                       size_t) {
  return __heddle_launch_arguments;
}
extern "C" __attribute__((device)) cudaError_t cudaLaunchDevice(void *, void *,
                                                                dim3, dim3,
                                                                unsigned,
                                                                cudaStream_t);
#define cudaStreamTailLaunch ((cudaStream_t)0x3)
#define cudaStreamFireAndForget ((cudaStream_t)0x4)
#define cudaStreamGraphTailLaunch ((cudaStream_t)0x5)
#define cudaStreamGraphFireAndForget ((cudaStream_t)0x6)

// Launches that overlap: what one waits for of the one before, and lets the
// next one start. Below sm_90 nothing, as in CUDA.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
__HEDDLE_DEVICE void cudaGridDependencySynchronize() {
  asm volatile("griddepcontrol.wait;" ::: "memory");
}
__HEDDLE_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {
  asm volatile("griddepcontrol.launch_dependents;" :::);
}
#else
__HEDDLE_DEVICE void cudaGridDependencySynchronize() {}
__HEDDLE_DEVICE void cudaTriggerProgrammaticLaunchCompletion() {}
#endif

__HEDDLE_DEVICE cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
__HEDDLE_DEVICE cudaError_t cudaThreadSynchronize() { return cudaSuccess; }
__HEDDLE_DEVICE cudaError_t cudaGetLastError() { return cudaSuccess; }
__HEDDLE_DEVICE cudaError_t cudaPeekAtLastError() { return cudaSuccess; }
__HEDDLE_DEVICE const char *cudaGetErrorString(cudaError_t) { return "error"; }
__HEDDLE_DEVICE const char *cudaGetErrorName(cudaError_t) { return "error"; }
__HEDDLE_DEVICE cudaError_t cudaGetDevice(int *device) {
  *device = 0;
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaGetDeviceCount(int *count) {
  *count = 1;
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaRuntimeGetVersion(int *version) {
  *version = CUDART_VERSION;
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr,
                                                   int) {
  *value = 0;
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream,
                                                      unsigned) {
  *stream = nullptr;
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaStreamDestroy(cudaStream_t) {
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaStreamSynchronize(cudaStream_t) {
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t,
                                                unsigned = 0) {
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event,
                                                     unsigned) {
  *event = nullptr;
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0) {
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaEventDestroy(cudaEvent_t) {
  return cudaSuccess;
}
// On the heap of malloc, as in CUDA.
template <typename T> __HEDDLE_DEVICE cudaError_t cudaMalloc(T **to, size_t n) {
  *to = (T *)malloc(n);
  return *to ? cudaSuccess : cudaErrorMemoryAllocation;
}
__HEDDLE_DEVICE cudaError_t cudaFree(void *p) {
  free(p);
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaMemcpyAsync(void *to, const void *from,
                                            size_t n, cudaMemcpyKind,
                                            cudaStream_t = 0) {
  memcpy(to, from, n);
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaMemcpy(void *to, const void *from, size_t n,
                                       cudaMemcpyKind) {
  memcpy(to, from, n);
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaMemsetAsync(void *to, int value, size_t n,
                                            cudaStream_t = 0) {
  memset(to, value, n);
  return cudaSuccess;
}
__HEDDLE_DEVICE cudaError_t cudaMemset(void *to, int value, size_t n) {
  memset(to, value, n);
  return cudaSuccess;
}
template <typename T>
__HEDDLE_DEVICE cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *to, T *) {
  *to = {};
  return cudaSuccess;
}
template <typename T>
__HEDDLE_DEVICE cudaError_t
cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T, int, size_t) {
  *blocks = 1;
  return cudaSuccess;
}

#endif
