// The error checks that sample programs include, for trees that lack the file.

#ifndef HEDDLE_CUDA_HELPER_CUDA_H
#define HEDDLE_CUDA_HELPER_CUDA_H

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
  __getLastCudaError(message, __FILE__, __LINE__)
#define checkCudaDrvErrors(value) check((value), #value, __FILE__, __LINE__)
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
template <typename T>
void check(T result, const char *call, const char *file, int line);
void __getLastCudaError(const char *message, const char *file, int line);
int ftoi(float);
int _ConvertSMVer2Cores(int major, int minor);
const char *_ConvertSMVer2ArchName(int major, int minor);
int gpuDeviceInit(int);
int gpuGetMaxGflopsDeviceId();
int findCudaDevice(int argc, const char **argv);
int findIntegratedGPU();
bool checkCudaCapabilities(int major, int minor);
template <typename T> const char *_cudaGetErrorEnum(T error);

#endif
