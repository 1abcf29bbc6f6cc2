//===- Execution.cpp - Kernels of the runtime API -------------------------===//

#include "Graphs.h"
#include "Limits.h"

#include "heddle/ABI/PerThread.h"

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::cuda;

//===----------------------------------------------------------------------===//
// What compilers put into programs
//===----------------------------------------------------------------------===//

namespace {
/// What a registered binary lies behind (Clang's CGCUDANV.cpp). After nvcc's
/// device linker (crt/link.stub of the toolkit) version 2 has the binaries of
/// all files, up to a null.
struct Wrapper {
  int Magic, Version;
  const void *Data;
  const void *const *Parts;
};
constexpr int LinkedVersion = 2;

/// Of a launch with <<<...>>>, until the call of its stub.
struct Configuration {
  dim3 Grid, Block;
  size_t Shared;
  cudaStream_t Stream;
};
using Configurations = std::vector<Configuration>;
Configurations &configurations() {
  return perThread<Configurations, Configuration>();
}
} // namespace

EXPORTED void **__cudaRegisterFatBinary(void *Data) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  const auto &W = *static_cast<const Wrapper *>(Data);
  return reinterpret_cast<void **>(W.Version == LinkedVersion && W.Parts
                                       ? D.addParts(W.Parts)
                                       : D.addBinary(W.Data));
}
EXPORTED void __cudaUnregisterFatBinary(void **) {}
EXPORTED char __cudaInitModule(void **) { return 1; }

static CodeModule *moduleOf(void **Handle) {
  return reinterpret_cast<CodeModule *>(Handle);
}
EXPORTED void __cudaRegisterFatBinaryEnd(void **Handle) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  D.registered(*moduleOf(Handle));
}
EXPORTED int __cudaRegisterFunction(void **Handle, const char *Host, char *,
                                    const char *Name, int, uint3 *, uint3 *,
                                    dim3 *, dim3 *, int *) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  D.registerKernel(moduleOf(Handle), Host, Name);
  return 0;
}
EXPORTED void __cudaRegisterVar(void **Handle, char *Host, char *,
                                const char *Name, int, size_t, int, int) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  D.registerVariable(moduleOf(Handle), Host, Name);
}
// What nvcc's host code calls: it finds the variable through *At.
EXPORTED void __cudaRegisterManagedVar(void **Handle, void **At, char *,
                                       const char *Name, int, size_t, int,
                                       int) {
  Device &D = Device::get();
  std::lock_guard Guard(D.lock());
  moduleOf(Handle)->ManagedPlaces[Name] = At;
}

EXPORTED unsigned __cudaPushCallConfiguration(dim3 Grid, dim3 Block,
                                              size_t Shared,
                                              cudaStream_t Stream) {
  configurations().push_back({Grid, Block, Shared, Stream});
  return 0;
}
EXPORTED cudaError_t __cudaPopCallConfiguration(dim3 *Grid, dim3 *Block,
                                                size_t *Shared, void *Stream) {
  auto &Pushed = configurations();
  if (Pushed.empty())
    return cudaErrorMissingConfiguration;
  const Configuration &C = Pushed.back();
  *Grid = C.Grid;
  *Block = C.Block;
  *Shared = C.Shared;
  *static_cast<cudaStream_t *>(Stream) = C.Stream;
  Pushed.pop_back();
  return cudaSuccess;
}

EXPORTED cudaError_t __heddle_refuse(const char *Function) {
  Call Enter(Function);
  return Enter.refuse(Status::NotSupported,
                      "this function is not supported; docs/CUDARuntime.md "
                      "lists those that are");
}

EXPORTED void __heddle_count(const char *Function) { Call Enter(Function); }

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

static Dim3 dim3Of(dim3 D) { return {D.x, D.y, D.z}; }

/// What the default stream is to code that was compiled with
/// --default-stream per-thread.
static cudaStream_t perThread(cudaStream_t Stream) {
  return Stream ? Stream : cudaStreamPerThread;
}

static cudaError_t launchKernel(const Call &Enter, const void *Function,
                                const LaunchShape &Shape, void **Args,
                                const void *Stream) {
  Device &D = Enter.device();
  if (isCapturing(Stream)) {
    KernelNode Node;
    const Status S = makeKernelNode(Enter, Function, Shape, Args, Node);
    return S == Status::Success ? capture(Enter, Stream, std::move(Node))
                                : Enter(S);
  }
  KernelHandle *K = D.kernel(Function);
  if (!K)
    return Enter.refuse(Status::InvalidDeviceFunction,
                        "the function is no kernel of this program");
  IN_STREAM(Stream);
  return Enter(D.launch(*K, Shape, Args, nullptr, Enter.name()));
}

EXPORTED cudaError_t cudaLaunchKernel(const void *Function, dim3 Grid,
                                      dim3 Block, void **Args, size_t Shared,
                                      cudaStream_t S) {
  ENTER;
  return launchKernel(Enter, Function,
                      {dim3Of(Grid), dim3Of(Block), Shared, false}, Args, S);
}
EXPORTED cudaError_t cudaLaunchKernel_ptsz(const void *Function, dim3 Grid,
                                           dim3 Block, void **Args,
                                           size_t Shared, cudaStream_t Stream) {
  return cudaLaunchKernel(Function, Grid, Block, Args, Shared,
                          perThread(Stream));
}
// What nvcc's host code calls since CUDA 13: it asks for a handle once, which
// is here the address that the kernel was registered with.
EXPORTED cudaError_t __cudaGetKernel(const void **Kernel, const void *Host) {
  *Kernel = Host;
  return cudaSuccess;
}
EXPORTED cudaError_t __cudaLaunchKernel(const void *Kernel, dim3 Grid,
                                        dim3 Block, void **Args, size_t Shared,
                                        cudaStream_t Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Args, Shared, Stream);
}
EXPORTED cudaError_t __cudaLaunchKernel_ptsz(const void *Kernel, dim3 Grid,
                                             dim3 Block, void **Args,
                                             size_t Shared,
                                             cudaStream_t Stream) {
  return cudaLaunchKernel(Kernel, Grid, Block, Args, Shared, perThread(Stream));
}

EXPORTED cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *Config,
                                         const void *Function, void **Args) {
  ENTER;
  if (!Config)
    return Enter(Status::InvalidValue);
  LaunchShape Shape = {dim3Of(Config->gridDim), dim3Of(Config->blockDim),
                       Config->dynamicSmemBytes, false};
  applyAttributes(Shape, Config->attrs, Config->numAttrs);
  return launchKernel(Enter, Function, Shape, Args, Config->stream);
}

EXPORTED cudaError_t cudaLaunchCooperativeKernel(const void *Function,
                                                 dim3 Grid, dim3 Block,
                                                 void **Args, size_t Shared,
                                                 cudaStream_t S) {
  ENTER;
  return launchKernel(Enter, Function,
                      {dim3Of(Grid), dim3Of(Block), Shared, true}, Args, S);
}

//===----------------------------------------------------------------------===//
// What kernels need
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *To,
                                           const void *Function) {
  ENTER;
  Device &D = Enter.device();
  KernelHandle *K = D.kernel(Function);
  if (!K || !To)
    return Enter(K ? Status::InvalidValue : Status::InvalidDeviceFunction);
  auto R = D.resources(*K);
  if (!R)
    return Enter.refuse(Status::InvalidDeviceFunction, R.error().Message);
  *To = {};
  To->sharedSizeBytes = R->StaticSharedBytes;
  To->localSizeBytes = R->LocalBytesPerThread;
  To->numRegs = int(R->RegistersPerThread);
  const unsigned Limit = D.machine().SM.MaxThreadsPerBlock;
  const unsigned ByRegisters =
      R->RegistersPerThread
          ? D.machine().SM.Registers / R->RegistersPerThread / 32 * 32
          : Limit;
  To->maxThreadsPerBlock = int(std::min(R->MaxThreads ? R->MaxThreads : Limit,
                                        std::min(Limit, ByRegisters)));
  To->ptxVersion = int(D.capabilityOf(*K->Module));
  To->binaryVersion = int(D.capability());
  To->maxDynamicSharedSizeBytes = int(D.maxDynamicShared(*K));
  To->preferredShmemCarveout = -1;
  return Enter.done();
}
EXPORTED cudaError_t cudaFuncSetAttribute(const void *Function,
                                          cudaFuncAttribute Which, int Value) {
  ENTER;
  Device &D = Enter.device();
  KernelHandle *K = D.kernel(Function);
  if (!K)
    return Enter(Status::InvalidDeviceFunction);
  if (Which == cudaFuncAttributeNonPortableClusterSizeAllowed)
    K->LargeClusters = Value != 0;
  if (Which != cudaFuncAttributeMaxDynamicSharedMemorySize)
    return Enter.done();
  if (Value < 0 || uint32_t(Value) > D.machine().Shared.MaxPerBlock)
    return Enter.refuse(
        Status::InvalidValue,
        fmt::format("{} bytes of dynamic shared memory; a block of {} has {}",
                    Value, D.machine().Name, D.machine().Shared.MaxPerBlock));
  K->MaxDynamicShared = uint64_t(Value);
  return Enter.done();
}
EXPORTED cudaError_t cudaFuncSetCacheConfig(const void *, cudaFuncCache) {
  ENTER;
  return Enter.done();
}
EXPORTED cudaError_t cudaFuncSetSharedMemConfig(const void *,
                                                cudaSharedMemConfig) {
  ENTER;
  return Enter.done();
}

namespace heddle::cuda {

void applyAttributes(LaunchShape &Shape, const cudaLaunchAttribute *Attributes,
                     unsigned Count) {
  for (unsigned I = 0; I < Count; ++I) {
    const cudaLaunchAttribute &A = Attributes[I];
    if (A.id == cudaLaunchAttributeCooperative)
      Shape.Cooperative |= A.val.cooperative != 0;
    if (A.id == cudaLaunchAttributeClusterDimension)
      Shape.Cluster =
          Dim3{A.val.clusterDim.x, A.val.clusterDim.y, A.val.clusterDim.z};
  }
}

cudaError_t parameter(const Call &Enter, KernelHandle &K, size_t Index,
                      size_t *Offset, size_t *Bytes) {
  if (Status S = Enter.device().load(*K.Module, Enter.name());
      S != Status::Success)
    return Enter(S);
  const exec::KernelInterface *I = K.Module->Loaded->kernel(K.Name);
  if (!I || !Offset || Index >= I->Params.size())
    return Enter(Status::InvalidValue);
  *Offset = I->Params[Index].Offset;
  if (Bytes)
    *Bytes = I->Params[Index].SizeBytes;
  return Enter.done();
}

} // namespace heddle::cuda

EXPORTED cudaError_t cudaFuncGetParamInfo(const void *Function, size_t Index,
                                          size_t *Offset, size_t *Bytes) {
  ENTER;
  KernelHandle *K = Enter.device().kernel(Function);
  return K ? parameter(Enter, *K, Index, Offset, Bytes)
           : Enter(Status::InvalidDeviceFunction);
}
EXPORTED cudaError_t cudaFuncGetName(const char **To, const void *Function) {
  ENTER;
  KernelHandle *K = Enter.device().kernel(Function);
  return K ? Enter.give(To, K->Name.c_str())
           : Enter(Status::InvalidDeviceFunction);
}
/// The handle of the driver API.
EXPORTED cudaError_t cudaGetFuncBySymbol(cudaFunction_t *To,
                                         const void *Function) {
  ENTER;
  KernelHandle *K = Enter.device().kernel(Function);
  return K ? Enter.give(To, reinterpret_cast<cudaFunction_t>(K))
           : Enter(Status::InvalidDeviceFunction);
}
EXPORTED cudaError_t cudaGetKernel(cudaKernel_t *To, const void *Function) {
  ENTER;
  KernelHandle *K = Enter.device().kernel(Function);
  return K ? Enter.give(To, reinterpret_cast<cudaKernel_t>(K))
           : Enter(Status::InvalidDeviceFunction);
}
