//===- Properties.cpp - The device and errors of the runtime API ----------===//

#include "Graphs.h"
#include "Limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// Properties
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaGetDeviceCount(int *To) {
  ENTER;
  return Enter.give(To, 1);
}
EXPORTED cudaError_t cudaGetDevice(int *To) {
  ENTER;
  return Enter.give(To, 0);
}
EXPORTED cudaError_t cudaSetDevice(int Index) {
  ENTER;
  return Enter.checkDevice(Index);
}
EXPORTED cudaError_t cudaInitDevice(int Index, unsigned, unsigned) {
  ENTER;
  return Enter.checkDevice(Index);
}
EXPORTED cudaError_t cudaChooseDevice(int *To, const cudaDeviceProp *) {
  ENTER;
  return Enter.give(To, 0);
}

EXPORTED cudaError_t cudaDeviceGetAttribute(int *To, cudaDeviceAttr Which,
                                            int Index) {
  ENTER;
  if (cudaError_t E = Enter.checkDevice(Index))
    return E;
  const auto Value = deviceAttribute(Enter.device(), Which);
  if (!Value || !To)
    return Enter(Status::InvalidValue);
  return Enter.give(To, *Value);
}

namespace {
/// cudaDeviceProp as CUDA 13 has it, of which some members are gone.
struct DeviceProp13 {
  char name[256];
  cudaUUID_t uuid;
  char luid[8];
  unsigned luidDeviceNodeMask;
  size_t totalGlobalMem, sharedMemPerBlock;
  int regsPerBlock, warpSize;
  size_t memPitch;
  int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
  size_t totalConstMem;
  int major, minor;
  size_t textureAlignment, texturePitchAlignment;
  int multiProcessorCount, integrated, canMapHostMemory;
  int Textures[39]; ///< largest textures and surfaces: not set
  size_t surfaceAlignment;
  int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID,
      tccDriver, asyncEngineCount, unifiedAddressing, memoryBusWidth,
      l2CacheSize, persistingL2CacheMaxSize, maxThreadsPerMultiProcessor,
      streamPrioritiesSupported, globalL1CacheSupported, localL1CacheSupported;
  size_t sharedMemPerMultiprocessor;
  int regsPerMultiprocessor, managedMemory, isMultiGpuBoard,
      multiGpuBoardGroupID, hostNativeAtomicSupported, pageableMemoryAccess,
      concurrentManagedAccess, computePreemptionSupported,
      canUseHostPointerForRegisteredMem, cooperativeLaunch;
  size_t sharedMemPerBlockOptin;
  int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
      maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
  size_t reservedSharedMemPerBlock;
  int Unset[11]; ///< from hostRegisterSupported to ipcEventSupported
  int clusterLaunch;
};
static_assert(offsetof(DeviceProp13, clusterLaunch) == 748);
} // namespace

/// Sets what both releases have.
template <typename Properties>
static void setProperties(Device &D, Properties *To) {
  auto Get = [&](int Which) { return deviceAttribute(D, Which).value_or(0); };
  *To = {};
  std::snprintf(To->name, sizeof(To->name), "%s", D.machine().Name.c_str());
  To->totalGlobalMem = D.heap().capacityBytes();
  To->sharedMemPerBlock = size_t(Get(cudaDevAttrMaxSharedMemoryPerBlock));
  To->regsPerBlock = Get(cudaDevAttrMaxRegistersPerBlock);
  To->warpSize = Get(cudaDevAttrWarpSize);
  To->memPitch = size_t(Get(cudaDevAttrMaxPitch));
  To->maxThreadsPerBlock = Get(cudaDevAttrMaxThreadsPerBlock);
  for (int I = 0; I < 3; ++I) {
    To->maxThreadsDim[I] = Get(cudaDevAttrMaxBlockDimX + I);
    To->maxGridSize[I] = Get(cudaDevAttrMaxGridDimX + I);
  }
  To->totalConstMem = size_t(Get(cudaDevAttrTotalConstantMemory));
  To->major = Get(cudaDevAttrComputeCapabilityMajor);
  To->minor = Get(cudaDevAttrComputeCapabilityMinor);
  To->textureAlignment = size_t(Get(cudaDevAttrTextureAlignment));
  To->texturePitchAlignment = size_t(Get(cudaDevAttrTexturePitchAlignment));
  To->multiProcessorCount = Get(cudaDevAttrMultiProcessorCount);
  To->canMapHostMemory = Get(cudaDevAttrCanMapHostMemory);
  To->concurrentKernels = Get(cudaDevAttrConcurrentKernels);
  To->asyncEngineCount = Get(cudaDevAttrAsyncEngineCount);
  To->unifiedAddressing = Get(cudaDevAttrUnifiedAddressing);
  To->memoryBusWidth = Get(cudaDevAttrGlobalMemoryBusWidth);
  To->l2CacheSize = Get(cudaDevAttrL2CacheSize);
  To->maxThreadsPerMultiProcessor = Get(cudaDevAttrMaxThreadsPerMultiProcessor);
  To->streamPrioritiesSupported = Get(cudaDevAttrStreamPrioritiesSupported);
  To->globalL1CacheSupported = Get(cudaDevAttrGlobalL1CacheSupported);
  To->localL1CacheSupported = Get(cudaDevAttrLocalL1CacheSupported);
  To->sharedMemPerMultiprocessor =
      size_t(Get(cudaDevAttrMaxSharedMemoryPerMultiprocessor));
  To->regsPerMultiprocessor = Get(cudaDevAttrMaxRegistersPerMultiprocessor);
  To->managedMemory = Get(cudaDevAttrManagedMemory);
  To->concurrentManagedAccess = Get(cudaDevAttrConcurrentManagedAccess);
  To->clusterLaunch = Get(cudaDevAttrClusterLaunch);
  To->cooperativeLaunch = Get(cudaDevAttrCooperativeLaunch);
  To->sharedMemPerBlockOptin =
      size_t(Get(cudaDevAttrMaxSharedMemoryPerBlockOptin));
  To->maxBlocksPerMultiProcessor = Get(cudaDevAttrMaxBlocksPerMultiprocessor);
}

EXPORTED cudaError_t cudaGetDeviceProperties(cudaDeviceProp *To, int Index) {
  ENTER;
  if (!To)
    return Enter.refuseNull();
  if (cudaError_t E = Enter.checkDevice(Index))
    return E;
  Device &D = Enter.device();
  if (D.isRelease13()) {
    setProperties(D, reinterpret_cast<DeviceProp13 *>(To));
    return Enter.done();
  }
  setProperties(D, To);
  To->clockRate = deviceAttribute(D, cudaDevAttrClockRate).value_or(0);
  To->deviceOverlap = deviceAttribute(D, cudaDevAttrGpuOverlap).value_or(0);
  To->memoryClockRate =
      deviceAttribute(D, cudaDevAttrMemoryClockRate).value_or(0);
  return Enter.done();
}
EXPORTED cudaError_t cudaGetDeviceProperties_v2(cudaDeviceProp *To, int Index) {
  ENTER;
  return cudaGetDeviceProperties(To, Index);
}

EXPORTED cudaError_t cudaRuntimeGetVersion(int *To) {
  ENTER;
  return Enter.give(To, CUDART_VERSION);
}
EXPORTED cudaError_t cudaDriverGetVersion(int *To) {
  ENTER;
  return Enter.give(To, CUDART_VERSION);
}
EXPORTED cudaError_t cudaDeviceGetStreamPriorityRange(int *Least,
                                                      int *Greatest) {
  ENTER;
  if (Least)
    *Least = 0;
  if (Greatest)
    *Greatest = -5; // of every device since compute capability 7.0
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetPCIBusId(char *To, int Bytes, int) {
  ENTER;
  std::snprintf(To, size_t(Bytes), "0000:00:00.0");
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetByPCIBusId(int *To, const char *Name) {
  ENTER;
  if (!Name)
    return Enter.refuseNull();
  unsigned Domain = 0, Bus = ~0u, Slot = 0;
  const bool IsName =
      std::sscanf(Name, "%x:%x:%x", &Domain, &Bus, &Slot) == 3 ||
      std::sscanf(Name, "%x:%x", &Bus, &Slot) == 2;
  return IsName && Bus == 0 && Slot == 0
             ? Enter.give(To, 0)
             : Enter.refuse(Status::InvalidDevice,
                            fmt::format("there is no device '{}'", Name));
}
/// What NVIDIA documents of all architectures (CUDA C++ Programming Guide,
/// "Technical Specifications": linear memory of a 1D texture).
EXPORTED cudaError_t cudaDeviceGetTexture1DLinearMaxWidth(
    size_t *To, const cudaChannelFormatDesc *, int) {
  ENTER;
  constexpr size_t Texels = size_t(1) << 27;
  return Enter.give(To, Texels);
}
EXPORTED cudaError_t cudaDeviceGetP2PAttribute(int *To, cudaDeviceP2PAttr, int,
                                               int) {
  ENTER;
  return To ? Enter.refuse(Status::InvalidDevice, "there is only device 0")
            : Enter.refuseNull();
}
EXPORTED cudaError_t cudaSetValidDevices(int *, int Count) {
  ENTER;
  return Count < 0 ? Enter(Status::InvalidValue) : Enter.done();
}
EXPORTED cudaError_t cudaDeviceCanAccessPeer(int *To, int, int) {
  ENTER;
  return Enter.give(To, 0);
}
EXPORTED cudaError_t cudaDeviceEnablePeerAccess(int Index, unsigned) {
  ENTER;
  return Enter.refuse(
      Status::InvalidDevice,
      fmt::format("there is no device {} beside device 0", Index));
}
EXPORTED cudaError_t cudaDeviceDisablePeerAccess(int) {
  ENTER;
  return Enter(Status::PeerAccessNotEnabled);
}

//===----------------------------------------------------------------------===//
// State of the device
//===----------------------------------------------------------------------===//

static void waitForAll(const Call &Enter) {
  Enter.device().synchronise(Enter.name());
  if (Timeline *Issued = Enter.device().timeline())
    Issued->order().hostWaits(Issued->order().all());
}
EXPORTED cudaError_t cudaDeviceSynchronize() {
  ENTER;
  if (Status S = refuseWait(nullptr); S != Status::Success)
    return Enter.refuse(S, "a stream captures a graph");
  waitForAll(Enter);
  return Enter.done();
}
EXPORTED cudaError_t cudaThreadSynchronize() {
  ENTER;
  return cudaDeviceSynchronize();
}
EXPORTED cudaError_t cudaDeviceReset() {
  ENTER;
  waitForAll(Enter);
  return Enter.done();
}
EXPORTED cudaError_t cudaThreadExit() {
  ENTER;
  return cudaDeviceReset();
}

/// Settings that change nothing here.
namespace {
struct Settings {
  unsigned Flags = 0;
  cudaFuncCache Cache = cudaFuncCachePreferNone;
  cudaSharedMemConfig Banks = cudaSharedMemBankSizeFourByte;
  size_t Limits[7] = {1024, 1 << 20, 8 << 20, 2, 2048, 64, 0};
};
Settings &settings() {
  static Settings S;
  return S;
}
} // namespace

EXPORTED cudaError_t cudaSetDeviceFlags(unsigned Flags) {
  ENTER;
  settings().Flags = Flags;
  return Enter.done();
}
EXPORTED cudaError_t cudaGetDeviceFlags(unsigned *To) {
  ENTER;
  return Enter.give(To, settings().Flags);
}
EXPORTED cudaError_t cudaDeviceSetLimit(cudaLimit Which, size_t Value) {
  ENTER;
  if (unsigned(Which) >= std::size(settings().Limits))
    return Enter(Status::InvalidValue);
  if (Which == cudaLimitMallocHeapSize && !Enter.device().setMallocBytes(Value))
    return Enter.refuse(Status::InvalidValue,
                        "device code that calls malloc has been loaded");
  settings().Limits[Which] = Value;
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetLimit(size_t *To, cudaLimit Which) {
  ENTER;
  if (unsigned(Which) >= std::size(settings().Limits))
    return Enter(Status::InvalidValue);
  return Enter.give(To, settings().Limits[Which]);
}
EXPORTED cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache Config) {
  ENTER;
  settings().Cache = Config;
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache *To) {
  ENTER;
  return Enter.give(To, settings().Cache);
}
EXPORTED cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig Config) {
  ENTER;
  settings().Banks = Config;
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig *To) {
  ENTER;
  return Enter.give(To, settings().Banks);
}
EXPORTED cudaError_t cudaThreadGetLimit(size_t *To, cudaLimit Which) {
  ENTER;
  return cudaDeviceGetLimit(To, Which);
}
EXPORTED cudaError_t cudaThreadSetLimit(cudaLimit Which, size_t Value) {
  ENTER;
  return cudaDeviceSetLimit(Which, Value);
}
EXPORTED cudaError_t cudaThreadGetCacheConfig(cudaFuncCache *To) {
  ENTER;
  return cudaDeviceGetCacheConfig(To);
}
EXPORTED cudaError_t cudaThreadSetCacheConfig(cudaFuncCache Config) {
  ENTER;
  return cudaDeviceSetCacheConfig(Config);
}
EXPORTED cudaError_t cudaCtxResetPersistingL2Cache() {
  ENTER;
  return Enter.done();
}
// Devices without doubles are long gone.
EXPORTED cudaError_t cudaSetDoubleForDevice(double *) {
  ENTER;
  return Enter.done();
}
EXPORTED cudaError_t cudaSetDoubleForHost(double *) {
  ENTER;
  return Enter.done();
}
EXPORTED cudaError_t cudaProfilerInitialize(const char *, const char *, int) {
  ENTER;
  return Enter.done();
}
EXPORTED cudaError_t cudaProfilerStart() {
  ENTER;
  return Enter.done();
}
EXPORTED cudaError_t cudaProfilerStop() {
  ENTER;
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Errors
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaGetLastError() {
  ENTER;
  const Status Last = Call::lastError();
  Call::lastError() = Status::Success;
  return cudaError_t(Last != Status::Success ? Last : Enter.device().sticky());
}
EXPORTED cudaError_t cudaPeekAtLastError() {
  ENTER;
  const Status Last = Call::lastError();
  return cudaError_t(Last != Status::Success ? Last : Enter.device().sticky());
}

EXPORTED const char *cudaGetErrorName(cudaError_t E) {
  return errorRow(int(E)).Name;
}
EXPORTED const char *cudaGetErrorString(cudaError_t E) {
  return errorRow(int(E)).Text;
}

/// When the library is unloaded, that is when the program ends in order.
__attribute__((destructor)) static void endProgram() {
  Device *D = Device::made();
  if (!D)
    return; // a program that only has NVTX
  std::lock_guard Guard(D->lock());
  D->finish();
}
