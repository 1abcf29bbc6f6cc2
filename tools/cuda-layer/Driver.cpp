//===- Driver.cpp - Modules and kernels of the driver API ---------------===//

#include "DriverCalls.h"
#include "Limits.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <map>

using namespace heddle;
using namespace heddle::cuda;

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

namespace heddle::cuda {

cudaError_t load(const Call &Enter, CodeModule *&To, const void *Image,
                 size_t Bytes) {
  Device &D = Enter.device();
  if (!Image)
    return Enter.refuseNull();
  const std::string_view Begin(static_cast<const char *>(Image), 4);
  const bool IsBinary = Begin == "HDLC" || Begin == "\x50\xED\x55\xBA";
  if (Begin == "\x7f"
               "ELF")
    return Enter.refuse(Status::NoImageForDevice,
                        "the module holds machine code only; give PTX");
  const unsigned Target =
      IsBinary ? 0 : targetOf(static_cast<const char *>(Image));
  if (Target > D.capability())
    return Enter.refuse(
        Status::InvalidPTX,
        fmt::format("the PTX is for sm_{} and later, and {} is {}", Target,
                    D.machine().Name, D.machine().Target));
  CodeModule *M = IsBinary
                      ? D.addBinary(Image, Bytes)
                      : D.addCode(static_cast<const char *>(Image), Target);
  if (Status S = D.load(*M, Enter.name()); S != Status::Success)
    return Enter(S);
  To = M;
  return Enter.done();
}

cudaError_t loadFile(const Call &Enter, CodeModule *&To, const char *Path) {
  if (!Path)
    return Enter.refuseNull();
  std::ifstream File(Path, std::ios::binary);
  std::string Image((std::istreambuf_iterator<char>(File)), {});
  if (!File || Image.size() < 4)
    return Enter.refuse(Status::FileNotFound,
                        fmt::format("cannot read '{}'", Path));
  return load(Enter, To, Image.c_str(), Image.size());
}

} // namespace heddle::cuda

/// Gives the program what \p Load loads.
template <typename Loader>
static CUresult give(const Call &Enter, CUmodule *To, Loader Load) {
  if (!To)
    return result(Enter.refuseNull());
  CodeModule *M = nullptr;
  const cudaError_t E = Load(M);
  return result(E ? E : Enter.give(To, reinterpret_cast<CUmodule>(M)));
}
static CUresult loadModule(const Call &Enter, CUmodule *To, const void *Image) {
  return give(Enter, To, [&](CodeModule *&M) { return load(Enter, M, Image); });
}
EXPORTED CUresult cuModuleLoadData(CUmodule *To, const void *Image) {
  ENTER;
  return loadModule(Enter, To, Image);
}
EXPORTED CUresult cuModuleLoadDataEx(CUmodule *To, const void *Image, unsigned,
                                     CUjit_option *, void **) {
  ENTER;
  return loadModule(Enter, To, Image);
}
EXPORTED CUresult cuModuleLoadFatBinary(CUmodule *To, const void *Image) {
  ENTER;
  return loadModule(Enter, To, Image);
}
EXPORTED CUresult cuModuleLoad(CUmodule *To, const char *Path) {
  ENTER;
  return give(Enter, To,
              [&](CodeModule *&M) { return loadFile(Enter, M, Path); });
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
    return result(
        Enter.refuse(Status::NotFound, missingKernel(*Module, Name, "module")));
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

EXPORTED CUresult cuModuleGetLoadingMode(CUmoduleLoadingMode *To) {
  ENTER;
  return result(Enter.give(To, CU_MODULE_LAZY_LOADING));
}
EXPORTED CUresult cuModuleGetFunctionCount(unsigned *To, CUmodule M) {
  ENTER;
  CodeModule *Module = moduleOf(Enter, M);
  if (!Module)
    return CUDA_ERROR_INVALID_HANDLE;
  return result(Enter.give(To, Module->Loaded->kernelNames().size()));
}
EXPORTED CUresult cuModuleEnumerateFunctions(CUfunction *To, unsigned Count,
                                             CUmodule M) {
  ENTER;
  CodeModule *Module = moduleOf(Enter, M);
  if (!Module)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!To)
    return result(Enter.refuseNull());
  const std::vector<std::string> Names = Module->Loaded->kernelNames();
  for (unsigned I = 0; I < Count; ++I)
    To[I] = I < Names.size() ? reinterpret_cast<CUfunction>(
                                   Enter.device().kernel(*Module, Names[I]))
                             : nullptr;
  return result(Enter.done());
}

std::vector<uint8_t> heddle::cuda::packed(void **Extra) {
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
  KernelHandle *K = kernelOf(F);
  if (!K)
    return result(Enter.refuse(Status::InvalidHandle, "a null function"));
  if (cudaError_t E = checkStream(Enter, Stream))
    return result(E);
  if (isCapturing(Stream)) {
    KernelNode Node;
    const Status E = makeKernelNode(Enter, F, Shape, Params, Node, Extra);
    return result(E == Status::Success ? capture(Enter, Stream, std::move(Node))
                                       : Enter(E));
  }
  const std::vector<uint8_t> Packed = packed(Extra);
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

EXPORTED CUresult cuLaunchKernelEx(const CUlaunchConfig *C, CUfunction F,
                                   void **Params, void **Extra) {
  ENTER;
  if (!C)
    return result(Enter.refuseNull());
  LaunchShape Shape = {{C->gridDimX, C->gridDimY, C->gridDimZ},
                       {C->blockDimX, C->blockDimY, C->blockDimZ},
                       C->sharedMemBytes,
                       false};
  applyAttributes(Shape,
                  reinterpret_cast<const cudaLaunchAttribute *>(C->attrs),
                  C->numAttrs);
  return launchKernel(Enter, F, Shape, C->hStream, Params, Extra);
}

//===----------------------------------------------------------------------===//
// Launches as before CUDA 4, parameter by parameter
//===----------------------------------------------------------------------===//

namespace {
struct OldLaunch {
  Dim3 Block = {1, 1, 1};
  unsigned Shared = 0;
  std::vector<uint8_t> Params;
};
OldLaunch &oldLaunch(CUfunction F) {
  static auto *All = new std::map<CUfunction, OldLaunch>;
  return (*All)[F];
}
} // namespace

static CUresult setParam(const Call &Enter, CUfunction F, int At,
                         const void *From, size_t Bytes) {
  constexpr size_t MostBytes = 4096; // of parameters
  if (!F || !From || At < 0 || size_t(At) + Bytes > MostBytes)
    return result(Enter(F ? Status::InvalidValue : Status::InvalidHandle));
  std::vector<uint8_t> &Params = oldLaunch(F).Params;
  Params.resize(std::max(Params.size(), size_t(At) + Bytes));
  std::memcpy(Params.data() + At, From, Bytes);
  return result(Enter.done());
}
EXPORTED CUresult cuFuncSetBlockShape(CUfunction F, int X, int Y, int Z) {
  ENTER;
  if (!F || X < 1 || Y < 1 || Z < 1)
    return result(Enter(F ? Status::InvalidValue : Status::InvalidHandle));
  oldLaunch(F).Block = {unsigned(X), unsigned(Y), unsigned(Z)};
  return result(Enter.done());
}
EXPORTED CUresult cuFuncSetSharedSize(CUfunction F, unsigned Bytes) {
  ENTER;
  if (!F)
    return result(Enter(Status::InvalidHandle));
  oldLaunch(F).Shared = Bytes;
  return result(Enter.done());
}
EXPORTED CUresult cuParamSetSize(CUfunction F, unsigned Bytes) {
  ENTER;
  const uint8_t Zero = 0;
  return setParam(Enter, F, int(Bytes), &Zero, 0);
}
EXPORTED CUresult cuParamSeti(CUfunction F, int At, unsigned Value) {
  ENTER;
  return setParam(Enter, F, At, &Value, sizeof(Value));
}
EXPORTED CUresult cuParamSetf(CUfunction F, int At, float Value) {
  ENTER;
  return setParam(Enter, F, At, &Value, sizeof(Value));
}
EXPORTED CUresult cuParamSetv(CUfunction F, int At, void *From,
                              unsigned Bytes) {
  ENTER;
  return setParam(Enter, F, At, From, Bytes);
}
EXPORTED CUresult cuLaunchGridAsync(CUfunction F, int Width, int Height,
                                    CUstream S) {
  ENTER;
  if (!F || Width < 1 || Height < 1)
    return result(Enter(F ? Status::InvalidValue : Status::InvalidHandle));
  OldLaunch &L = oldLaunch(F);
  size_t Bytes = L.Params.size();
  void *Extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, L.Params.data(),
                   CU_LAUNCH_PARAM_BUFFER_SIZE, &Bytes, CU_LAUNCH_PARAM_END};
  return launchKernel(
      Enter, F,
      {{unsigned(Width), unsigned(Height), 1}, L.Block, L.Shared, false}, S,
      nullptr, Bytes ? Extra : nullptr);
}
EXPORTED CUresult cuLaunchGrid(CUfunction F, int Width, int Height) {
  ENTER;
  return cuLaunchGridAsync(F, Width, Height, nullptr);
}
EXPORTED CUresult cuLaunch(CUfunction F) {
  ENTER;
  return cuLaunchGridAsync(F, 1, 1, nullptr);
}

//===----------------------------------------------------------------------===//
// Attributes, occupancy, errors
//===----------------------------------------------------------------------===//

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
  case 5: // CU_FUNC_ATTRIBUTE_PTX_VERSION
    *To = int(D.capabilityOf(*K.Module));
    break;
  case 6:
    *To = int(D.capability());
    break;
  case 8:
    *To = int(D.maxDynamicShared(K));
    break;
  case 9: // CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: no preference
    *To = -1;
    break;
  case 14: // CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED
    *To = K.LargeClusters;
    break;
  default:
    *To = 0;
  }
  return result(Enter.done());
}

EXPORTED CUresult cuFuncSetAttribute(CUfunction F, CUfunction_attribute Which,
                                     int Value) {
  ENTER;
  KernelHandle *K = kernelOf(F);
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
  if (Which == CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED)
    K->LargeClusters = Value != 0;
  return result(Enter.done());
}
EXPORTED CUresult cuFuncGetName(const char **To, CUfunction F) {
  ENTER;
  KernelHandle *K = kernelOf(F);
  return result(K ? Enter.give(To, K->Name.c_str())
                  : Enter(Status::InvalidHandle));
}
EXPORTED CUresult cuFuncGetModule(CUmodule *To, CUfunction F) {
  ENTER;
  KernelHandle *K = kernelOf(F);
  return result(K ? Enter.give(To, reinterpret_cast<CUmodule>(K->Module))
                  : Enter(Status::InvalidHandle));
}
EXPORTED CUresult cuFuncIsLoaded(CUfunctionLoadingState *To, CUfunction F) {
  ENTER;
  KernelHandle *K = kernelOf(F);
  return result(K ? Enter.give(To, K->Module->Loaded != nullptr)
                  : Enter(Status::InvalidHandle));
}
EXPORTED CUresult cuFuncLoad(CUfunction F) {
  ENTER;
  KernelHandle *K = kernelOf(F);
  return result(Enter(K ? Enter.device().load(*K->Module, Enter.name())
                        : Status::InvalidHandle));
}
EXPORTED CUresult cuFuncGetParamInfo(CUfunction F, size_t Index, size_t *Offset,
                                     size_t *Bytes) {
  ENTER;
  KernelHandle *K = kernelOf(F);
  return result(K ? parameter(Enter, *K, Index, Offset, Bytes)
                  : Enter(Status::InvalidHandle));
}
EXPORTED CUresult cuFuncSetSharedMemConfig(CUfunction, CUsharedconfig) {
  ENTER;
  return result(Enter.done());
}
EXPORTED CUresult cuFuncSetCacheConfig(CUfunction, CUfunc_cache) {
  ENTER;
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
