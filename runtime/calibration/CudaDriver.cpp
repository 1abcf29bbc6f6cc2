//===- CudaDriver.cpp - NVIDIA's driver, loaded at run time ---------------===//

#include "calibration/CudaDriver.h"

#include <dlfcn.h>
#include <vector>

namespace heddle::calibration {

// Signatures after the CUDA driver API reference. Handles are opaque pointers,
// device memory is 64-bit addresses, results are 0 or an error's number.
using Handle = void *;
struct CudaDriver::Functions {
  int (*cuInit)(unsigned);
  int (*cuDriverGetVersion)(int *);
  int (*cuDeviceGetCount)(int *);
  int (*cuDeviceGet)(int *, int);
  int (*cuDeviceGetName)(char *, int, int);
  int (*cuDeviceGetAttribute)(int *, int, int);
  int (*cuDevicePrimaryCtxRetain)(Handle *, int);
  int (*cuDevicePrimaryCtxRelease_v2)(int);
  int (*cuCtxSetCurrent)(Handle);
  int (*cuModuleLoadData)(Handle *, const void *);
  int (*cuModuleUnload)(Handle);
  int (*cuModuleGetFunction)(Handle *, Handle, const char *);
  int (*cuModuleGetGlobal_v2)(uint64_t *, size_t *, Handle, const char *);
  int (*cuMemAlloc_v2)(uint64_t *, size_t);
  int (*cuMemFree_v2)(uint64_t);
  int (*cuMemcpyHtoD_v2)(uint64_t, const void *, size_t);
  int (*cuMemcpyDtoH_v2)(void *, uint64_t, size_t);
  int (*cuEventCreate)(Handle *, unsigned);
  int (*cuEventDestroy_v2)(Handle);
  int (*cuEventRecord)(Handle, Handle);
  int (*cuEventSynchronize)(Handle);
  int (*cuEventElapsedTime)(float *, Handle, Handle);
  int (*cuLaunchKernel)(Handle, unsigned, unsigned, unsigned, unsigned,
                        unsigned, unsigned, unsigned, Handle, void **, void **);
  int (*cuGetErrorName)(int, const char **);

  std::vector<uint64_t> Allocations;
};

CudaDriver::CudaDriver() : F(std::make_unique<Functions>()) {}

Result<void> CudaDriver::check(int Status, const char *Call) const {
  if (Status == 0)
    return {};
  const char *Error = nullptr;
  if (F->cuGetErrorName(Status, &Error) != 0 || !Error)
    Error = "unknown error";
  return fail("the NVIDIA driver: " + std::string(Call) + " failed with " +
              Error + " (" + std::to_string(Status) + ")");
}

Result<std::unique_ptr<CudaDriver>> CudaDriver::open(int Ordinal) {
  std::unique_ptr<CudaDriver> D(new CudaDriver());
  static constexpr char Soname[] = "libcuda.so.1";
  D->Library = dlopen(Soname, RTLD_NOW | RTLD_LOCAL);
  if (!D->Library)
    return fail("calibration needs an NVIDIA GPU and its driver, and "
                "libcuda.so.1 cannot be loaded here; run this on the machine "
                "with the GPU (--emit DIR writes the benchmarks without one)");
  Functions &F = *D->F;
  const char *Missing = nullptr;
#define HEDDLE_LOOK_UP(NAME)                                                   \
  F.NAME = reinterpret_cast<decltype(F.NAME)>(dlsym(D->Library, #NAME));       \
  if (!F.NAME)                                                                 \
    Missing = #NAME;
  HEDDLE_LOOK_UP(cuInit)
  HEDDLE_LOOK_UP(cuDriverGetVersion)
  HEDDLE_LOOK_UP(cuDeviceGetCount)
  HEDDLE_LOOK_UP(cuDeviceGet)
  HEDDLE_LOOK_UP(cuDeviceGetName)
  HEDDLE_LOOK_UP(cuDeviceGetAttribute)
  HEDDLE_LOOK_UP(cuDevicePrimaryCtxRetain)
  HEDDLE_LOOK_UP(cuDevicePrimaryCtxRelease_v2)
  HEDDLE_LOOK_UP(cuCtxSetCurrent)
  HEDDLE_LOOK_UP(cuModuleLoadData)
  HEDDLE_LOOK_UP(cuModuleUnload)
  HEDDLE_LOOK_UP(cuModuleGetFunction)
  HEDDLE_LOOK_UP(cuModuleGetGlobal_v2)
  HEDDLE_LOOK_UP(cuMemAlloc_v2)
  HEDDLE_LOOK_UP(cuMemFree_v2)
  HEDDLE_LOOK_UP(cuMemcpyHtoD_v2)
  HEDDLE_LOOK_UP(cuMemcpyDtoH_v2)
  HEDDLE_LOOK_UP(cuEventCreate)
  HEDDLE_LOOK_UP(cuEventDestroy_v2)
  HEDDLE_LOOK_UP(cuEventRecord)
  HEDDLE_LOOK_UP(cuEventSynchronize)
  HEDDLE_LOOK_UP(cuEventElapsedTime)
  HEDDLE_LOOK_UP(cuLaunchKernel)
  HEDDLE_LOOK_UP(cuGetErrorName)
#undef HEDDLE_LOOK_UP
  if (Missing)
    return fail(std::string("the NVIDIA driver's libcuda.so.1 has no ") +
                Missing + "; install a newer driver");
  auto Ok = D->check(F.cuInit(0), "cuInit");
  int Count = 0;
  if (Ok)
    Ok = D->check(F.cuDeviceGetCount(&Count), "cuDeviceGetCount");
  if (!Ok)
    return std::unexpected(Ok.error());
  if (Ordinal >= Count)
    return fail("there is no GPU number " + std::to_string(Ordinal) +
                ": the driver sees " + std::to_string(Count));
  char Text[256] = {};
  Handle Context = nullptr;
  Ok = D->check(F.cuDeviceGet(&D->Device, Ordinal), "cuDeviceGet");
  if (Ok)
    Ok = D->check(F.cuDeviceGetName(Text, sizeof(Text) - 1, D->Device),
                  "cuDeviceGetName");
  if (Ok)
    Ok = D->check(F.cuDriverGetVersion(&D->Version), "cuDriverGetVersion");
  if (Ok)
    Ok = D->check(F.cuDevicePrimaryCtxRetain(&Context, D->Device),
                  "cuDevicePrimaryCtxRetain");
  D->HasContext = Ok.has_value();
  if (Ok)
    Ok = D->check(F.cuCtxSetCurrent(Context), "cuCtxSetCurrent");
  if (Ok)
    Ok = D->check(F.cuEventCreate(&D->Start, 0), "cuEventCreate");
  if (Ok)
    Ok = D->check(F.cuEventCreate(&D->Stop, 0), "cuEventCreate");
  if (!Ok)
    return std::unexpected(Ok.error());
  D->Name = Text;
  return D;
}

CudaDriver::~CudaDriver() {
  if (HasContext) {
    for (uint64_t Address : F->Allocations)
      F->cuMemFree_v2(Address);
    if (Start)
      F->cuEventDestroy_v2(Start);
    if (Stop)
      F->cuEventDestroy_v2(Stop);
    if (Module)
      F->cuModuleUnload(Module);
    F->cuDevicePrimaryCtxRelease_v2(Device);
  }
  if (Library)
    dlclose(Library);
}

Result<int> CudaDriver::attribute(DeviceAttribute A) const {
  int Value = 0;
  if (auto Ok = check(F->cuDeviceGetAttribute(&Value, int(A), Device),
                      "cuDeviceGetAttribute");
      !Ok)
    return std::unexpected(Ok.error());
  return Value;
}

Result<void> CudaDriver::load(const std::string &PTX) {
  return check(F->cuModuleLoadData(&Module, PTX.c_str()), "cuModuleLoadData");
}

Result<CudaDriver::Kernel> CudaDriver::kernel(const std::string &Entry) const {
  Handle K = nullptr;
  if (auto Ok = check(F->cuModuleGetFunction(&K, Module, Entry.c_str()),
                      "cuModuleGetFunction");
      !Ok)
    return std::unexpected(Ok.error());
  return K;
}

Result<uint64_t> CudaDriver::variable(const std::string &Symbol) const {
  uint64_t Address = 0;
  size_t Bytes = 0;
  if (auto Ok = check(
          F->cuModuleGetGlobal_v2(&Address, &Bytes, Module, Symbol.c_str()),
          "cuModuleGetGlobal");
      !Ok)
    return std::unexpected(Ok.error());
  return Address;
}

Result<uint64_t> CudaDriver::allocate(uint64_t Bytes) {
  uint64_t Address = 0;
  if (auto Ok = check(F->cuMemAlloc_v2(&Address, Bytes), "cuMemAlloc"); !Ok)
    return std::unexpected(Ok.error());
  F->Allocations.push_back(Address);
  return Address;
}

Result<void> CudaDriver::copyIn(uint64_t To, const void *From,
                                uint64_t Bytes) const {
  return check(F->cuMemcpyHtoD_v2(To, From, Bytes), "cuMemcpyHtoD");
}

Result<void> CudaDriver::copyOut(void *To, uint64_t From,
                                 uint64_t Bytes) const {
  return check(F->cuMemcpyDtoH_v2(To, From, Bytes), "cuMemcpyDtoH");
}

Result<double> CudaDriver::launch(Kernel K, unsigned Blocks, unsigned Threads,
                                  void **Arguments) const {
  float Milliseconds = 0;
  auto Ok = check(F->cuEventRecord(Start, nullptr), "cuEventRecord");
  if (Ok)
    Ok = check(F->cuLaunchKernel(K, Blocks, 1, 1, Threads, 1, 1, 0, nullptr,
                                 Arguments, nullptr),
               "cuLaunchKernel");
  if (Ok)
    Ok = check(F->cuEventRecord(Stop, nullptr), "cuEventRecord");
  if (Ok)
    Ok = check(F->cuEventSynchronize(Stop), "cuEventSynchronize");
  if (Ok)
    Ok = check(F->cuEventElapsedTime(&Milliseconds, Start, Stop),
               "cuEventElapsedTime");
  if (!Ok)
    return std::unexpected(Ok.error());
  return double(Milliseconds);
}

} // namespace heddle::calibration
