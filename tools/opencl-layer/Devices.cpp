//===- Devices.cpp - The device as a GPU ----------------------------------===//
//
// Programs that ask for a GPU get the device that is there, with the limits of
// the machine that HEDDLE_GPU names: what such a GPU would run.
//
//===----------------------------------------------------------------------===//

#include "Recorder.h"

#include "arch/SpecReader.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace heddle::layer {

/// The machine whose limits programs see.
static const arch::GPUSpec &machine() {
  static const arch::GPUSpec Spec = [] {
    const char *Name = std::getenv("HEDDLE_GPU");
    auto Loaded = arch::loadMachine(Name && *Name ? Name : "v100");
    if (Loaded)
      return std::move(*Loaded);
    std::fprintf(stderr, "heddle: error: HEDDLE_GPU: %s\n",
                 Loaded.error().Message.c_str());
    std::_Exit(1);
  }();
  return Spec;
}

/// A GPU is asked for, and no other kind of device.
static bool wantsGPU(cl_device_type Type) {
  return (Type & CL_DEVICE_TYPE_GPU) && !(Type & CL_DEVICE_TYPE_CPU);
}

static cl_int getDeviceIDs(cl_platform_id Platform, cl_device_type Type,
                           cl_uint Entries, cl_device_id *Devices,
                           cl_uint *Count) {
  enter(Call_clGetDeviceIDs);
  const cl_int Status =
      device().clGetDeviceIDs(Platform, Type, Entries, Devices, Count);
  if (Status != CL_DEVICE_NOT_FOUND || !wantsGPU(Type))
    return Status;
  return device().clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, Entries, Devices,
                                 Count);
}

static cl_context createContextFromType(
    const cl_context_properties *Properties, cl_device_type Type,
    void (*Notify)(const char *, const void *, size_t, void *), void *Data,
    cl_int *StatusOut) {
  enter(Call_clCreateContextFromType);
  cl_int Status = CL_SUCCESS;
  cl_context Made =
      device().clCreateContextFromType(Properties, Type, Notify, Data, &Status);
  if (!Made && wantsGPU(Type))
    Made = device().clCreateContextFromType(Properties, CL_DEVICE_TYPE_ALL,
                                            Notify, Data, &Status);
  if (StatusOut)
    *StatusOut = Status;
  return Made;
}

/// Answers a query with \p Bytes bytes.
static cl_int answer(const void *From, size_t Bytes, size_t Size, void *Value,
                     size_t *SizeOut) {
  if (Value && Size < Bytes)
    return CL_INVALID_VALUE;
  if (Value)
    std::memcpy(Value, From, Bytes);
  if (SizeOut)
    *SizeOut = Bytes;
  return CL_SUCCESS;
}

static cl_int getDeviceInfo(cl_device_id Device, cl_device_info Name,
                            size_t Size, void *Value, size_t *SizeOut) {
  enter(Call_clGetDeviceInfo);
  auto Answer = [&](auto Number) {
    return answer(&Number, sizeof(Number), Size, Value, SizeOut);
  };
  const arch::GPUSpec &M = machine();
  switch (Name) {
  case CL_DEVICE_TYPE:
    return Answer(cl_device_type(CL_DEVICE_TYPE_GPU));
  case CL_DEVICE_NAME:
    return answer(M.Name.c_str(), M.Name.size() + 1, Size, Value, SizeOut);
  case CL_DEVICE_MAX_COMPUTE_UNITS:
    return Answer(cl_uint(M.SM.Count));
  case CL_DEVICE_MAX_CLOCK_FREQUENCY:
    return Answer(cl_uint(M.Clock.Core));
  case CL_DEVICE_MAX_WORK_GROUP_SIZE:
    return Answer(size_t(M.SM.MaxThreadsPerBlock));
  case CL_DEVICE_MAX_WORK_ITEM_SIZES: {
    const size_t Most[] = {1024, 1024, 64}; // of every NVIDIA GPU since 2010
    return answer(Most, sizeof(Most), Size, Value, SizeOut);
  }
  case CL_DEVICE_LOCAL_MEM_TYPE:
    return Answer(cl_device_local_mem_type(CL_LOCAL));
  case CL_DEVICE_LOCAL_MEM_SIZE: // what OpenCL gives of it
    return Answer(cl_ulong(std::min(M.Shared.MaxPerBlock, 48u * 1024)));
  default:
    return device().clGetDeviceInfo(Device, Name, Size, Value, SizeOut);
  }
}

static cl_int getKernelWorkGroupInfo(cl_kernel K, cl_device_id Device,
                                     cl_kernel_work_group_info Name,
                                     size_t Size, void *Value,
                                     size_t *SizeOut) {
  enter(Call_clGetKernelWorkGroupInfo);
  const cl_int Status =
      device().clGetKernelWorkGroupInfo(K, Device, Name, Size, Value, SizeOut);
  if (Status == CL_SUCCESS && Name == CL_KERNEL_WORK_GROUP_SIZE && Value) {
    size_t Most;
    std::memcpy(&Most, Value, sizeof(Most));
    Most = std::min<size_t>(Most, machine().SM.MaxThreadsPerBlock);
    std::memcpy(Value, &Most, sizeof(Most));
  }
  return Status;
}

void wrapDevices(cl_icd_dispatch &Table) {
  Table.clGetDeviceIDs = getDeviceIDs;
  Table.clGetDeviceInfo = getDeviceInfo;
  Table.clCreateContextFromType = createContextFromType;
  Table.clGetKernelWorkGroupInfo = getKernelWorkGroupInfo;
}

} // namespace heddle::layer
