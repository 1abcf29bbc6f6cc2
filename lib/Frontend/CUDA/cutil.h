// The error checks and timers of the programs of CUDA's first years, by the
// names that these programs call.

#ifndef HEDDLE_CUDA_CUTIL_H
#define HEDDLE_CUDA_CUTIL_H

#include "cuda_runtime.h"
#include "helper_functions.h"
#include "helper_math.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define CUT_BANK_CHECKER(array, index) array[index]
#define CUDA_SAFE_CALL_NO_SYNC(call)                                           \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define CUDA_SAFE_CALL(call)                                                   \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define CUFFT_SAFE_CALL(call)                                                  \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define CU_SAFE_CALL(call)                                                     \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define CU_SAFE_CALL_NO_SYNC(call)                                             \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define CUT_SAFE_CALL(call)                                                    \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define CUT_SAFE_MALLOC(call) call
#define CUT_CHECK_ERROR(message)                                               \
  do {                                                                         \
  } while (0)
#define CUT_CHECK_ERROR_GL()                                                   \
  do {                                                                         \
  } while (0)
#define CUT_CONDITION(condition)                                               \
  do {                                                                         \
    (void)(condition);                                                         \
  } while (0)
#define CUT_DEVICE_INIT(...)                                                   \
  do {                                                                         \
  } while (0)
#define CUT_DEVICE_INIT_DRV(...)                                               \
  do {                                                                         \
  } while (0)
#define CUT_EXIT(...) exit(0)
#define CUDA_CHECK_ERROR(message)                                              \
  do {                                                                         \
  } while (0)
#define cutilSafeCall(call)                                                    \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define cutilSafeCallNoSync(call)                                              \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define cutilDrvSafeCallNoSync(call)                                           \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define cutilDrvSafeCall(call)                                                 \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define cufftSafeCall(call)                                                    \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define cutilCheckError(call)                                                  \
  do {                                                                         \
    call;                                                                      \
  } while (0)
#define cutilCheckMsg(message)                                                 \
  do {                                                                         \
  } while (0)
#define cutilGetLastError(message)                                             \
  do {                                                                         \
  } while (0)
#define cutilSafeMalloc(call) call
#define cutilCondition(call)                                                   \
  do {                                                                         \
    (void)(call);                                                              \
  } while (0)
#define cutilExit(...) exit(0)
#define cutilDeviceInit(...)                                                   \
  do {                                                                         \
  } while (0)
#define cutilSafeThreadSync() cudaThreadSynchronize()
#define shrLog printf
#define shrCheckErrorEX(...)                                                   \
  do {                                                                         \
  } while (0)
#define shrEXIT(...) exit(0)
#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif

enum CUTBoolean { CUTFalse = 0, CUTTrue = 1 };
#define __HEDDLE_CUTIL(result, name) template <typename... A> result name(A...);
__HEDDLE_CUTIL(CUTBoolean, cutCreateTimer)
__HEDDLE_CUTIL(CUTBoolean, cutStartTimer)
__HEDDLE_CUTIL(CUTBoolean, cutStopTimer)
__HEDDLE_CUTIL(CUTBoolean, cutResetTimer)
__HEDDLE_CUTIL(CUTBoolean, cutDeleteTimer)
__HEDDLE_CUTIL(float, cutGetTimerValue)
__HEDDLE_CUTIL(float, cutGetAverageTimerValue)
__HEDDLE_CUTIL(CUTBoolean, cutCheckCmdLineFlag)
__HEDDLE_CUTIL(CUTBoolean, cutGetCmdLineArgumenti)
__HEDDLE_CUTIL(CUTBoolean, cutGetCmdLineArgumentf)
__HEDDLE_CUTIL(CUTBoolean, cutGetCmdLineArgumentstr)
__HEDDLE_CUTIL(CUTBoolean, cutComparef)
__HEDDLE_CUTIL(CUTBoolean, cutComparefe)
__HEDDLE_CUTIL(CUTBoolean, cutComparei)
__HEDDLE_CUTIL(CUTBoolean, cutCompareub)
__HEDDLE_CUTIL(CUTBoolean, cutCompareL2fe)
__HEDDLE_CUTIL(CUTBoolean, cutLoadPGMub)
__HEDDLE_CUTIL(CUTBoolean, cutLoadPGMf)
__HEDDLE_CUTIL(CUTBoolean, cutLoadPPM4ub)
__HEDDLE_CUTIL(CUTBoolean, cutSavePGMub)
__HEDDLE_CUTIL(CUTBoolean, cutSavePGMf)
__HEDDLE_CUTIL(CUTBoolean, cutSavePPM4ub)
__HEDDLE_CUTIL(CUTBoolean, cutReadFilef)
__HEDDLE_CUTIL(CUTBoolean, cutReadFilei)
__HEDDLE_CUTIL(CUTBoolean, cutWriteFilef)
__HEDDLE_CUTIL(char *, cutFindFilePath)
__HEDDLE_CUTIL(void, cutFree)
__HEDDLE_CUTIL(int, cutGetMaxGflopsDeviceId)
__HEDDLE_CUTIL(int, cutilChooseCudaDevice)
#undef __HEDDLE_CUTIL

#endif
