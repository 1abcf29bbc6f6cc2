//===- Driver.cpp - The driver API ----------------------------------------===//

#include "Graphs.h"
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

/// There is one context, which always exists.
static CUcontext context() {
  return reinterpret_cast<CUcontext>(&Device::get());
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
// Modules and launches
//===----------------------------------------------------------------------===//

/// The module that \p M stands for; null, with a line on stderr, if it is null.
static CodeModule *moduleOf(const Call &Enter, CUmodule M) {
  if (!M)
    Enter.refuse(Status::InvalidHandle, "a null module");
  return reinterpret_cast<CodeModule *>(M);
}

/// The compute capability that \p PTX is for; 0 if it does not say.
static unsigned targetOf(std::string_view PTX) {
  constexpr std::string_view Directive = "\n.target sm_";
  const size_t At = PTX.find(Directive);
  return At == std::string_view::npos
             ? 0
             : unsigned(std::atoi(PTX.data() + At + Directive.size()));
}

/// \p Image is PTX, what `heddle cc -fatbin` writes, or nvcc's fat binary; of
/// a file it has \p Bytes and a zero.
static CUresult load(const Call &Enter, CUmodule *To, const void *Image,
                     size_t Bytes = PTRDIFF_MAX) {
  Device &D = Enter.device();
  if (!To || !Image)
    return result(Enter(Status::InvalidValue));
  const std::string_view Begin(static_cast<const char *>(Image), 4);
  const bool IsBinary = Begin == "HDLC" || Begin == "\x50\xED\x55\xBA";
  if (Begin == "\x7f"
               "ELF")
    return result(Enter.refuse(Status::NoImageForDevice,
                               "the module holds machine code only; give PTX"));
  if (const unsigned Target =
          IsBinary ? 0 : targetOf(static_cast<const char *>(Image));
      Target > D.capability())
    return result(Enter.refuse(
        Status::InvalidPTX,
        fmt::format("the PTX is for sm_{} and later, and {} is {}", Target,
                    D.machine().Name, D.machine().Target)));
  CodeModule *M = IsBinary ? D.addBinary(Image, Bytes)
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
  if (!Path)
    return result(Enter.refuseNull());
  std::ifstream File(Path, std::ios::binary);
  std::string Image((std::istreambuf_iterator<char>(File)), {});
  if (!File || Image.size() < 4)
    return result(Enter.refuse(Status::FileNotFound,
                               fmt::format("cannot read '{}'", Path)));
  return load(Enter, To, Image.c_str(), Image.size());
}
EXPORTED CUresult cuModuleUnload(CUmodule M) {
  ENTER;
  CodeModule *Module = moduleOf(Enter, M);
  if (!Module)
    return CUDA_ERROR_INVALID_HANDLE;
  Enter.device().dropModule(Module);
  return result(Enter.done());
}
EXPORTED CUresult cuModuleGetFunction(CUfunction *To, CUmodule M,
                                      const char *Name) {
  ENTER;
  CodeModule *Module = moduleOf(Enter, M);
  if (!Module)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!To || !Name)
    return result(Enter.refuseNull());
  KernelHandle *K = Enter.device().kernel(*Module, Name);
  if (!K)
    return result(Enter.refuse(
        Status::NotFound, fmt::format("the module has no kernel '{}'", Name)));
  return result(Enter.give(To, reinterpret_cast<CUfunction>(K)));
}
EXPORTED CUresult cuModuleGetGlobal_v2(CUdeviceptr *To, size_t *Bytes,
                                       CUmodule M, const char *Name) {
  ENTER;
  CodeModule *Module = moduleOf(Enter, M);
  if (!Module)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!Name)
    return result(Enter.refuseNull());
  auto It = Module->Variables.find(Name);
  if (It == Module->Variables.end())
    return result(
        Enter.refuse(Status::NotFound,
                     fmt::format("the module has no variable '{}'", Name)));
  if (To)
    *To = It->second->where();
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
                             const LaunchShape &Shape, CUstream Stream,
                             void **Params, void **Extra) {
  KernelHandle *K = reinterpret_cast<KernelHandle *>(F);
  if (!K)
    return result(Enter.refuse(Status::InvalidHandle, "a null function"));
  if (cudaError_t E = checkStream(Enter, Stream))
    return result(E);
  std::vector<uint8_t> Packed = packed(Extra);
  if (isCapturing(Stream)) {
    if (Params)
      if (Status S =
              Enter.device().pack(*K, Shape, Params, Packed, Enter.name());
          S != Status::Success)
        return result(Enter(S));
    return result(
        capture(Enter, Stream, KernelNode{F, K, Shape, std::move(Packed), {}}));
  }
  const InStream Here(Enter.device(), Stream);
  return result(Enter(Enter.device().launch(
      *K, Shape, Params, Params ? nullptr : &Packed, Enter.name())));
}
EXPORTED CUresult cuLaunchKernel(CUfunction F, unsigned GX, unsigned GY,
                                 unsigned GZ, unsigned BX, unsigned BY,
                                 unsigned BZ, unsigned Shared, CUstream S,
                                 void **Params, void **Extra) {
  ENTER;
  return launchKernel(Enter, F, {{GX, GY, GZ}, {BX, BY, BZ}, Shared, false}, S,
                      Params, Extra);
}
EXPORTED CUresult cuLaunchCooperativeKernel(CUfunction F, unsigned GX,
                                            unsigned GY, unsigned GZ,
                                            unsigned BX, unsigned BY,
                                            unsigned BZ, unsigned Shared,
                                            CUstream S, void **Params) {
  ENTER;
  return launchKernel(Enter, F, {{GX, GY, GZ}, {BX, BY, BZ}, Shared, true}, S,
                      Params, nullptr);
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
  ENTER;
  return result(
      cudaStreamCreateWithFlags(reinterpret_cast<cudaStream_t *>(To), Flags));
}
EXPORTED CUresult cuStreamCreateWithPriority(CUstream *To, unsigned Flags,
                                             int Priority) {
  ENTER;
  return result(cudaStreamCreateWithPriority(
      reinterpret_cast<cudaStream_t *>(To), Flags, Priority));
}
EXPORTED CUresult cuStreamQuery(CUstream S) {
  ENTER;
  return result(cudaStreamQuery(streamOf(S)));
}
EXPORTED CUresult cuStreamWaitEvent(CUstream S, CUevent E, unsigned Flags) {
  ENTER;
  return result(cudaStreamWaitEvent(streamOf(S), eventOf(E), Flags));
}
EXPORTED CUresult cuLaunchHostFunc(CUstream S, CUhostFn Function, void *Data) {
  ENTER;
  return result(cudaLaunchHostFunc(streamOf(S), Function, Data));
}
EXPORTED CUresult cuStreamBeginCapture_v2(CUstream S,
                                          CUstreamCaptureMode Mode) {
  ENTER;
  return result(
      cudaStreamBeginCapture(streamOf(S), cudaStreamCaptureMode(Mode)));
}
EXPORTED CUresult cuStreamEndCapture(CUstream S, CUgraph *To) {
  ENTER;
  return result(cudaStreamEndCapture(streamOf(S), To));
}
EXPORTED CUresult cuGraphInstantiateWithFlags(CUgraphExec *To, CUgraph G,
                                              unsigned long long Flags) {
  ENTER;
  return result(cudaGraphInstantiateWithFlags(To, G, Flags));
}
EXPORTED CUresult cuGraphLaunch(CUgraphExec G, CUstream S) {
  ENTER;
  return result(cudaGraphLaunch(G, streamOf(S)));
}
EXPORTED CUresult cuGraphExecDestroy(CUgraphExec G) {
  ENTER;
  return result(cudaGraphExecDestroy(G));
}
EXPORTED CUresult cuGraphDestroy(CUgraph G) {
  ENTER;
  return result(cudaGraphDestroy(G));
}
EXPORTED CUresult cuEventQuery(CUevent E) {
  ENTER;
  return result(cudaEventQuery(eventOf(E)));
}
EXPORTED CUresult cuStreamDestroy_v2(CUstream S) {
  ENTER;
  return result(cudaStreamDestroy(streamOf(S)));
}
EXPORTED CUresult cuStreamSynchronize(CUstream S) {
  ENTER;
  return result(cudaStreamSynchronize(streamOf(S)));
}
EXPORTED CUresult cuEventCreate(CUevent *To, unsigned Flags) {
  ENTER;
  return result(
      cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t *>(To), Flags));
}
EXPORTED CUresult cuEventDestroy_v2(CUevent E) {
  ENTER;
  return result(cudaEventDestroy(eventOf(E)));
}
EXPORTED CUresult cuEventRecord(CUevent E, CUstream S) {
  ENTER;
  return result(cudaEventRecord(eventOf(E), streamOf(S)));
}
EXPORTED CUresult cuEventSynchronize(CUevent E) {
  ENTER;
  return result(cudaEventSynchronize(eventOf(E)));
}
EXPORTED CUresult cuEventElapsedTime(float *To, CUevent From, CUevent Until) {
  ENTER;
  return result(cudaEventElapsedTime(To, eventOf(From), eventOf(Until)));
}

EXPORTED CUresult cuFuncGetAttribute(int *To, CUfunction_attribute Which,
                                     CUfunction F) {
  ENTER;
  if (!F || !To)
    return result(Enter.refuse(F ? Status::InvalidValue : Status::InvalidHandle,
                               "a null pointer"));
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

EXPORTED CUresult cuFuncSetAttribute(CUfunction F, CUfunction_attribute Which,
                                     int Value) {
  ENTER;
  KernelHandle *K = reinterpret_cast<KernelHandle *>(F);
  if (!K)
    return result(Enter.refuse(Status::InvalidHandle, "a null function"));
  const auto Most = int(Enter.device().machine().Shared.MaxPerBlock);
  if (Which == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) {
    if (Value < 0 || Value > Most)
      return result(Enter.refuse(
          Status::InvalidValue,
          fmt::format("{} bytes of shared memory for a block; {} has {}", Value,
                      Enter.device().machine().Name, Most)));
    K->MaxDynamicShared = uint64_t(Value);
  }
  return result(Enter.done());
}
EXPORTED CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *To,
                                                              CUfunction F,
                                                              int Threads,
                                                              size_t Shared) {
  ENTER;
  KernelHandle *K = reinterpret_cast<KernelHandle *>(F);
  if (!K || !To || Threads <= 0)
    return result(Enter(K ? Status::InvalidValue : Status::InvalidHandle));
  auto Blocks = Enter.device().blocksPerSM(*K, unsigned(Threads), Shared);
  if (!Blocks)
    return result(Enter.refuse(Status::InvalidHandle, Blocks.error().Message));
  return result(Enter.give(To, int(*Blocks)));
}
/// Of the block sizes with the most threads on an SM, the largest.
EXPORTED CUresult cuOccupancyMaxPotentialBlockSize(int *Grid, int *Block,
                                                   CUfunction F,
                                                   CUoccupancyB2DSize SharedOf,
                                                   size_t Shared, int Limit) {
  ENTER;
  KernelHandle *K = reinterpret_cast<KernelHandle *>(F);
  if (!K || !Grid || !Block)
    return result(Enter(K ? Status::InvalidValue : Status::InvalidHandle));
  Device &D = Enter.device();
  auto R = D.resources(*K);
  if (!R)
    return result(Enter.refuse(Status::InvalidHandle, R.error().Message));
  int Most =
      int(R->MaxThreads ? R->MaxThreads : D.machine().SM.MaxThreadsPerBlock);
  if (Limit > 0)
    Most = std::min(Most, Limit);
  unsigned Best = 0;
  for (int Size = (Most + 31) / 32 * 32; Size > 0; Size -= 32) {
    const int Threads = std::min(Size, Most);
    auto Blocks = D.blocksPerSM(*K, unsigned(Threads),
                                SharedOf ? SharedOf(Threads) : Shared);
    if (Blocks && *Blocks * unsigned(Threads) > Best) {
      Best = *Blocks * unsigned(Threads);
      *Block = Threads;
      *Grid = int(*Blocks * D.machine().SM.Count);
    }
  }
  return result(Enter.done());
}

EXPORTED CUresult cuGetErrorString(CUresult E, const char **To) {
  if (!To)
    return CUDA_ERROR_INVALID_VALUE;
  *To = errorRow(int(E)).Text;
  return CUDA_SUCCESS;
}
EXPORTED CUresult cuGetErrorName(CUresult E, const char **To) {
  if (!To)
    return CUDA_ERROR_INVALID_VALUE;
  *To = errorRow(int(E)).DriverName;
  return *To ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}
