// The error checks that sample programs include, for trees that lack the file.

#ifndef HEDDLE_CUDA_HELPER_CUDA_H
#define HEDDLE_CUDA_HELPER_CUDA_H

#include "own_names.def"

#include "cuda_runtime.h"
#include "helper_string.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif
#define DEVICE_RESET cudaDeviceReset();
#define checkCudaErrors(value) check((value), #value, __FILE__, __LINE__)
#define getLastCudaError(message)                                              \
  __getLastCudaError(message, __FILE__, __LINE__)
#define printLastCudaError(message)                                            \
  __printLastCudaError(message, __FILE__, __LINE__)
#define checkCudaDrvErrors(value) check((value), #value, __FILE__, __LINE__)
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif

inline const char *_cudaGetErrorEnum(cudaError_t error) {
  return cudaGetErrorName(error);
}
/// Of the libraries, by number alone.
template <typename T> const char *_cudaGetErrorEnum(T) { return "<unknown>"; }

template <typename T>
void check(T result, const char *call, const char *file, int line) {
  if (!static_cast<unsigned>(result))
    return;
  fprintf(stderr, "CUDA error at %s:%d code=%u(%s) \"%s\"\n", file, line,
          static_cast<unsigned>(result), _cudaGetErrorEnum(result), call);
  exit(EXIT_FAILURE);
}
inline void __printLastCudaError(const char *message, const char *file,
                                 int line) {
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess)
    fprintf(stderr, "%s:%d: %s: CUDA error %d: %s\n", file, line, message,
            int(error), cudaGetErrorString(error));
}
inline void __getLastCudaError(const char *message, const char *file,
                               int line) {
  const cudaError_t error = cudaPeekAtLastError();
  __printLastCudaError(message, file, line);
  if (error != cudaSuccess)
    exit(EXIT_FAILURE);
}
inline int ftoi(float value) {
  return int(value >= 0 ? value + 0.5f : value - 0.5f);
}

/// Lanes of single precision that an SM has.
inline int _ConvertSMVer2Cores(int major, int minor) {
  if (major == 6 && minor == 0)
    return 64;
  if (major == 7 || (major == 8 && minor == 0))
    return 64;
  return major == 3 ? 192 : 128;
}
inline const char *_ConvertSMVer2ArchName(int major, int minor) {
  switch (major) {
  case 3:
    return "Kepler";
  case 5:
    return "Maxwell";
  case 6:
    return "Pascal";
  case 7:
    return minor == 5 ? "Turing" : "Volta";
  case 8:
    return minor == 9 ? "Ada" : "Ampere";
  case 9:
    return "Hopper";
  default:
    return "Blackwell";
  }
}

inline int gpuDeviceInit(int device) {
  int count = 0;
  checkCudaErrors(cudaGetDeviceCount(&count));
  if (device >= count)
    return -device;
  checkCudaErrors(cudaSetDevice(device < 0 ? 0 : device));
  return device < 0 ? 0 : device;
}
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline int findCudaDevice(int argc, const char **argv) {
  int device = 0;
  if (checkCmdLineFlag(argc, argv, "device"))
    device = getCmdLineArgumentInt(argc, argv, "device");
  device = gpuDeviceInit(device);
  if (device < 0) {
    fprintf(stderr, "there is no device %d\n", -device);
    exit(EXIT_FAILURE);
  }
  cudaDeviceProp its;
  checkCudaErrors(cudaGetDeviceProperties(&its, device));
  printf("GPU Device %d: \"%s\" with compute capability %d.%d\n\n", device,
         _ConvertSMVer2ArchName(its.major, its.minor), its.major, its.minor);
  return device;
}
inline int findIntegratedGPU() { return -1; }
inline bool checkCudaCapabilities(int major, int minor) {
  int device = 0;
  cudaDeviceProp its;
  checkCudaErrors(cudaGetDevice(&device));
  checkCudaErrors(cudaGetDeviceProperties(&its, device));
  return its.major > major || (its.major == major && its.minor >= minor);
}

#include "user_names.def"

#endif
