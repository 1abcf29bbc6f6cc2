// Random numbers generated from the host: what Heddle's own libcurand has
// (tools/cuda-libraries/rand).

#ifndef HEDDLE_CUDA_CURAND_H
#define HEDDLE_CUDA_CURAND_H

#include "own_names.def"

#include "cuda_runtime.h"
#include "library_types.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 0
#define CURAND_VERSION 10300

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType_t;
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;
typedef struct curandGenerator_st *curandGenerator_t;

extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t *, curandRngType_t);
curandStatus_t curandCreateGeneratorHost(curandGenerator_t *, curandRngType_t);
curandStatus_t curandDestroyGenerator(curandGenerator_t);
curandStatus_t curandGetVersion(int *);
curandStatus_t curandGetProperty(libraryPropertyType, int *);
curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t,
                                                  unsigned long long);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t, unsigned long long);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t, curandOrdering_t);
curandStatus_t curandGenerateSeeds(curandGenerator_t);
curandStatus_t curandGenerate(curandGenerator_t, unsigned *, size_t);
curandStatus_t curandGenerateUniform(curandGenerator_t, float *, size_t);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t, double *, size_t);
curandStatus_t curandGenerateNormal(curandGenerator_t, float *, size_t,
                                    float mean, float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t, double *, size_t,
                                          double mean, double deviation);
curandStatus_t curandGenerateLogNormal(curandGenerator_t, float *, size_t,
                                       float mean, float deviation);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t, double *,
                                             size_t, double mean,
                                             double deviation);
curandStatus_t curandGeneratePoisson(curandGenerator_t, unsigned *, size_t,
                                     double lambda);
/// Says on stderr that the library lacks a function.
curandStatus_t __heddle_refuse_rand(const char *function);
}

// What the library lacks takes whatever it gets; called, it says so.
#define __HEDDLE_RAND_API(name)                                                \
  template <typename... T> curandStatus_t name(const T &...) {                 \
    return __heddle_refuse_rand(#name);                                        \
  }
// clang-format off
__HEDDLE_RAND_API(curandCreatePoissonDistribution)
__HEDDLE_RAND_API(curandDestroyDistribution)
__HEDDLE_RAND_API(curandGenerateLongLong)
__HEDDLE_RAND_API(curandGetDirectionVectors32)
__HEDDLE_RAND_API(curandGetDirectionVectors64)
__HEDDLE_RAND_API(curandGetScrambleConstants32)
__HEDDLE_RAND_API(curandGetScrambleConstants64)
__HEDDLE_RAND_API(curandMakeMTGP32Constants)
__HEDDLE_RAND_API(curandMakeMTGP32KernelState)
__HEDDLE_RAND_API(curandSetQuasiRandomGeneratorDimensions)
// clang-format on
#undef __HEDDLE_RAND_API

#include "user_names.def"

#endif
