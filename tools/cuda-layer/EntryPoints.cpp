//===- EntryPoints.cpp - Functions of the driver API by their names -----===//

#include "DriverCalls.h"

#include <fmt/format.h>

#include <dlfcn.h>

using namespace heddle;
using namespace heddle::cuda;

/// Releases that gave functions another form under the same name (cuda.h of
/// each): the suffix and the first version of the driver API that has it.
struct Form {
  const char *Function, *Suffix;
  int Since;
};
static constexpr int VersionOfEdges = 12030;
static constexpr Form Forms[] = {
    {"cuGraphAddDependencies", "_v2", VersionOfEdges},
    {"cuGraphAddNode", "_v2", VersionOfEdges},
    {"cuGraphGetEdges", "_v2", VersionOfEdges},
    {"cuGraphNodeGetDependencies", "_v2", VersionOfEdges},
    {"cuGraphNodeGetDependentNodes", "_v2", VersionOfEdges},
    {"cuGraphRemoveDependencies", "_v2", VersionOfEdges},
    {"cuStreamUpdateCaptureDependencies", "_v2", VersionOfEdges},
    {"cuStreamGetCaptureInfo", "_v3", VersionOfEdges},
    {"cuStreamGetCaptureInfo", "_v2", 11030},
    {"cuGraphKernelNodeGetParams", "_v2", 12000},
    {"cuMemAdvise", "_v2", 12020},
    {"cuMemPrefetchAsync", "_v2", 12020},
    {"cuMemcpyBatchAsync", "_v2", 13000},
    {"cuGraphExecUpdate", "_v2", 12000},
};

/// Whether the driver API of release \p Version has that form.
static bool hasForm(const std::string &Name, const char *Suffix, int Version) {
  for (const Form &F : Forms)
    if (Name == F.Function && std::string_view(Suffix) == F.Suffix)
      return Version >= F.Since;
  return true;
}

/// The function of this library that programs for \p Version of the driver API
/// link as \p Name; null if there is none.
static void *functionNamed(const std::string &Name, int Version) {
  if (isRefused(Name)) // so that programs can do without it
    return nullptr;
  Dl_info Own;
  void *Library = ::dladdr(reinterpret_cast<void *>(&functionNamed), &Own)
                      ? ::dlopen(Own.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                      : nullptr;
  void *Found = nullptr;
  for (const char *Suffix : {"_v3", "_v2", ""})
    if (Library && !Found && hasForm(Name, Suffix, Version))
      Found = ::dlsym(Library, (Name + Suffix).c_str());
  if (Library)
    ::dlclose(Library);
  return Found;
}

EXPORTED cudaError_t cudaGetDriverEntryPointByVersion(
    const char *Name, void **To, unsigned Version, unsigned long long,
    cudaDriverEntryPointQueryResult *Found) {
  ENTER;
  if (!Name || !To)
    return Enter(Status::InvalidValue);
  *To = functionNamed(Name, int(Version));
  if (Found)
    *Found =
        *To ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (!*To && !Found)
    return Enter.refuse(
        Status::NotFound,
        fmt::format("the driver API here has no function '{}'", Name));
  return Enter.done();
}
EXPORTED cudaError_t
cudaGetDriverEntryPoint(const char *Name, void **To, unsigned long long Flags,
                        cudaDriverEntryPointQueryResult *Found) {
  ENTER;
  // The version of the toolkit that has built the program.
  const unsigned Version = Enter.device().isRelease13() ? 13000 : 12000;
  return cudaGetDriverEntryPointByVersion(Name, To, Version, Flags, Found);
}

EXPORTED CUresult cuGetProcAddress_v2(const char *Name, void **To, int Version,
                                      unsigned long long,
                                      CUdriverProcAddressQueryResult *Found) {
  ENTER;
  if (!Name || !To)
    return result(Enter(Status::InvalidValue));
  *To = functionNamed(Name, Version);
  if (Found)
    *Found = *To ? CU_GET_PROC_ADDRESS_SUCCESS
                 : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return result(*To ? Enter.done() : Enter(Status::NotFound));
}
// As CUDA 11 links it.
#undef cuGetProcAddress
EXPORTED CUresult cuGetProcAddress(const char *Name, void **To, int Version,
                                   unsigned long long Flags) {
  ENTER;
  return cuGetProcAddress_v2(Name, To, Version, Flags, nullptr);
}
