//===- Buffers.cpp - Buffers and what is written to them ------------------===//

#include "Recorder.h"

#include <cstring>
#include <type_traits>

namespace heddle::layer {

using record::Encoder;
using record::RecordKind;

Region linear(uint64_t Offset, uint64_t Size) {
  Region At;
  At.Offset = Offset;
  At.RowBytes = Size;
  return At;
}

std::vector<uint8_t> pack(const void *Host, const Region &At) {
  std::vector<uint8_t> Bytes(At.sizeBytes());
  At.forEachRow([&](uint64_t From, uint64_t To) {
    std::memcpy(Bytes.data() + To, static_cast<const uint8_t *>(Host) + From,
                At.RowBytes);
  });
  return Bytes;
}

static Encoder &encode(Encoder &E, const Region &At) {
  return E.number(At.Offset)
      .number(At.RowBytes)
      .number(At.Rows)
      .number(At.RowPitch)
      .number(At.Slices)
      .number(At.SlicePitch);
}

static Region inside(const Place &P, Region At) {
  At.Offset += P.Offset;
  return At;
}

std::optional<Place> Recorder::place(cl_mem M) const {
  auto It = Places.find(M);
  return It == Places.end() ? std::nullopt : std::optional(It->second);
}

void Recorder::buffer(cl_mem M, cl_mem_flags Flags, size_t Size,
                      const void *Host) {
  uint64_t Number;
  {
    std::lock_guard Guard(Lock);
    Number = NextBuffer++;
    Places[M] = {Number, 0, Size};
    Foreign.erase(M); // of an image that is no more
    Buffers[Number].SizeBytes = Size;
    if (Host && (Flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR))) {
      add(Number, {linear(0, Size), pack(Host, linear(0, Size))});
      Order.copiedByHost(Size);
    }
  }
  device().clSetMemObjectDestructorCallback(
      M,
      [](cl_mem, void *Buffer) {
        if (Recorder *R = get())
          R->dropped(reinterpret_cast<uintptr_t>(Buffer));
      },
      reinterpret_cast<void *>(uintptr_t(Number)));
}

void Recorder::foreign(const void *Handle, const char *What) {
  std::lock_guard Guard(Lock);
  Foreign[Handle] = What;
}

void Recorder::part(cl_mem M, cl_mem Whole, size_t Offset, size_t Size) {
  std::lock_guard Guard(Lock);
  if (std::optional<Place> P = place(Whole))
    Places[M] = {P->Buffer, P->Offset + Offset, Size};
}

void Recorder::dropped(uint64_t Number) {
  std::lock_guard Guard(Lock);
  auto It = Buffers.find(Number);
  if (It == Buffers.end())
    return;
  if (It->second.Declared)
    Log->append(RecordKind::Drop, Encoder().number(Number));
  Buffers.erase(It);
  std::erase_if(Places,
                [&](const auto &P) { return P.second.Buffer == Number; });
}

/// Only what launches read is in the log: other buffers are not even named.
void Recorder::declare(uint64_t Number) {
  Buffer &B = Buffers[Number];
  if (B.Declared)
    return;
  B.Declared = true;
  Log->append(RecordKind::Buffer, Encoder().number(Number).number(B.SizeBytes));
}

void Recorder::add(uint64_t Number, Pending P) {
  Buffer &B = Buffers[Number];
  const uint64_t Begin = P.At ? P.At->Offset : P.Offset,
                 Size = P.At ? P.At->sizeBytes() : P.SizeBytes;
  if (Begin == 0 && Size == B.SizeBytes)
    B.Waiting.clear(); // what is overwritten is never read
  B.Waiting.push_back(std::move(P));
}

void Recorder::flush(uint64_t Number) {
  declare(Number);
  for (Pending &P : Buffers[Number].Waiting) {
    Encoder E;
    E.number(Number);
    if (P.At)
      Log->append(RecordKind::Write, std::move(encode(E, *P.At)),
                  std::move(P.Bytes));
    else
      Log->append(
          RecordKind::Fill,
          std::move(E.number(P.Offset).number(P.SizeBytes).bytes(P.Bytes)));
  }
  Buffers[Number].Waiting.clear();
}

void Recorder::written(cl_mem M, const Region &At, const void *Host,
                       const Region &HostAt) {
  if (At.sizeBytes() == 0)
    return;
  std::lock_guard Guard(Lock);
  if (std::optional<Place> P = place(M))
    add(P->Buffer, {inside(*P, At), pack(Host, HostAt)});
}

void Recorder::filled(cl_mem M, const void *Pattern, size_t PatternSize,
                      size_t Offset, size_t Size) {
  std::lock_guard Guard(Lock);
  std::optional<Place> P = place(M);
  if (!P || Size == 0)
    return;
  const auto *Bytes = static_cast<const uint8_t *>(Pattern);
  add(P->Buffer,
      {std::nullopt, {Bytes, Bytes + PatternSize}, P->Offset + Offset, Size});
}

void Recorder::copied(cl_mem From, const Region &FromAt, cl_mem To,
                      const Region &ToAt) {
  std::lock_guard Guard(Lock);
  std::optional<Place> A = place(From), B = place(To);
  if (!A || !B || FromAt.sizeBytes() == 0)
    return;
  flush(A->Buffer);
  flush(B->Buffer);
  // What the host wrote is now in both; the copy may hold results, too.
  Buffers[B->Buffer].Launched |= Buffers[A->Buffer].Launched;
  Encoder E;
  encode(E.number(A->Buffer), inside(*A, FromAt)).number(B->Buffer);
  encode(E, inside(*B, ToAt));
  Log->append(RecordKind::Copy, std::move(E));
}

void Recorder::fetch(cl_command_queue Q, cl_mem M, size_t Offset, size_t Size) {
  std::vector<uint8_t> Bytes(Size);
  if (device().clFinish(Q) != CL_SUCCESS ||
      device().clEnqueueReadBuffer(Q, M, CL_TRUE, Offset, Size, Bytes.data(), 0,
                                   nullptr, nullptr) != CL_SUCCESS)
    return;
  std::lock_guard Guard(Lock);
  if (std::optional<Place> P = place(M))
    add(P->Buffer, {linear(P->Offset + Offset, Size), std::move(Bytes)});
}

void Recorder::reads(cl_mem M, const Region &At, const void *Host,
                     const Region &HostAt, cl_event Done) {
  std::lock_guard Guard(Lock);
  std::optional<Place> P = place(M);
  // Only what launches wrote can differ.
  if (!P || !Buffers[P->Buffer].Launched || At.sizeBytes() == 0)
    return;
  flush(P->Buffer);
  const uint64_t Number = NextRead++;
  Encoder E;
  encode(E.number(Number).number(P->Buffer), inside(*P, At));
  Log->append(RecordKind::Read, std::move(E));
  if (!Done) {
    Log->append(RecordKind::ReadData, Encoder().number(Number),
                pack(Host, HostAt));
    return;
  }
  device().clRetainEvent(Done);
  Reads.push_back({Number, static_cast<const uint8_t *>(Host), HostAt, Done});
}

void Recorder::collect() {
  std::lock_guard Guard(Lock);
  std::erase_if(Reads, [&](const PendingRead &R) {
    cl_int Status = CL_QUEUED;
    device().clGetEventInfo(R.Done, CL_EVENT_COMMAND_EXECUTION_STATUS,
                            sizeof(Status), &Status, nullptr);
    if (Status > CL_COMPLETE)
      return false;
    if (Status == CL_COMPLETE)
      Log->append(RecordKind::ReadData, Encoder().number(R.Number),
                  pack(R.Host, R.HostAt));
    device().clReleaseEvent(R.Done);
    return true;
  });
}

void Recorder::forget(cl_event E) {
  std::lock_guard Guard(Lock);
  std::erase_if(Reads, [&](const PendingRead &R) {
    if (R.Done != E)
      return false;
    device().clReleaseEvent(E);
    return true;
  });
}

void Recorder::mapped(cl_mem M, void *Host, size_t Offset, size_t Size,
                      cl_map_flags Flags, cl_event Done) {
  if (Flags & CL_MAP_READ)
    reads(M, linear(Offset, Size), Host, linear(0, Size), Done);
  std::lock_guard Guard(Lock);
  if (std::optional<Place> P = place(M))
    Mappings[Host].push_back(
        {{P->Buffer, P->Offset + Offset, Size},
         bool(Flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION))});
}

uint64_t Recorder::unmapped(void *Host) {
  std::lock_guard Guard(Lock);
  auto It = Mappings.find(Host);
  if (It == Mappings.end())
    return 0;
  const Mapping Last = It->second.back();
  It->second.pop_back();
  if (It->second.empty())
    Mappings.erase(It);
  if (Last.Writes && Buffers.contains(Last.At.Buffer))
    add(Last.At.Buffer, {linear(Last.At.Offset, Last.At.SizeBytes),
                         pack(Host, linear(0, Last.At.SizeBytes))});
  return Last.Writes ? Last.At.SizeBytes : 0;
}

// The functions of OpenCL.

static cl_mem createBuffer(cl_context Context, cl_mem_flags Flags, size_t Size,
                           void *Host, cl_int *Status) {
  Recorder *R = enter(Call_clCreateBuffer);
  cl_mem M = device().clCreateBuffer(Context, Flags, Size, Host, Status);
  if (R && M)
    R->buffer(M, Flags, Size, Host);
  return M;
}

static cl_mem createBufferWithProperties(cl_context Context,
                                         const cl_mem_properties *Properties,
                                         cl_mem_flags Flags, size_t Size,
                                         void *Host, cl_int *Status) {
  Recorder *R = enter(Call_clCreateBufferWithProperties);
  cl_mem M = device().clCreateBufferWithProperties(Context, Properties, Flags,
                                                   Size, Host, Status);
  if (R && M)
    R->buffer(M, Flags, Size, Host);
  return M;
}

static cl_mem createSubBuffer(cl_mem Whole, cl_mem_flags Flags,
                              cl_buffer_create_type Type, const void *Info,
                              cl_int *Status) {
  Recorder *R = enter(Call_clCreateSubBuffer);
  cl_mem M = device().clCreateSubBuffer(Whole, Flags, Type, Info, Status);
  const auto *Part = static_cast<const cl_buffer_region *>(Info);
  if (R && M && Type == CL_BUFFER_CREATE_TYPE_REGION)
    R->part(M, Whole, Part->origin, Part->size);
  return M;
}

/// What the recording lacks is named, and otherwise left to the device.
template <Call Index, auto Member, typename Function> struct Named;
template <Call Index, auto Member, typename Result, typename... Args>
struct Named<Index, Member, Result (*)(Args...)> {
  static const char *What, *Object;
  static Result call(Args... A) {
    Recorder *R = enter(Index);
    if (R)
      R->unsupported(What);
    if constexpr (std::is_same_v<Result, cl_mem> ||
                  std::is_same_v<Result, cl_sampler>) {
      Result Made = (device().*Member)(A...);
      if (R && Made)
        R->foreign(Made, Object);
      return Made;
    } else {
      return (device().*Member)(A...);
    }
  }
};
template <Call Index, auto Member, typename Result, typename... Args>
const char *Named<Index, Member, Result (*)(Args...)>::What = nullptr;
template <Call Index, auto Member, typename Result, typename... Args>
const char *Named<Index, Member, Result (*)(Args...)>::Object = nullptr;

void wrapBuffers(cl_icd_dispatch &Table) {
  Table.clCreateBuffer = createBuffer;
  if (Table.clCreateBufferWithProperties)
    Table.clCreateBufferWithProperties = createBufferWithProperties;
  Table.clCreateSubBuffer = createSubBuffer;
#define NAMED(Function, Text, Kind)                                            \
  if (Table.Function) {                                                        \
    using Wrapper = Named<Call_##Function, &cl_icd_dispatch::Function,         \
                          decltype(cl_icd_dispatch::Function)>;                \
    Wrapper::What = Text;                                                      \
    Wrapper::Object = Kind;                                                    \
    Table.Function = Wrapper::call;                                            \
  }
  NAMED(clCreatePipe, "clCreatePipe: pipes", "a pipe")
  NAMED(clSVMAlloc, "clSVMAlloc: shared virtual memory", nullptr)
  NAMED(clCreateImage, "clCreateImage: images", "an image")
  NAMED(clCreateImage2D, "clCreateImage2D: images", "an image")
  NAMED(clCreateImage3D, "clCreateImage3D: images", "an image")
  NAMED(clCreateImageWithProperties, "clCreateImageWithProperties: images",
        "an image")
  NAMED(clCreateSampler, "clCreateSampler: samplers", "a sampler")
  NAMED(clCreateSamplerWithProperties,
        "clCreateSamplerWithProperties: samplers", "a sampler")
  NAMED(clEnqueueNativeKernel, "clEnqueueNativeKernel: functions of the host",
        nullptr)
  NAMED(clSetDefaultDeviceCommandQueue,
        "clSetDefaultDeviceCommandQueue: kernels that enqueue kernels", nullptr)
#undef NAMED
}

} // namespace heddle::layer
