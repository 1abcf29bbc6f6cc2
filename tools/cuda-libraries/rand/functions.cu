//===- functions.cu - The functions of libcurand --------------------------===//

#include "Generator.h"

#include <string>

using namespace heddle_rand;

struct curandGenerator_st {
  const Kind *Of;
  bool ToHost;
  cudaStream_t Stream = nullptr;
  unsigned long long Seed = 0;
  unsigned long long Position = 0; ///< of the next number
  bool IsSeeded = false;
  void *States = nullptr; ///< on the device, from the first number on
};

#define ENTER(Generator)                                                       \
  do {                                                                         \
    __heddle_count(__func__);                                                  \
    if (!(Generator))                                                          \
      return CURAND_STATUS_NOT_INITIALIZED;                                    \
  } while (0)

static curandStatus_t status(cudaError_t E) {
  return E == cudaSuccess ? CURAND_STATUS_SUCCESS
                          : CURAND_STATUS_LAUNCH_FAILURE;
}

static const char *nameOf(curandRngType_t Type) {
  switch (Type) {
#define NAME(Of)                                                               \
  case Of:                                                                     \
    return #Of;
    NAME(CURAND_RNG_PSEUDO_MTGP32)
    NAME(CURAND_RNG_PSEUDO_MT19937)
    NAME(CURAND_RNG_QUASI_DEFAULT)
    NAME(CURAND_RNG_QUASI_SOBOL32)
    NAME(CURAND_RNG_QUASI_SCRAMBLED_SOBOL32)
    NAME(CURAND_RNG_QUASI_SOBOL64)
    NAME(CURAND_RNG_QUASI_SCRAMBLED_SOBOL64)
#undef NAME
  default:
    return nullptr;
  }
}
static const Kind *kindOf(curandRngType_t Type) {
  switch (Type) {
  case CURAND_RNG_PSEUDO_DEFAULT:
  case CURAND_RNG_PSEUDO_XORWOW:
    return &Xorwow;
  case CURAND_RNG_PSEUDO_MRG32K3A:
    return &Mrg;
  case CURAND_RNG_PSEUDO_PHILOX4_32_10:
    return &Philox;
  default:
    return nullptr;
  }
}
static curandStatus_t create(const char *Function, curandGenerator_t *To,
                             curandRngType_t Type, bool ToHost) {
  if (!To)
    return CURAND_STATUS_OUT_OF_RANGE;
  const Kind *Of = kindOf(Type);
  if (!Of) {
    const char *Name = nameOf(Type);
    return Name ? heddle_library::refuse(
                      Function, CURAND_STATUS_TYPE_ERROR,
                      ("generator " + std::string(Name)).c_str())
                : CURAND_STATUS_TYPE_ERROR;
  }
  __heddle_count(Function);
  *To = new curandGenerator_st{Of, ToHost};
  return CURAND_STATUS_SUCCESS;
}
EXPORTED curandStatus_t curandCreateGenerator(curandGenerator_t *To,
                                              curandRngType_t Type) {
  return create(__func__, To, Type, false);
}
EXPORTED curandStatus_t curandCreateGeneratorHost(curandGenerator_t *To,
                                                  curandRngType_t Type) {
  return create(__func__, To, Type, true);
}
EXPORTED curandStatus_t curandDestroyGenerator(curandGenerator_t G) {
  ENTER(G);
  const cudaError_t Freed = G->States ? cudaFree(G->States) : cudaSuccess;
  delete G;
  return status(Freed);
}

EXPORTED curandStatus_t curandGetVersion(int *To) {
  __heddle_count(__func__);
  if (!To)
    return CURAND_STATUS_OUT_OF_RANGE;
  *To = CURAND_VERSION;
  return CURAND_STATUS_SUCCESS;
}
EXPORTED curandStatus_t curandGetProperty(libraryPropertyType Which, int *To) {
  __heddle_count(__func__);
  if (!To || Which < MAJOR_VERSION || Which > PATCH_LEVEL)
    return CURAND_STATUS_OUT_OF_RANGE;
  *To = Which == MAJOR_VERSION   ? CURAND_VER_MAJOR
        : Which == MINOR_VERSION ? CURAND_VER_MINOR
                                 : CURAND_VER_PATCH;
  return CURAND_STATUS_SUCCESS;
}
EXPORTED curandStatus_t curandSetStream(curandGenerator_t G,
                                        cudaStream_t Stream) {
  ENTER(G);
  G->Stream = Stream;
  return CURAND_STATUS_SUCCESS;
}
EXPORTED curandStatus_t curandSetPseudoRandomGeneratorSeed(
    curandGenerator_t G, unsigned long long Seed) {
  ENTER(G);
  G->Seed = Seed;
  G->IsSeeded = false;
  return CURAND_STATUS_SUCCESS;
}
EXPORTED curandStatus_t curandSetGeneratorOffset(curandGenerator_t G,
                                                 unsigned long long Offset) {
  ENTER(G);
  G->Position = Offset;
  G->IsSeeded = false;
  return CURAND_STATUS_SUCCESS;
}
/// There is one order, whichever is asked for.
EXPORTED curandStatus_t curandSetGeneratorOrdering(curandGenerator_t G,
                                                   curandOrdering_t Order) {
  ENTER(G);
  if (Order < CURAND_ORDERING_PSEUDO_BEST ||
      Order > CURAND_ORDERING_PSEUDO_DYNAMIC)
    return CURAND_STATUS_OUT_OF_RANGE;
  G->IsSeeded = false;
  return CURAND_STATUS_SUCCESS;
}
EXPORTED curandStatus_t __heddle_refuse_rand(const char *Function) {
  return heddle_library::refuse(Function, CURAND_STATUS_INTERNAL_ERROR);
}

static curandStatus_t seedStates(curandGenerator_t G) {
  if (G->IsSeeded)
    return CURAND_STATUS_SUCCESS;
  if (!G->States && cudaMalloc(&G->States, G->Of->StateBytes) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  G->IsSeeded = true;
  return status(G->Of->Seed(G->States, G->Seed, G->Position, G->Stream));
}
EXPORTED curandStatus_t curandGenerateSeeds(curandGenerator_t G) {
  ENTER(G);
  return seedStates(G);
}

/// To memory of the host the numbers come through a buffer on the device.
static curandStatus_t generateToHost(curandGenerator_t G, Request R,
                                     size_t Bytes) {
  void *Host = R.To;
  if (cudaMalloc(&R.To, Bytes) != cudaSuccess)
    return CURAND_STATUS_ALLOCATION_FAILED;
  cudaError_t E = G->Of->Generate(G->States, G->Position, R, G->Stream);
  if (E == cudaSuccess)
    E = cudaMemcpyAsync(Host, R.To, Bytes, cudaMemcpyDeviceToHost, G->Stream);
  if (E == cudaSuccess)
    E = cudaStreamSynchronize(G->Stream);
  const cudaError_t Freed = cudaFree(R.To);
  return status(E == cudaSuccess ? Freed : E);
}
static curandStatus_t generate(const char *Function, curandGenerator_t G,
                               Request R) {
  __heddle_count(Function);
  if (!G)
    return CURAND_STATUS_NOT_INITIALIZED;
  R.Seed = G->Seed;
  const bool InPairs = R.Of == Request::Normal || R.Of == Request::LogNormal;
  if (InPairs && R.Count % 2)
    return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  if ((InPairs && !(R.Deviation >= 0)) ||
      (R.Of == Request::Poisson && !(R.Mean > 0)) || (R.Count && !R.To))
    return CURAND_STATUS_OUT_OF_RANGE;
  if (const curandStatus_t S = seedStates(G))
    return S;
  if (R.Count == 0)
    return CURAND_STATUS_SUCCESS;
  const size_t Each = R.IsDouble ? sizeof(double) : sizeof(float);
  const curandStatus_t S =
      G->ToHost ? generateToHost(G, R, R.Count * Each)
                : status(G->Of->Generate(G->States, G->Position, R, G->Stream));
  G->Position += R.Count;
  return S;
}

EXPORTED curandStatus_t curandGenerate(curandGenerator_t G, unsigned *To,
                                       size_t N) {
  return generate(__func__, G, {Request::Bits, false, 0, 0, To, N});
}
EXPORTED curandStatus_t curandGeneratePoisson(curandGenerator_t G, unsigned *To,
                                              size_t N, double Lambda) {
  return generate(__func__, G, {Request::Poisson, false, Lambda, 0, To, N});
}
#define REALS(Suffix, T)                                                       \
  EXPORTED curandStatus_t curandGenerateUniform##Suffix(curandGenerator_t G,   \
                                                        T *To, size_t N) {     \
    return generate(__func__, G,                                               \
                    {Request::Uniform, sizeof(T) == 8, 0, 0, To, N});          \
  }                                                                            \
  EXPORTED curandStatus_t curandGenerateNormal##Suffix(                        \
      curandGenerator_t G, T *To, size_t N, T Mean, T Deviation) {             \
    return generate(                                                           \
        __func__, G,                                                           \
        {Request::Normal, sizeof(T) == 8, Mean, Deviation, To, N});            \
  }                                                                            \
  EXPORTED curandStatus_t curandGenerateLogNormal##Suffix(                     \
      curandGenerator_t G, T *To, size_t N, T Mean, T Deviation) {             \
    return generate(                                                           \
        __func__, G,                                                           \
        {Request::LogNormal, sizeof(T) == 8, Mean, Deviation, To, N});         \
  }
REALS(, float)
REALS(Double, double)
