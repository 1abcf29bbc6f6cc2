//===- Kernels.cpp - Programs, kernels, arguments, launches ---------------===//

#include "Recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace heddle::layer {

using record::Encoder;
using record::RecordKind;

static std::string textOf(size_t Size, auto Query) {
  std::string Text(Size, '\0');
  if (Size == 0 || Query(Text.data()) != CL_SUCCESS)
    return {};
  return Text.c_str();
}

static std::string argumentType(cl_kernel K, cl_uint Index) {
  size_t Size = 0;
  device().clGetKernelArgInfo(K, Index, CL_KERNEL_ARG_TYPE_NAME, 0, nullptr,
                              &Size);
  return textOf(Size, [&](char *To) {
    return device().clGetKernelArgInfo(K, Index, CL_KERNEL_ARG_TYPE_NAME, Size,
                                       To, nullptr);
  });
}

/// Asks the device what the arguments are: a pointer-sized number could
/// otherwise pass for a buffer.
void Recorder::describeArguments(cl_kernel Handle, Kernel &K) {
  cl_uint Count = 0;
  device().clGetKernelInfo(Handle, CL_KERNEL_NUM_ARGS, sizeof(Count), &Count,
                           nullptr);
  K.Arguments.resize(Count);
  for (cl_uint I = 0; I < Count; ++I) {
    cl_kernel_arg_address_qualifier Space;
    if (!device().clGetKernelArgInfo ||
        device().clGetKernelArgInfo(Handle, I, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
                                    sizeof(Space), &Space,
                                    nullptr) != CL_SUCCESS)
      continue;
    KernelArgument &A = K.Arguments[I];
    const std::string Type = argumentType(Handle, I);
    // Images and pipes alone have an access qualifier.
    cl_kernel_arg_access_qualifier Access = CL_KERNEL_ARG_ACCESS_NONE;
    device().clGetKernelArgInfo(Handle, I, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                sizeof(Access), &Access, nullptr);
    const char *Lacking =
        Access != CL_KERNEL_ARG_ACCESS_NONE || Type.starts_with("image")
            ? Type.find("pipe") != Type.npos ? "a pipe" : "an image"
        : Type == "sampler_t" ? "a sampler"
        : Type == "queue_t"   ? "a device queue"
                              : nullptr;
    if (Lacking) {
      A.Declared = KernelArgument::Refused;
      A.Reason = Lacking;
    } else if (Space == CL_KERNEL_ARG_ADDRESS_PRIVATE) {
      A.Declared = KernelArgument::Bytes;
    } else if (Space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
      A.Declared = KernelArgument::Local;
    } else {
      A.Declared = KernelArgument::Memory;
    }
  }
}

void Recorder::kernel(cl_kernel Handle, cl_program P) {
  Kernel K;
  size_t Size = 0;
  device().clGetKernelInfo(Handle, CL_KERNEL_FUNCTION_NAME, 0, nullptr, &Size);
  K.Name = textOf(Size, [&](char *To) {
    return device().clGetKernelInfo(Handle, CL_KERNEL_FUNCTION_NAME, Size, To,
                                    nullptr);
  });
  describeArguments(Handle, K);
  std::lock_guard Guard(Lock);
  auto It = Programs.find(P);
  if (It == Programs.end() || !It->second.Number) {
    K.Refused = It == Programs.end() || It->second.Refused.empty()
                    ? "its program was not built from source"
                    : It->second.Refused;
  } else {
    K.Number = NextKernel++;
    Log->append(
        RecordKind::Kernel,
        Encoder().number(K.Number).number(*It->second.Number).text(K.Name));
  }
  Kernels[Handle] = std::move(K);
}

void Recorder::cloned(cl_kernel From, cl_kernel To) {
  std::lock_guard Guard(Lock);
  if (auto It = Kernels.find(From); It != Kernels.end()) {
    Kernel Copy = It->second;
    Kernels[To] = std::move(Copy);
  }
}

void Recorder::setArgument(cl_kernel K, cl_uint Index, size_t Size,
                           const void *Value) {
  std::lock_guard Guard(Lock);
  auto It = Kernels.find(K);
  if (It == Kernels.end() || Index >= It->second.Arguments.size())
    return;
  KernelArgument &A = It->second.Arguments[Index];
  cl_mem M = nullptr;
  if (Value && Size == sizeof(M))
    std::memcpy(&M, Value, sizeof(M));
  if (A.Declared)
    A.What = *A.Declared;
  else
    A.What = !Value                 ? KernelArgument::Local
             : M && Places.count(M) ? KernelArgument::Memory
                                    : KernelArgument::Bytes;
  // Devices that do not describe arguments: by the handle.
  if (auto Known = Foreign.find(M); M && !A.Declared &&
                                    A.What == KernelArgument::Bytes &&
                                    Known != Foreign.end()) {
    A.What = KernelArgument::Refused;
    A.Reason = Known->second;
  }
  switch (A.What) {
  case KernelArgument::Bytes:
    A.Value.assign(static_cast<const uint8_t *>(Value),
                   static_cast<const uint8_t *>(Value) + Size);
    break;
  case KernelArgument::Memory:
    A.At = M ? place(M) : std::nullopt;
    if (M && !A.At) {
      A.What = KernelArgument::Refused;
      A.Reason = "memory that is not a buffer";
    }
    A.Value.assign(reinterpret_cast<uint8_t *>(&M),
                   reinterpret_cast<uint8_t *>(&M) + sizeof(M));
    break;
  case KernelArgument::Local:
    A.LocalBytes = Size;
    break;
  case KernelArgument::Refused:
    break;
  }
}

void Recorder::refuseArgument(cl_kernel K, cl_uint Index,
                              const std::string &Reason) {
  std::lock_guard Guard(Lock);
  auto It = Kernels.find(K);
  if (It == Kernels.end() || Index >= It->second.Arguments.size())
    return;
  It->second.Arguments[Index].What = KernelArgument::Refused;
  It->second.Arguments[Index].Reason = Reason;
}

/// Along each dimension the largest divisor of the global size that keeps the
/// work-group at 256 items or less, from x on: about what GPU drivers choose.
std::array<size_t, 3> Recorder::localSize(cl_command_queue Q, cl_kernel K,
                                          cl_uint Dimensions,
                                          const size_t *Global) {
  cl_device_id ID = nullptr;
  std::array<size_t, 3> Size = {0, 0, 0};
  device().clGetCommandQueueInfo(Q, CL_QUEUE_DEVICE, sizeof(ID), &ID, nullptr);
  device().clGetKernelWorkGroupInfo(K, ID, CL_KERNEL_COMPILE_WORK_GROUP_SIZE,
                                    sizeof(Size), Size.data(), nullptr);
  if (Size[0])
    return Size;
  size_t Left = 256;
  Size = {1, 1, 1};
  for (cl_uint D = 0; D < Dimensions && D < 3; ++D) {
    Size[D] = std::clamp<size_t>(Global[D], 1, Left);
    while (Global[D] % Size[D])
      --Size[D];
    Left /= Size[D];
  }
  return Size;
}

/// Why the launch cannot be replayed; empty if it can.
std::string Recorder::whyNot(const Kernel &K, cl_uint Dimensions,
                             const size_t *Global, const size_t *Local) const {
  if (!K.Refused.empty())
    return K.Refused;
  for (size_t I = 0; I < K.Arguments.size(); ++I)
    if (K.Arguments[I].What == KernelArgument::Refused ||
        K.Arguments[I].Declared == KernelArgument::Refused)
      return fmt::format("its argument {} is {}", I + 1, K.Arguments[I].Reason);
  size_t Items = 1;
  for (cl_uint D = 0; D < Dimensions; ++D) {
    if (Local[D] == 0 || Global[D] % Local[D])
      return fmt::format(
          "{} work-items are not a whole number of work-groups of "
          "{}",
          Global[D], Local[D]);
    Items *= Local[D];
  }
  return Items > 1024 ? fmt::format("a work-group of {} work-items, more than "
                                    "any GPU takes",
                                    Items)
                      : std::string();
}

void Recorder::appendLaunch(const Enqueued &How, const Kernel &K,
                            cl_uint Dimensions, const size_t *Offset,
                            const size_t *Global, const size_t *Local) {
  // The writes that it reads come before it.
  for (const KernelArgument &A : K.Arguments)
    if (A.What == KernelArgument::Memory && A.At) {
      flush(A.At->Buffer);
      Buffers[A.At->Buffer].Launched = true;
    }
  Encoder E;
  E.number(K.Number);
  for (cl_uint D = 0; D < 3; ++D)
    E.number(D < Dimensions ? Global[D] / Local[D] : 1);
  for (cl_uint D = 0; D < 3; ++D)
    E.number(D < Dimensions ? Local[D] : 1);
  for (cl_uint D = 0; D < 3; ++D)
    E.number(D < Dimensions && Offset ? Offset[D] : 0);
  E.number(K.Arguments.size());
  using record::ArgumentKind;
  for (const KernelArgument &A : K.Arguments) {
    if (A.What == KernelArgument::Local)
      E.number(uint64_t(ArgumentKind::Local)).number(A.LocalBytes);
    else if (A.What == KernelArgument::Bytes)
      E.number(uint64_t(ArgumentKind::Bytes)).bytes(A.Value);
    else if (A.At)
      E.number(uint64_t(ArgumentKind::Buffer))
          .number(A.At->Buffer)
          .number(A.At->Offset);
    else
      E.number(uint64_t(ArgumentKind::Null));
  }
  addOperation(How, launch::OperationKind::Launch, 0);
  Log->append(RecordKind::Launch, std::move(E));
  // So that a killed program leaves a call mix, too.
  constexpr uint64_t LaunchesPerCount = 64;
  if (++Launches % LaunchesPerCount == 0)
    writeCalls();
}

void Recorder::launched(const Enqueued &How, cl_kernel Handle,
                        cl_uint Dimensions, const size_t *Offset,
                        const size_t *Global, const size_t *Local) {
  for (cl_uint D = 0; D < Dimensions; ++D)
    if (Global[D] == 0)
      return; // does nothing
  Kernel K;
  std::string Reason;
  {
    std::lock_guard Guard(Lock);
    auto It = Kernels.find(Handle);
    if (It == Kernels.end())
      return;
    Reason = whyNot(It->second, Dimensions, Global, Local);
    if (Reason.empty())
      return appendLaunch(How, It->second, Dimensions, Offset, Global, Local);
    K = It->second;
  }
  unsupported(fmt::format("launch of kernel '{}': {}", K.Name, Reason));
  fetchAfter(How.Queue, K);
}

/// What a launch that cannot be replayed may have written is recorded as if
/// the host had, so that all that follows is exact.
void Recorder::fetchAfter(cl_command_queue Q, const Kernel &K) {
  for (const KernelArgument &A : K.Arguments) {
    if (A.What != KernelArgument::Memory || !A.At)
      continue;
    cl_mem M;
    std::memcpy(&M, A.Value.data(), sizeof(M));
    fetch(Q, M, 0, A.At->SizeBytes);
  }
}

// The functions of OpenCL.

static cl_program createProgramWithSource(cl_context Context, cl_uint Count,
                                          const char **Strings,
                                          const size_t *Lengths,
                                          cl_int *Status) {
  Recorder *R = enter(Call_clCreateProgramWithSource);
  cl_program P = device().clCreateProgramWithSource(Context, Count, Strings,
                                                    Lengths, Status);
  if (!R || !P)
    return P;
  std::string Text;
  for (cl_uint I = 0; I < Count; ++I)
    Text += Lengths && Lengths[I] ? std::string(Strings[I], Lengths[I])
                                  : std::string(Strings[I]);
  R->source(P, std::move(Text));
  return P;
}

static cl_int buildProgram(cl_program P, cl_uint NumDevices,
                           const cl_device_id *Devices, const char *Options,
                           void (*Notify)(cl_program, void *), void *Data) {
  Recorder *R = enter(Call_clBuildProgram);
  const cl_int Status =
      device().clBuildProgram(P, NumDevices, Devices, Options, Notify, Data);
  if (R && Status == CL_SUCCESS)
    R->built(P, Options);
  return Status;
}

static void refuse(Recorder *R, cl_program P, const char *Reason) {
  if (R && P)
    R->refuseProgram(P, Reason);
}

static cl_program createProgramWithBinary(cl_context Context, cl_uint Count,
                                          const cl_device_id *Devices,
                                          const size_t *Lengths,
                                          const unsigned char **Binaries,
                                          cl_int *Each, cl_int *Status) {
  Recorder *R = enter(Call_clCreateProgramWithBinary);
  cl_program P = device().clCreateProgramWithBinary(
      Context, Count, Devices, Lengths, Binaries, Each, Status);
  refuse(R, P, "clCreateProgramWithBinary: programs without source");
  return P;
}

static cl_program createProgramWithIL(cl_context Context, const void *IL,
                                      size_t Size, cl_int *Status) {
  Recorder *R = enter(Call_clCreateProgramWithIL);
  cl_program P = device().clCreateProgramWithIL(Context, IL, Size, Status);
  refuse(R, P, "clCreateProgramWithIL: programs without source");
  return P;
}

static cl_program createProgramWithBuiltInKernels(cl_context Context,
                                                  cl_uint Count,
                                                  const cl_device_id *Devices,
                                                  const char *Names,
                                                  cl_int *Status) {
  Recorder *R = enter(Call_clCreateProgramWithBuiltInKernels);
  cl_program P = device().clCreateProgramWithBuiltInKernels(
      Context, Count, Devices, Names, Status);
  refuse(R, P, "clCreateProgramWithBuiltInKernels: programs without source");
  return P;
}

static cl_program linkProgram(cl_context Context, cl_uint NumDevices,
                              const cl_device_id *Devices, const char *Options,
                              cl_uint Count, const cl_program *Inputs,
                              void (*Notify)(cl_program, void *), void *Data,
                              cl_int *Status) {
  Recorder *R = enter(Call_clLinkProgram);
  cl_program P = device().clLinkProgram(Context, NumDevices, Devices, Options,
                                        Count, Inputs, Notify, Data, Status);
  refuse(R, P, "clLinkProgram: programs that are linked of several");
  return P;
}

static cl_kernel createKernel(cl_program P, const char *Name, cl_int *Status) {
  Recorder *R = enter(Call_clCreateKernel);
  cl_kernel K = device().clCreateKernel(P, Name, Status);
  if (R && K)
    R->kernel(K, P);
  return K;
}

static cl_int createKernelsInProgram(cl_program P, cl_uint Count,
                                     cl_kernel *Kernels, cl_uint *CountOut) {
  Recorder *R = enter(Call_clCreateKernelsInProgram);
  cl_uint Made = 0;
  const cl_int Status =
      device().clCreateKernelsInProgram(P, Count, Kernels, &Made);
  if (CountOut)
    *CountOut = Made;
  if (R && Status == CL_SUCCESS && Kernels)
    for (cl_uint I = 0; I < std::min(Made, Count); ++I)
      R->kernel(Kernels[I], P);
  return Status;
}

static cl_kernel cloneKernel(cl_kernel From, cl_int *Status) {
  Recorder *R = enter(Call_clCloneKernel);
  cl_kernel K = device().clCloneKernel(From, Status);
  if (R && K)
    R->cloned(From, K);
  return K;
}

static cl_int setKernelArg(cl_kernel K, cl_uint Index, size_t Size,
                           const void *Value) {
  Recorder *R = enter(Call_clSetKernelArg);
  const cl_int Status = device().clSetKernelArg(K, Index, Size, Value);
  if (R && Status == CL_SUCCESS)
    R->setArgument(K, Index, Size, Value);
  return Status;
}

static cl_int setKernelArgSVMPointer(cl_kernel K, cl_uint Index,
                                     const void *Value) {
  Recorder *R = enter(Call_clSetKernelArgSVMPointer);
  const cl_int Status = device().clSetKernelArgSVMPointer(K, Index, Value);
  if (R && Status == CL_SUCCESS)
    R->refuseArgument(K, Index, "shared virtual memory");
  return Status;
}

static cl_int enqueueNDRangeKernel(cl_command_queue Q, cl_kernel K,
                                   cl_uint Dimensions, const size_t *Offset,
                                   const size_t *Global, const size_t *Local,
                                   cl_uint NumEvents, const cl_event *Events,
                                   cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueNDRangeKernel);
  std::array<size_t, 3> Chosen;
  if (R && !Local && Global && Dimensions >= 1 && Dimensions <= 3) {
    Chosen = R->localSize(Q, K, Dimensions, Global);
    Local = Chosen.data();
  }
  const cl_int Status = device().clEnqueueNDRangeKernel(
      Q, K, Dimensions, Offset, Global, Local, NumEvents, Events, Done);
  if (R && Status == CL_SUCCESS)
    R->launched({Q, NumEvents, Events, Done ? *Done : nullptr}, K, Dimensions,
                Offset, Global, Local);
  return Status;
}

static cl_int enqueueTask(cl_command_queue Q, cl_kernel K, cl_uint NumEvents,
                          const cl_event *Events, cl_event *Done) {
  Recorder *R = enter(Call_clEnqueueTask);
  const cl_int Status = device().clEnqueueTask(Q, K, NumEvents, Events, Done);
  const size_t One = 1;
  if (R && Status == CL_SUCCESS)
    R->launched({Q, NumEvents, Events, Done ? *Done : nullptr}, K, 1, nullptr,
                &One, &One);
  return Status;
}

void wrapKernels(cl_icd_dispatch &Table) {
  Table.clCreateProgramWithSource = createProgramWithSource;
  Table.clBuildProgram = buildProgram;
  Table.clCreateProgramWithBinary = createProgramWithBinary;
  if (Table.clCreateProgramWithIL)
    Table.clCreateProgramWithIL = createProgramWithIL;
  if (Table.clCreateProgramWithBuiltInKernels)
    Table.clCreateProgramWithBuiltInKernels = createProgramWithBuiltInKernels;
  if (Table.clLinkProgram)
    Table.clLinkProgram = linkProgram;
  Table.clCreateKernel = createKernel;
  Table.clCreateKernelsInProgram = createKernelsInProgram;
  if (Table.clCloneKernel)
    Table.clCloneKernel = cloneKernel;
  Table.clSetKernelArg = setKernelArg;
  if (Table.clSetKernelArgSVMPointer)
    Table.clSetKernelArgSVMPointer = setKernelArgSVMPointer;
  Table.clEnqueueNDRangeKernel = enqueueNDRangeKernel;
  Table.clEnqueueTask = enqueueTask;
}

} // namespace heddle::layer
