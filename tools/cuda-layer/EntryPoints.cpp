//===- EntryPoints.cpp - Functions of the driver API by their names -----===//

#include "DriverCalls.h"

#include <fmt/format.h>

#include <dlfcn.h>

using namespace heddle;
using namespace heddle::cuda;

/// The function of this library that programs link as \p Name; null if there
/// is none.
static void *functionNamed(const std::string &Name) {
  Dl_info Own;
  void *Library = ::dladdr(reinterpret_cast<void *>(&functionNamed), &Own)
                      ? ::dlopen(Own.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                      : nullptr;
  void *Found = nullptr;
  for (const char *Version : {"_v2", ""})
    if (Library && !Found)
      Found = ::dlsym(Library, (Name + Version).c_str());
  if (Library)
    ::dlclose(Library);
  return Found;
}

EXPORTED cudaError_t
cudaGetDriverEntryPoint(const char *Name, void **To, unsigned long long,
                        cudaDriverEntryPointQueryResult *Found) {
  ENTER;
  if (!Name || !To)
    return Enter(Status::InvalidValue);
  *To = functionNamed(Name);
  if (Found)
    *Found =
        *To ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
  if (!*To && !Found)
    return Enter.refuse(
        Status::NotFound,
        fmt::format("the driver API here has no function '{}'", Name));
  return Enter.done();
}
EXPORTED cudaError_t cudaGetDriverEntryPointByVersion(
    const char *Name, void **To, unsigned, unsigned long long Flags,
    cudaDriverEntryPointQueryResult *Found) {
  ENTER;
  return cudaGetDriverEntryPoint(Name, To, Flags, Found);
}

EXPORTED CUresult cuGetProcAddress_v2(const char *Name, void **To, int,
                                      unsigned long long,
                                      CUdriverProcAddressQueryResult *Found) {
  ENTER;
  if (!Name || !To)
    return result(Enter(Status::InvalidValue));
  *To = functionNamed(Name);
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
