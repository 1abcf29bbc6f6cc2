//===- DriverContext.cpp - Device and context of the driver API ---------===//

#include "DriverCalls.h"
#include "Limits.h"

#include <algorithm>
#include <cstdio>
#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// Device and context
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuInit(unsigned) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuDriverGetVersion(int *To) {
  ENTER;
  return result(cudaDriverGetVersion(To));
}
EXPORTED CUresult cuProfilerInitialize(const char *, const char *,
                                       CUoutput_mode) {
  return result(cudaProfilerInitialize(nullptr, nullptr, 0));
}
EXPORTED CUresult cuProfilerStart() { return result(cudaProfilerStart()); }
EXPORTED CUresult cuProfilerStop() { return result(cudaProfilerStop()); }
EXPORTED CUresult cuDeviceGetCount(int *To) {
  ENTER;
  return result(cudaGetDeviceCount(To));
}
EXPORTED CUresult cuDeviceGet(CUdevice *To, int Index) {
  ENTER;
  return result(Index == 0 ? Enter.give(To, Index)
                           : Enter.refuse(Status::InvalidDevice,
                                          "there is only device 0"));
}
EXPORTED CUresult cuDeviceGetName(char *To, int Bytes, CUdevice) {
  ENTER;
  std::snprintf(To, size_t(Bytes), "%s", Enter.device().machine().Name.c_str());
  return result(Enter.done());
}
EXPORTED CUresult cuDeviceTotalMem_v2(size_t *To, CUdevice) {
  ENTER;
  return result(Enter.give(To, Enter.device().heap().capacityBytes()));
}
EXPORTED CUresult cuDeviceGetAttribute(int *To, CUdevice_attribute Which,
                                       CUdevice Index) {
  ENTER;
  return result(cudaDeviceGetAttribute(To, cudaDeviceAttr(Which), Index));
}
EXPORTED CUresult cuDeviceComputeCapability(int *Major, int *Minor, CUdevice) {
  ENTER;
  if (!Major || !Minor)
    return result(Enter.refuseNull());
  *Major = int(Enter.device().capability() / 10);
  *Minor = int(Enter.device().capability() % 10);
  return result(Enter.done());
}

EXPORTED CUresult cuCtxCreate_v2(CUcontext *To, unsigned, CUdevice) {
  ENTER;
  return result(Enter.give(To, context()));
}
// Since CUDA 13, with parameters that may be null.
EXPORTED CUresult cuCtxCreate_v4(CUcontext *To, const void *, unsigned Flags,
                                 CUdevice D) {
  ENTER;
  return cuCtxCreate_v2(To, Flags, D);
}
EXPORTED CUresult cuDevicePrimaryCtxRetain(CUcontext *To, CUdevice) {
  ENTER;
  return result(Enter.give(To, context()));
}
EXPORTED CUresult cuDevicePrimaryCtxRelease_v2(CUdevice) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuCtxDestroy_v2(CUcontext) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuCtxSetCurrent(CUcontext) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuCtxPushCurrent_v2(CUcontext) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuCtxPopCurrent_v2(CUcontext *To) {
  ENTER;
  if (To)
    *To = context();
  return result(Enter.done());
}
EXPORTED CUresult cuCtxGetCurrent(CUcontext *To) {
  ENTER;
  return result(Enter.give(To, context()));
}
EXPORTED CUresult cuCtxGetDevice(CUdevice *To) {
  ENTER;
  return result(Enter.give(To, 0));
}
EXPORTED CUresult cuCtxSynchronize() {
  ENTER;
  return result(cudaDeviceSynchronize());
}

//===----------------------------------------------------------------------===//
// The only context
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuCtxGetApiVersion(CUcontext, unsigned *To) {
  ENTER;
  // Since CUDA 3.2 the version of contexts does not change any more.
  constexpr unsigned Version = 3020;
  return result(Enter.give(To, Version));
}
EXPORTED CUresult cuCtxGetId(CUcontext, unsigned long long *To) {
  ENTER;
  return result(Enter.give(To, 1));
}
EXPORTED CUresult cuCtxAttach(CUcontext *To, unsigned Flags) {
  ENTER;
  return result(Flags ? Enter(Status::InvalidValue)
                      : Enter.give(To, context()));
}
EXPORTED CUresult cuCtxDetach(CUcontext) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuCtxGetFlags(unsigned *To) {
  ENTER;
  return result(cudaGetDeviceFlags(To));
}
EXPORTED CUresult cuCtxSetFlags(unsigned Flags) {
  ENTER;
  return result(cudaSetDeviceFlags(Flags));
}
EXPORTED CUresult cuDevicePrimaryCtxSetFlags_v2(CUdevice, unsigned Flags) {
  ENTER;
  return result(cudaSetDeviceFlags(Flags));
}
EXPORTED CUresult cuDevicePrimaryCtxGetState(CUdevice, unsigned *Flags,
                                             int *Active) {
  ENTER;
  if (!Flags || !Active)
    return result(Enter.refuseNull());
  *Active = 1;
  return result(cudaGetDeviceFlags(Flags));
}
EXPORTED CUresult cuDevicePrimaryCtxReset_v2(CUdevice) {
  ENTER;
  return result(cudaDeviceReset());
}
EXPORTED CUresult cuCtxGetLimit(size_t *To, CUlimit Which) {
  ENTER;
  return result(cudaDeviceGetLimit(To, cudaLimit(Which)));
}
EXPORTED CUresult cuCtxSetLimit(CUlimit Which, size_t Value) {
  ENTER;
  return result(cudaDeviceSetLimit(cudaLimit(Which), Value));
}
EXPORTED CUresult cuCtxGetCacheConfig(CUfunc_cache *To) {
  ENTER;
  return result(
      cudaDeviceGetCacheConfig(reinterpret_cast<cudaFuncCache *>(To)));
}
EXPORTED CUresult cuCtxSetCacheConfig(CUfunc_cache Config) {
  ENTER;
  return result(cudaDeviceSetCacheConfig(cudaFuncCache(Config)));
}
EXPORTED CUresult cuCtxGetSharedMemConfig(CUsharedconfig *To) {
  ENTER;
  return result(cudaDeviceGetSharedMemConfig(
      reinterpret_cast<cudaSharedMemConfig *>(To)));
}
EXPORTED CUresult cuCtxSetSharedMemConfig(CUsharedconfig Config) {
  ENTER;
  return result(cudaDeviceSetSharedMemConfig(cudaSharedMemConfig(Config)));
}
EXPORTED CUresult cuCtxGetStreamPriorityRange(int *Least, int *Greatest) {
  ENTER;
  return result(cudaDeviceGetStreamPriorityRange(Least, Greatest));
}
EXPORTED CUresult cuCtxResetPersistingL2Cache() {
  ENTER;
  return result(Enter.done());
}

//===----------------------------------------------------------------------===//
// The only device
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuDeviceGetProperties(CUdevprop *To, CUdevice Index) {
  ENTER;
  if (!To)
    return result(Enter.refuseNull());
  Device &D = Enter.device();
  auto Get = [&](int Which) { return deviceAttribute(D, Which).value_or(0); };
  for (int I = 0; I < 3; ++I) {
    To->maxThreadsDim[I] = Get(cudaDevAttrMaxBlockDimX + I);
    To->maxGridSize[I] = Get(cudaDevAttrMaxGridDimX + I);
  }
  To->maxThreadsPerBlock = Get(cudaDevAttrMaxThreadsPerBlock);
  To->sharedMemPerBlock = Get(cudaDevAttrMaxSharedMemoryPerBlock);
  To->totalConstantMemory = Get(cudaDevAttrTotalConstantMemory);
  To->SIMDWidth = Get(cudaDevAttrWarpSize);
  To->memPitch = Get(cudaDevAttrMaxPitch);
  To->regsPerBlock = Get(cudaDevAttrMaxRegistersPerBlock);
  To->clockRate = Get(cudaDevAttrClockRate);
  To->textureAlign = Get(cudaDevAttrTextureAlignment);
  return result(Enter.done());
}
/// The same number for the same machine: bytes of its name.
EXPORTED CUresult cuDeviceGetUuid(CUuuid *To, CUdevice) {
  ENTER;
  if (!To)
    return result(Enter.refuseNull());
  const std::string &Name = Enter.device().machine().Name;
  std::memset(To, 0, sizeof(*To));
  std::memcpy(To, Name.data(), std::min(Name.size(), sizeof(*To)));
  return result(Enter.done());
}
EXPORTED CUresult cuDeviceGetUuid_v2(CUuuid *To, CUdevice Index) {
  ENTER;
  return cuDeviceGetUuid(To, Index);
}
EXPORTED CUresult cuDeviceGetPCIBusId(char *To, int Bytes, CUdevice Index) {
  ENTER;
  return result(cudaDeviceGetPCIBusId(To, Bytes, Index));
}
EXPORTED CUresult cuDeviceGetByPCIBusId(CUdevice *To, const char *Name) {
  ENTER;
  return result(cudaDeviceGetByPCIBusId(To, Name));
}
EXPORTED CUresult cuDeviceGetTexture1DLinearMaxWidth(size_t *To, CUarray_format,
                                                     unsigned, CUdevice) {
  ENTER;
  return result(cudaDeviceGetTexture1DLinearMaxWidth(To, nullptr, 0));
}
EXPORTED CUresult cuDeviceCanAccessPeer(int *To, CUdevice A, CUdevice B) {
  ENTER;
  return result(cudaDeviceCanAccessPeer(To, A, B));
}
EXPORTED CUresult cuDeviceGetP2PAttribute(int *To, CUdevice_P2PAttribute Which,
                                          CUdevice A, CUdevice B) {
  ENTER;
  return result(cudaDeviceGetP2PAttribute(To, cudaDeviceP2PAttr(Which), A, B));
}
EXPORTED CUresult cuCtxEnablePeerAccess(CUcontext, unsigned Flags) {
  ENTER;
  return result(cudaDeviceEnablePeerAccess(1, Flags));
}
EXPORTED CUresult cuCtxDisablePeerAccess(CUcontext) {
  ENTER;
  return result(cudaDeviceDisablePeerAccess(1));
}
