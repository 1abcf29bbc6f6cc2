//===- Driver.cpp - The driver API ----------------------------------------===//

#include "Call.h"
#include "Handles.h"
#include "Limits.h"

#include <cuda.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstring>
#include <fstream>

using namespace heddle;
using namespace heddle::cuda;

/// The two APIs number their errors alike.
static CUresult result(cudaError_t E) { return CUresult(E); }

static void *pointer(CUdeviceptr At) { return reinterpret_cast<void *>(At); }

//===----------------------------------------------------------------------===//
// Device and context
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuInit(unsigned) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuDriverGetVersion(int *To) {
  return result(cudaDriverGetVersion(To));
}
EXPORTED CUresult cuDeviceGetCount(int *To) {
  return result(cudaGetDeviceCount(To));
}
EXPORTED CUresult cuDeviceGet(CUdevice *To, int Index) {
  ENTER;
  *To = Index;
  return Index == 0 ? CUDA_SUCCESS
                    : result(Enter.refuse(Status::InvalidDevice,
                                          "there is only device 0"));
}
EXPORTED CUresult cuDeviceGetName(char *To, int Bytes, CUdevice) {
  ENTER;
  std::snprintf(To, size_t(Bytes), "%s", Enter.device().machine().Name.c_str());
  return result(Enter.done());
}
EXPORTED CUresult cuDeviceTotalMem_v2(size_t *To, CUdevice) {
  ENTER;
  *To = Enter.device().heap().capacityBytes();
  return result(Enter.done());
}
EXPORTED CUresult cuDeviceGetAttribute(int *To, CUdevice_attribute Which,
                                       CUdevice Index) {
  return result(cudaDeviceGetAttribute(To, cudaDeviceAttr(Which), Index));
}
EXPORTED CUresult cuDeviceComputeCapability(int *Major, int *Minor, CUdevice) {
  ENTER;
  *Major = int(Enter.device().capability() / 10);
  *Minor = int(Enter.device().capability() % 10);
  return result(Enter.done());
}

/// There is one context, which always exists.
static CUcontext context() {
  return reinterpret_cast<CUcontext>(&Device::get());
}
EXPORTED CUresult cuCtxCreate_v2(CUcontext *To, unsigned, CUdevice) {
  ENTER;
  *To = context();
  return result(Enter.done());
}
EXPORTED CUresult cuDevicePrimaryCtxRetain(CUcontext *To, CUdevice) {
  ENTER;
  *To = context();
  return result(Enter.done());
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
  *To = context();
  return result(Enter.done());
}
EXPORTED CUresult cuCtxGetDevice(CUdevice *To) {
  ENTER;
  *To = 0;
  return result(Enter.done());
}
EXPORTED CUresult cuCtxSynchronize() { return result(cudaDeviceSynchronize()); }

//===----------------------------------------------------------------------===//
// Modules and launches
//===----------------------------------------------------------------------===//

static CodeModule *moduleOf(CUmodule M) {
  return reinterpret_cast<CodeModule *>(M);
}

/// \p Image is PTX, what `heddle cc -fatbin` writes, or nvcc's fat binary.
static CUresult load(const Call &Enter, CUmodule *To, const void *Image) {
  Device &D = Enter.device();
  if (!To || !Image)
    return result(Enter(Status::InvalidValue));
  const std::string_view Begin(static_cast<const char *>(Image), 4);
  const bool IsBinary = Begin == "HDLC" || Begin == "\x50\xED\x55\xBA";
  if (Begin == "\x7f"
               "ELF")
    return result(Enter.refuse(Status::NoImageForDevice,
                               "the module holds machine code only; give PTX"));
  CodeModule *M = IsBinary ? D.addBinary(Image)
                           : D.addCode(static_cast<const char *>(Image));
  if (Status S = D.load(*M, Enter.name()); S != Status::Success)
    return result(Enter(S));
  *To = reinterpret_cast<CUmodule>(M);
  return CUDA_SUCCESS;
}
EXPORTED CUresult cuModuleLoadData(CUmodule *To, const void *Image) {
  ENTER;
  return load(Enter, To, Image);
}
EXPORTED CUresult cuModuleLoadDataEx(CUmodule *To, const void *Image, unsigned,
                                     CUjit_option *, void **) {
  ENTER;
  return load(Enter, To, Image);
}
EXPORTED CUresult cuModuleLoadFatBinary(CUmodule *To, const void *Image) {
  ENTER;
  return load(Enter, To, Image);
}
EXPORTED CUresult cuModuleLoad(CUmodule *To, const char *Path) {
  ENTER;
  std::ifstream File(Path, std::ios::binary);
  std::string Image((std::istreambuf_iterator<char>(File)), {});
  if (!File || Image.size() < 4)
    return result(Enter.refuse(Status::FileNotFound,
                               fmt::format("cannot read '{}'", Path)));
  return load(Enter, To, Image.c_str());
}
EXPORTED CUresult cuModuleUnload(CUmodule M) {
  ENTER;
  Enter.device().dropModule(moduleOf(M));
  return result(Enter.done());
}
EXPORTED CUresult cuModuleGetFunction(CUfunction *To, CUmodule M,
                                      const char *Name) {
  ENTER;
  KernelHandle *K = Enter.device().kernel(*moduleOf(M), Name);
  if (!K)
    return result(Enter.refuse(
        Status::NotFound, fmt::format("the module has no kernel '{}'", Name)));
  *To = reinterpret_cast<CUfunction>(K);
  return result(Enter.done());
}
EXPORTED CUresult cuModuleGetGlobal_v2(CUdeviceptr *To, size_t *Bytes,
                                       CUmodule M, const char *Name) {
  ENTER;
  auto It = moduleOf(M)->Variables.find(Name);
  if (It == moduleOf(M)->Variables.end())
    return result(
        Enter.refuse(Status::NotFound,
                     fmt::format("the module has no variable '{}'", Name)));
  if (To)
    *To = It->second->Address;
  if (Bytes)
    *Bytes = It->second->SizeBytes;
  return result(Enter.done());
}

/// The packed parameters among \p Extra, or nothing.
static std::vector<uint8_t> packed(void **Extra) {
  const uint8_t *Bytes = nullptr;
  size_t Size = 0;
  for (; Extra && *Extra != CU_LAUNCH_PARAM_END; Extra += 2)
    if (*Extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      Bytes = static_cast<const uint8_t *>(Extra[1]);
    else if (*Extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      Size = *static_cast<const size_t *>(Extra[1]);
  return Bytes ? std::vector(Bytes, Bytes + Size) : std::vector<uint8_t>();
}

static CUresult launchKernel(const Call &Enter, CUfunction F,
                             const LaunchShape &Shape, void **Params,
                             void **Extra) {
  KernelHandle *K = reinterpret_cast<KernelHandle *>(F);
  if (!K)
    return result(Enter.refuse(Status::InvalidHandle, "a null function"));
  const std::vector<uint8_t> Packed = packed(Extra);
  return result(Enter(Enter.device().launch(
      *K, Shape, Params, Params ? nullptr : &Packed, Enter.name())));
}
EXPORTED CUresult cuLaunchKernel(CUfunction F, unsigned GX, unsigned GY,
                                 unsigned GZ, unsigned BX, unsigned BY,
                                 unsigned BZ, unsigned Shared, CUstream,
                                 void **Params, void **Extra) {
  ENTER;
  return launchKernel(Enter, F, {{GX, GY, GZ}, {BX, BY, BZ}, Shared, false},
                      Params, Extra);
}
EXPORTED CUresult cuLaunchCooperativeKernel(CUfunction F, unsigned GX,
                                            unsigned GY, unsigned GZ,
                                            unsigned BX, unsigned BY,
                                            unsigned BZ, unsigned Shared,
                                            CUstream, void **Params) {
  ENTER;
  return launchKernel(Enter, F, {{GX, GY, GZ}, {BX, BY, BZ}, Shared, true},
                      Params, nullptr);
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuMemAlloc_v2(CUdeviceptr *To, size_t Bytes) {
  ENTER;
  void *At = nullptr;
  if (Bytes == 0 || !To)
    return result(Enter(Status::InvalidValue));
  const Status S =
      Enter.device().allocate(&At, Bytes, MemoryKind::Device, __func__);
  *To = reinterpret_cast<CUdeviceptr>(At);
  return result(Enter(S));
}
EXPORTED CUresult cuMemAllocManaged(CUdeviceptr *To, size_t Bytes, unsigned) {
  ENTER;
  void *At = nullptr;
  const Status S =
      Enter.device().allocate(&At, Bytes, MemoryKind::Managed, __func__);
  *To = reinterpret_cast<CUdeviceptr>(At);
  return result(Enter(S));
}
EXPORTED CUresult cuMemAllocHost_v2(void **To, size_t Bytes) {
  return result(cudaMallocHost(To, Bytes));
}
EXPORTED CUresult cuMemFree_v2(CUdeviceptr At) {
  return result(cudaFree(pointer(At)));
}
EXPORTED CUresult cuMemFreeHost(void *At) { return result(cudaFreeHost(At)); }
EXPORTED CUresult cuMemGetInfo_v2(size_t *Free, size_t *Total) {
  return result(cudaMemGetInfo(Free, Total));
}
EXPORTED CUresult cuMemcpyHtoD_v2(CUdeviceptr To, const void *From,
                                  size_t Bytes) {
  return result(cudaMemcpy(pointer(To), From, Bytes, cudaMemcpyHostToDevice));
}
EXPORTED CUresult cuMemcpyDtoH_v2(void *To, CUdeviceptr From, size_t Bytes) {
  return result(cudaMemcpy(To, pointer(From), Bytes, cudaMemcpyDeviceToHost));
}
EXPORTED CUresult cuMemcpyDtoD_v2(CUdeviceptr To, CUdeviceptr From,
                                  size_t Bytes) {
  return result(
      cudaMemcpy(pointer(To), pointer(From), Bytes, cudaMemcpyDeviceToDevice));
}
EXPORTED CUresult cuMemcpyHtoDAsync_v2(CUdeviceptr To, const void *From,
                                       size_t Bytes, CUstream) {
  return result(cudaMemcpyAsync(pointer(To), From, Bytes,
                                cudaMemcpyHostToDevice, nullptr));
}
EXPORTED CUresult cuMemcpyDtoHAsync_v2(void *To, CUdeviceptr From, size_t Bytes,
                                       CUstream) {
  return result(cudaMemcpyAsync(To, pointer(From), Bytes,
                                cudaMemcpyDeviceToHost, nullptr));
}
EXPORTED CUresult cuMemsetD8_v2(CUdeviceptr To, unsigned char Value,
                                size_t Count) {
  ENTER;
  return result(Enter(
      Enter.device().fill(pointer(To), linear(Count), {Value}, __func__)));
}
EXPORTED CUresult cuMemsetD32_v2(CUdeviceptr To, unsigned Value, size_t Count) {
  ENTER;
  std::vector<uint8_t> Pattern(4);
  std::memcpy(Pattern.data(), &Value, 4);
  return result(Enter(
      Enter.device().fill(pointer(To), linear(Count * 4), Pattern, __func__)));
}

//===----------------------------------------------------------------------===//
// Streams, events, attributes, errors
//===----------------------------------------------------------------------===//

static cudaStream_t streamOf(CUstream S) {
  return reinterpret_cast<cudaStream_t>(S);
}
static cudaEvent_t eventOf(CUevent E) {
  return reinterpret_cast<cudaEvent_t>(E);
}
EXPORTED CUresult cuStreamCreate(CUstream *To, unsigned Flags) {
  return result(
      cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t *>(To), Flags));
}
EXPORTED CUresult cuStreamDestroy_v2(CUstream S) {
  return result(cudaStreamDestroy(streamOf(S)));
}
EXPORTED CUresult cuStreamSynchronize(CUstream S) {
  return result(cudaStreamSynchronize(streamOf(S)));
}
EXPORTED CUresult cuEventCreate(CUevent *To, unsigned Flags) {
  return result(
      cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t *>(To), Flags));
}
EXPORTED CUresult cuEventDestroy_v2(CUevent E) {
  return result(cudaEventDestroy(eventOf(E)));
}
EXPORTED CUresult cuEventRecord(CUevent E, CUstream S) {
  return result(cudaEventRecord(eventOf(E), streamOf(S)));
}
EXPORTED CUresult cuEventSynchronize(CUevent E) {
  return result(cudaEventSynchronize(eventOf(E)));
}
EXPORTED CUresult cuEventElapsedTime(float *To, CUevent From, CUevent Until) {
  return result(cudaEventElapsedTime(To, eventOf(From), eventOf(Until)));
}

EXPORTED CUresult cuFuncGetAttribute(int *To, CUfunction_attribute Which,
                                     CUfunction F) {
  ENTER;
  Device &D = Enter.device();
  KernelHandle &K = *reinterpret_cast<KernelHandle *>(F);
  auto R = D.resources(K);
  if (!R)
    return result(Enter.refuse(Status::InvalidHandle, R.error().Message));
  const unsigned Limit = D.machine().SM.MaxThreadsPerBlock;
  switch (int(Which)) {
  case 0: // CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK
    *To = int(R->MaxThreads ? R->MaxThreads : Limit);
    break;
  case 1:
    *To = int(R->StaticSharedBytes);
    break;
  case 3:
    *To = int(R->LocalBytesPerThread);
    break;
  case 4:
    *To = int(R->RegistersPerThread);
    break;
  case 5:
  case 6:
    *To = int(D.capability());
    break;
  case 8:
    *To = int(D.maxDynamicShared(K));
    break;
  default:
    *To = 0;
  }
  return result(Enter.done());
}

EXPORTED CUresult cuGetErrorString(CUresult E, const char **To) {
  *To = errorRow(int(E)).Text;
  return CUDA_SUCCESS;
}
EXPORTED CUresult cuGetErrorName(CUresult E, const char **To) {
  *To = errorRow(int(E)).Name;
  return CUDA_SUCCESS;
}
