// Names of the host library for random numbers, so that programs parse.

#ifndef HEDDLE_CUDA_CURAND_H
#define HEDDLE_CUDA_CURAND_H

#include "cuda_runtime.h"

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;
typedef enum curandRngType {
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;
typedef struct curandGenerator_st *curandGenerator_t;
#define __HEDDLE_API(name) template <typename... T> curandStatus_t name(T...);
__HEDDLE_API(curandCreateGenerator)
__HEDDLE_API(curandCreateGeneratorHost)
__HEDDLE_API(curandDestroyGenerator)
__HEDDLE_API(curandSetPseudoRandomGeneratorSeed)
__HEDDLE_API(curandSetGeneratorOffset)
__HEDDLE_API(curandSetStream)
__HEDDLE_API(curandGenerate)
__HEDDLE_API(curandGenerateUniform)
__HEDDLE_API(curandGenerateUniformDouble)
__HEDDLE_API(curandGenerateNormal)
__HEDDLE_API(curandGenerateNormalDouble)
__HEDDLE_API(curandGenerateLogNormal)
__HEDDLE_API(curandGeneratePoisson)
#undef __HEDDLE_API

#endif
