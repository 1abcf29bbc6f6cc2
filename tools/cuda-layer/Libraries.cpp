//===- Libraries.cpp - Libraries of kernels, in both APIs -----------------===//
//
// There is one context, so a library is a module, and the kernel of a library
// is the function that each context would have of it. Handles of the two APIs
// are the same.
//
//===----------------------------------------------------------------------===//

#include "DriverCalls.h"

#include <fmt/format.h>

using namespace heddle;
using namespace heddle::cuda;

static cudaError_t error(CUresult R) { return cudaError_t(R); }
static CUlibrary driverLibrary(cudaLibrary_t L) {
  return reinterpret_cast<CUlibrary>(L);
}
static CUfunction functionOf(CUkernel K) {
  return reinterpret_cast<CUfunction>(K);
}

/// The library \p L; null, with a line on stderr, if there is none.
static CodeModule *libraryOf(const Call &Enter, CUlibrary L) {
  CodeModule *M = Enter.device().module(L);
  if (!M)
    Enter.refuse(Status::InvalidHandle, "there is no such library");
  return M;
}
/// The kernel \p K; null, with a line on stderr, if there is none.
static KernelHandle *kernelOf(const Call &Enter, CUkernel K) {
  KernelHandle *Kernel = Enter.device().kernel(K);
  if (!Kernel)
    Enter.refuse(Status::InvalidHandle, "there is no such kernel");
  return Kernel;
}

//===----------------------------------------------------------------------===//
// Libraries
//===----------------------------------------------------------------------===//

/// Whether \p Options, which have values, are taken. Those of compilers change
/// nothing here, as for modules.
static cudaError_t checkOptions(const Call &Enter,
                                const CUlibraryOption *Options, unsigned Count,
                                bool OfFile) {
  if (Count && !Options)
    return Enter.refuseNull();
  for (unsigned I = 0; I < Count; ++I) {
    if (Options[I] == CU_LIBRARY_HOST_UNIVERSAL_FUNCTION_AND_DATA_TABLE)
      return Enter.refuse(Status::NotSupported,
                          "tables of the host's functions are not supported");
    // What is kept by the program is copied all the same.
    if (Options[I] != CU_LIBRARY_BINARY_IS_PRESERVED || OfFile)
      return Enter.refuse(
          Status::InvalidValue,
          fmt::format("no option {} of a library", int(Options[I])));
  }
  return cudaSuccess;
}

EXPORTED CUresult cuLibraryLoadData(CUlibrary *To, const void *Code,
                                    CUjit_option *, void **, unsigned,
                                    CUlibraryOption *Options, void **,
                                    unsigned Count) {
  ENTER;
  if (cudaError_t E = checkOptions(Enter, Options, Count, /*OfFile=*/false))
    return result(E);
  if (!To)
    return result(Enter.refuseNull());
  CodeModule *M = nullptr;
  const cudaError_t E = load(Enter, M, Code);
  return result(E ? E : Enter.give(To, reinterpret_cast<CUlibrary>(M)));
}
EXPORTED CUresult cuLibraryLoadFromFile(CUlibrary *To, const char *Path,
                                        CUjit_option *, void **, unsigned,
                                        CUlibraryOption *Options, void **,
                                        unsigned Count) {
  ENTER;
  if (cudaError_t E = checkOptions(Enter, Options, Count, /*OfFile=*/true))
    return result(E);
  if (!To)
    return result(Enter.refuseNull());
  CodeModule *M = nullptr;
  const cudaError_t E = loadFile(Enter, M, Path);
  return result(E ? E : Enter.give(To, reinterpret_cast<CUlibrary>(M)));
}
EXPORTED CUresult cuLibraryUnload(CUlibrary L) {
  ENTER;
  CodeModule *M = libraryOf(Enter, L);
  if (!M)
    return CUDA_ERROR_INVALID_HANDLE;
  Enter.device().dropModule(M);
  return result(Enter.done());
}
EXPORTED CUresult cuLibraryGetModule(CUmodule *To, CUlibrary L) {
  ENTER;
  CodeModule *M = libraryOf(Enter, L);
  return M ? result(Enter.give(To, reinterpret_cast<CUmodule>(M)))
           : CUDA_ERROR_INVALID_HANDLE;
}
EXPORTED CUresult cuLibraryGetKernel(CUkernel *To, CUlibrary L,
                                     const char *Name) {
  ENTER;
  CodeModule *M = libraryOf(Enter, L);
  if (!M)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!To || !Name)
    return result(Enter.refuseNull());
  KernelHandle *K = Enter.device().kernel(*M, Name);
  return result(
      K ? Enter.give(To, reinterpret_cast<CUkernel>(K))
        : Enter.refuse(Status::NotFound, missingKernel(*M, Name, "library")));
}
EXPORTED CUresult cuLibraryGetKernelCount(unsigned *To, CUlibrary L) {
  ENTER;
  CodeModule *M = libraryOf(Enter, L);
  return M ? result(Enter.give(To, M->Loaded->kernelNames().size()))
           : CUDA_ERROR_INVALID_HANDLE;
}
EXPORTED CUresult cuLibraryEnumerateKernels(CUkernel *To, unsigned Count,
                                            CUlibrary L) {
  ENTER;
  CodeModule *M = libraryOf(Enter, L);
  if (!M)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!To)
    return result(Enter.refuseNull());
  const std::vector<std::string> Names = M->Loaded->kernelNames();
  for (size_t I = 0; I < std::min<size_t>(Count, Names.size()); ++I)
    To[I] = reinterpret_cast<CUkernel>(Enter.device().kernel(*M, Names[I]));
  return result(Enter.done());
}

/// Gives the place and size of variable \p Name, each if it is asked for.
static CUresult variable(const Call &Enter, CUdeviceptr *To, size_t *Bytes,
                         CUlibrary L, const char *Name, bool Managed) {
  CodeModule *M = libraryOf(Enter, L);
  if (!M)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!Name)
    return result(Enter.refuseNull());
  const auto It = M->Variables.find(Name);
  if (It == M->Variables.end() ||
      (Managed && It->second->Kind != MemoryKind::Managed))
    return result(Enter.refuse(Status::NotFound,
                               fmt::format("the library has no {}variable '{}'",
                                           Managed ? "managed " : "", Name)));
  if (To)
    *To = It->second->where();
  if (Bytes)
    *Bytes = It->second->SizeBytes;
  return result(Enter.done());
}
EXPORTED CUresult cuLibraryGetGlobal(CUdeviceptr *To, size_t *Bytes,
                                     CUlibrary L, const char *Name) {
  ENTER;
  return variable(Enter, To, Bytes, L, Name, /*Managed=*/false);
}
EXPORTED CUresult cuLibraryGetManaged(CUdeviceptr *To, size_t *Bytes,
                                      CUlibrary L, const char *Name) {
  ENTER;
  return variable(Enter, To, Bytes, L, Name, /*Managed=*/true);
}
/// No GPU here has functions that host and device share
/// (CU_DEVICE_ATTRIBUTE_UNIFIED_FUNCTION_POINTERS is 0).
EXPORTED CUresult cuLibraryGetUnifiedFunction(void **To, CUlibrary L,
                                              const char *Name) {
  ENTER;
  if (!libraryOf(Enter, L))
    return CUDA_ERROR_INVALID_HANDLE;
  if (!To || !Name)
    return result(Enter.refuseNull());
  return result(Enter.refuse(
      Status::NotFound,
      fmt::format("no function '{}' that host and device share", Name)));
}

//===----------------------------------------------------------------------===//
// Kernels of the driver API
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuKernelGetFunction(CUfunction *To, CUkernel K) {
  ENTER;
  return kernelOf(Enter, K) ? result(Enter.give(To, functionOf(K)))
                            : CUDA_ERROR_INVALID_HANDLE;
}
EXPORTED CUresult cuKernelGetLibrary(CUlibrary *To, CUkernel K) {
  ENTER;
  KernelHandle *Kernel = kernelOf(Enter, K);
  return Kernel ? result(Enter.give(
                      To, reinterpret_cast<CUlibrary>(Kernel->Module)))
                : CUDA_ERROR_INVALID_HANDLE;
}
EXPORTED CUresult cuKernelGetName(const char **To, CUkernel K) {
  ENTER;
  KernelHandle *Kernel = kernelOf(Enter, K);
  return Kernel ? result(Enter.give(To, Kernel->Name.c_str()))
                : CUDA_ERROR_INVALID_HANDLE;
}
EXPORTED CUresult cuKernelGetParamInfo(CUkernel K, size_t Index, size_t *Offset,
                                       size_t *Bytes) {
  ENTER;
  KernelHandle *Kernel = kernelOf(Enter, K);
  return Kernel ? result(parameter(Enter, *Kernel, Index, Offset, Bytes))
                : CUDA_ERROR_INVALID_HANDLE;
}

/// Whether \p K is a kernel of device \p Index.
static CUresult checkKernel(const Call &Enter, CUkernel K, CUdevice Index) {
  if (!kernelOf(Enter, K))
    return CUDA_ERROR_INVALID_HANDLE;
  return Index ? result(Enter.refuse(Status::InvalidDevice,
                                     fmt::format("no device {}", Index)))
               : CUDA_SUCCESS;
}
EXPORTED CUresult cuKernelGetAttribute(int *To, CUfunction_attribute Which,
                                       CUkernel K, CUdevice Index) {
  ENTER;
  if (CUresult E = checkKernel(Enter, K, Index))
    return E;
  return cuFuncGetAttribute(To, Which, functionOf(K));
}
EXPORTED CUresult cuKernelSetAttribute(CUfunction_attribute Which, int Value,
                                       CUkernel K, CUdevice Index) {
  ENTER;
  if (CUresult E = checkKernel(Enter, K, Index))
    return E;
  return cuFuncSetAttribute(functionOf(K), Which, Value);
}
EXPORTED CUresult cuKernelSetCacheConfig(CUkernel K, CUfunc_cache Config,
                                         CUdevice Index) {
  ENTER;
  if (CUresult E = checkKernel(Enter, K, Index))
    return E;
  return cuFuncSetCacheConfig(functionOf(K), Config);
}

//===----------------------------------------------------------------------===//
// The same in the runtime API
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaLibraryLoadData(cudaLibrary_t *To, const void *Code,
                                         cudaJitOption *, void **, unsigned,
                                         cudaLibraryOption *Options,
                                         void **Values, unsigned Count) {
  ENTER;
  return error(cuLibraryLoadData(
      reinterpret_cast<CUlibrary *>(To), Code, nullptr, nullptr, 0,
      reinterpret_cast<CUlibraryOption *>(Options), Values, Count));
}
EXPORTED cudaError_t cudaLibraryLoadFromFile(cudaLibrary_t *To,
                                             const char *Path, cudaJitOption *,
                                             void **, unsigned,
                                             cudaLibraryOption *Options,
                                             void **Values, unsigned Count) {
  ENTER;
  return error(cuLibraryLoadFromFile(
      reinterpret_cast<CUlibrary *>(To), Path, nullptr, nullptr, 0,
      reinterpret_cast<CUlibraryOption *>(Options), Values, Count));
}
EXPORTED cudaError_t cudaLibraryUnload(cudaLibrary_t L) {
  ENTER;
  return error(cuLibraryUnload(driverLibrary(L)));
}
EXPORTED cudaError_t cudaLibraryGetKernel(cudaKernel_t *To, cudaLibrary_t L,
                                          const char *Name) {
  ENTER;
  return error(cuLibraryGetKernel(To, driverLibrary(L), Name));
}
EXPORTED cudaError_t cudaLibraryGetKernelCount(unsigned *To, cudaLibrary_t L) {
  ENTER;
  return error(cuLibraryGetKernelCount(To, driverLibrary(L)));
}
EXPORTED cudaError_t cudaLibraryEnumerateKernels(cudaKernel_t *To,
                                                 unsigned Count,
                                                 cudaLibrary_t L) {
  ENTER;
  return error(cuLibraryEnumerateKernels(To, Count, driverLibrary(L)));
}
EXPORTED cudaError_t cudaLibraryGetGlobal(void **To, size_t *Bytes,
                                          cudaLibrary_t L, const char *Name) {
  ENTER;
  return error(cuLibraryGetGlobal(reinterpret_cast<CUdeviceptr *>(To), Bytes,
                                  driverLibrary(L), Name));
}
EXPORTED cudaError_t cudaLibraryGetManaged(void **To, size_t *Bytes,
                                           cudaLibrary_t L, const char *Name) {
  ENTER;
  return error(cuLibraryGetManaged(reinterpret_cast<CUdeviceptr *>(To), Bytes,
                                   driverLibrary(L), Name));
}
EXPORTED cudaError_t cudaLibraryGetUnifiedFunction(void **To, cudaLibrary_t L,
                                                   const char *Name) {
  ENTER;
  return error(cuLibraryGetUnifiedFunction(To, driverLibrary(L), Name));
}
EXPORTED cudaError_t cudaKernelSetAttributeForDevice(cudaKernel_t K,
                                                     cudaFuncAttribute Which,
                                                     int Value, int Index) {
  ENTER;
  if (!Enter.device().kernel(K))
    return Enter.refuse(Status::InvalidDeviceFunction,
                        "there is no such kernel");
  return error(
      cuKernelSetAttribute(CUfunction_attribute(Which), Value, K, Index));
}
