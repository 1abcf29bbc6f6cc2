// The error checks and timers of the programs of CUDA's first years, by the
// names that these programs call.

#ifndef HEDDLE_CUDA_CUTIL_H
#define HEDDLE_CUDA_CUTIL_H

#include "own_names.def"

#include "cuda_runtime.h"
#include "helper_functions.h"
#include "helper_math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUT_BANK_CHECKER(array, index) array[index]

/// \p Result is of the runtime or of a library; 0 is success.
inline void __heddle_cutil_check(long long result, const char *what,
                                 const char *file, int line) {
  if (!result)
    return;
  fprintf(stderr, "%s:%d: %s: error %lld\n", file, line, what, result);
  exit(EXIT_FAILURE);
}
inline void __heddle_cutil_last(const char *message, const char *file,
                                int line) {
  cudaError_t error = cudaGetLastError();
  if (error == cudaSuccess)
    error = cudaThreadSynchronize();
  if (error == cudaSuccess)
    return;
  fprintf(stderr, "%s:%d: %s: %s\n", file, line, message,
          cudaGetErrorString(error));
  exit(EXIT_FAILURE);
}
#define __HEDDLE_CUTIL_CALL(call)                                              \
  __heddle_cutil_check((long long)(call), #call, __FILE__, __LINE__)
#define __HEDDLE_CUTIL_TRUE(call)                                              \
  __heddle_cutil_check(!(call), #call, __FILE__, __LINE__)
#define __HEDDLE_CUTIL_LAST(message)                                           \
  __heddle_cutil_last(message, __FILE__, __LINE__)

#define CUDA_SAFE_CALL_NO_SYNC(call) __HEDDLE_CUTIL_CALL(call)
#define CUDA_SAFE_CALL(call) __HEDDLE_CUTIL_CALL(call)
#define CUFFT_SAFE_CALL(call) __HEDDLE_CUTIL_CALL(call)
#define CU_SAFE_CALL(call) __HEDDLE_CUTIL_CALL(call)
#define CU_SAFE_CALL_NO_SYNC(call) __HEDDLE_CUTIL_CALL(call)
#define cutilSafeCall(call) __HEDDLE_CUTIL_CALL(call)
#define cutilSafeCallNoSync(call) __HEDDLE_CUTIL_CALL(call)
#define cutilDrvSafeCallNoSync(call) __HEDDLE_CUTIL_CALL(call)
#define cutilDrvSafeCall(call) __HEDDLE_CUTIL_CALL(call)
#define cufftSafeCall(call) __HEDDLE_CUTIL_CALL(call)
#define CUT_SAFE_CALL(call) __HEDDLE_CUTIL_TRUE(call)
#define CUT_SAFE_MALLOC(call) __HEDDLE_CUTIL_TRUE(call)
#define cutilCheckError(call) __HEDDLE_CUTIL_TRUE(call)
#define cutilSafeMalloc(call) __HEDDLE_CUTIL_TRUE(call)
#define CUT_CONDITION(call) __HEDDLE_CUTIL_TRUE(call)
#define cutilCondition(call) __HEDDLE_CUTIL_TRUE(call)
#define CUT_CHECK_ERROR(message) __HEDDLE_CUTIL_LAST(message)
#define CUDA_CHECK_ERROR(message) __HEDDLE_CUTIL_LAST(message)
#define cutilCheckMsg(message) __HEDDLE_CUTIL_LAST(message)
#define cutilGetLastError(message) __HEDDLE_CUTIL_LAST(message)
#define CUT_CHECK_ERROR_GL()                                                   \
  do {                                                                         \
  } while (0)
#define CUT_DEVICE_INIT(...)                                                   \
  do {                                                                         \
  } while (0)
#define CUT_DEVICE_INIT_DRV(...) CUT_DEVICE_INIT()
#define cutilDeviceInit(...) CUT_DEVICE_INIT()
#define CUT_EXIT(...) exit(0)
#define cutilExit(...) exit(0)
#define cutilSafeThreadSync() cutilSafeCall(cudaThreadSynchronize())
#define shrLog printf
#define shrCheckErrorEX(...) CUT_DEVICE_INIT()
#define shrEXIT(...) exit(0)
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };
inline CUTBoolean __heddle_cut(bool value) {
  return value ? CUTTrue : CUTFalse;
}

inline std::vector<StopWatchLinux> &__heddle_timers() {
  static std::vector<StopWatchLinux> timers;
  return timers;
}
inline CUTBoolean cutCreateTimer(unsigned *name) {
  __heddle_timers().emplace_back();
  *name = unsigned(__heddle_timers().size());
  return CUTTrue;
}
inline CUTBoolean cutDeleteTimer(unsigned) { return CUTTrue; }
inline CUTBoolean cutStartTimer(unsigned name) {
  __heddle_timers().at(name - 1).start();
  return CUTTrue;
}
inline CUTBoolean cutStopTimer(unsigned name) {
  __heddle_timers().at(name - 1).stop();
  return CUTTrue;
}
inline CUTBoolean cutResetTimer(unsigned name) {
  __heddle_timers().at(name - 1).reset();
  return CUTTrue;
}
inline float cutGetTimerValue(unsigned name) {
  return __heddle_timers().at(name - 1).getTime();
}
inline float cutGetAverageTimerValue(unsigned name) {
  return __heddle_timers().at(name - 1).getAverageTime();
}

// Command lines as char ** or const char **.
template <typename A>
CUTBoolean cutCheckCmdLineFlag(int argc, A argv, const char *name) {
  return __heddle_cut(checkCmdLineFlag(argc, (const char **)argv, name));
}
template <typename A>
CUTBoolean cutGetCmdLineArgumenti(int argc, A argv, const char *name,
                                  int *value) {
  return __heddle_cut(
      getCmdLineArgumentValue(argc, (const char **)argv, name, value));
}
template <typename A>
CUTBoolean cutGetCmdLineArgumentf(int argc, A argv, const char *name,
                                  float *value) {
  const bool found = checkCmdLineFlag(argc, (const char **)argv, name);
  if (found)
    *value = getCmdLineArgumentFloat(argc, (const char **)argv, name);
  return __heddle_cut(found);
}
template <typename A>
CUTBoolean cutGetCmdLineArgumentstr(int argc, A argv, const char *name,
                                    char **value) {
  return __heddle_cut(
      getCmdLineArgumentString(argc, (const char **)argv, name, value));
}

#define __HEDDLE_CUT_COMPARE(name, type, epsilon)                              \
  inline CUTBoolean name(const type *a, const type *b, unsigned length) {      \
    return __heddle_cut(compareData(a, b, length, epsilon, 0.0f));             \
  }
__HEDDLE_CUT_COMPARE(cutComparef, float, 0.0f)
__HEDDLE_CUT_COMPARE(cutComparei, int, 0.0f)
__HEDDLE_CUT_COMPARE(cutCompareub, unsigned char, 0.0f)
#undef __HEDDLE_CUT_COMPARE
inline CUTBoolean cutComparefe(const float *a, const float *b, unsigned length,
                               float epsilon) {
  return __heddle_cut(compareData(a, b, length, epsilon, 0.0f));
}
inline CUTBoolean cutCompareL2fe(const float *a, const float *b,
                                 unsigned length, float epsilon) {
  return __heddle_cut(sdkCompareL2fe(a, b, length, epsilon));
}

#define __HEDDLE_CUT_IMAGE(name, type, of)                                     \
  inline CUTBoolean cutLoad##name(const char *path, type **data, unsigned *w,  \
                                  unsigned *h) {                               \
    return __heddle_cut(sdkLoad##of(path, data, w, h));                        \
  }                                                                            \
  inline CUTBoolean cutSave##name(const char *path, const type *data,          \
                                  unsigned w, unsigned h) {                    \
    return __heddle_cut(sdkSave##of(path, const_cast<type *>(data), w, h));    \
  }
__HEDDLE_CUT_IMAGE(PGMub, unsigned char, PGM)
__HEDDLE_CUT_IMAGE(PGMf, float, PGM)
__HEDDLE_CUT_IMAGE(PPM4ub, unsigned char, PPM4ub)
#undef __HEDDLE_CUT_IMAGE
inline CUTBoolean cutReadFilef(const char *path, float **data, unsigned *length,
                               bool verbose = false) {
  return __heddle_cut(sdkReadFile(path, data, length, verbose));
}
inline CUTBoolean cutReadFilei(const char *path, int **data, unsigned *length,
                               bool verbose = false) {
  return __heddle_cut(sdkReadFile(path, data, length, verbose));
}
inline CUTBoolean cutWriteFilef(const char *path, const float *data,
                                unsigned length, float epsilon,
                                bool verbose = false) {
  return __heddle_cut(sdkWriteFile(path, data, length, epsilon, verbose));
}
inline char *cutFindFilePath(const char *name, const char *program) {
  return sdkFindFilePath(name, program);
}
template <typename T> void cutFree(T *data) { free((void *)data); }
inline int cutGetMaxGflopsDeviceId() { return 0; }
template <typename A> int cutilChooseCudaDevice(int, A) { return 0; }

#include "user_names.def"

#endif
