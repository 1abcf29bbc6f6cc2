//===- Memory.cpp - Memory of the runtime API -----------------------------===//

#include "Graphs.h"

#include <fmt/format.h>

#include <cstring>

using namespace heddle;
using namespace heddle::cuda;

/// Rows of pitched memory begin at multiples of it, as cudaMallocPitch has it
/// on every architecture since 3.0.
static constexpr size_t PitchAlignment = 512;

static size_t pitchOf(size_t Width) {
  return (Width + PitchAlignment - 1) / PitchAlignment * PitchAlignment;
}

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaMalloc(void **To, size_t Bytes) {
  ENTER;
  return Enter(
      Enter.device().allocate(To, Bytes, MemoryKind::Device, Enter.name()));
}
EXPORTED cudaError_t cudaMallocManaged(void **To, size_t Bytes, unsigned) {
  ENTER;
  return Enter(
      Enter.device().allocate(To, Bytes, MemoryKind::Managed, Enter.name()));
}
EXPORTED cudaError_t cudaMallocHost(void **To, size_t Bytes) {
  ENTER;
  return Enter(
      Enter.device().allocate(To, Bytes, MemoryKind::Pinned, Enter.name()));
}
EXPORTED cudaError_t cudaHostAlloc(void **To, size_t Bytes, unsigned Flags) {
  ENTER;
  return Enter(
      Enter.device().allocate(To, Bytes, MemoryKind::Pinned, Enter.name()));
}
EXPORTED cudaError_t cudaMallocPitch(void **To, size_t *Pitch, size_t Width,
                                     size_t Height) {
  ENTER;
  if (!Pitch)
    return Enter(Status::InvalidValue);
  *Pitch = pitchOf(Width);
  return Enter(Enter.device().allocate(To, *Pitch * Height, MemoryKind::Device,
                                       Enter.name()));
}
EXPORTED cudaError_t cudaMalloc3D(cudaPitchedPtr *To, cudaExtent Size) {
  ENTER;
  if (!To)
    return Enter(Status::InvalidValue);
  *To = {nullptr, pitchOf(Size.width), Size.width, Size.height};
  return Enter(Enter.device().allocate(&To->ptr,
                                       To->pitch * Size.height * Size.depth,
                                       MemoryKind::Device, Enter.name()));
}
EXPORTED cudaError_t cudaFree(void *At) {
  ENTER;
  if (auto OfGraph = freeOfGraph(Enter, At))
    return *OfGraph;
  return Enter(Enter.device().release(At, /*OfHost=*/false, Enter.name()));
}
EXPORTED cudaError_t cudaFreeHost(void *At) {
  ENTER;
  return Enter(Enter.device().release(At, /*OfHost=*/true, Enter.name()));
}

// Kernels run in this process, so they reach memory of the host by its own
// address.
EXPORTED cudaError_t cudaHostRegister(void *At, size_t Bytes, unsigned) {
  ENTER;
  return Enter(Enter.device().registerHost(At, Bytes, Enter.name()));
}
EXPORTED cudaError_t cudaHostUnregister(void *At) {
  ENTER;
  return Enter(Enter.device().unregisterHost(At, Enter.name()));
}
EXPORTED cudaError_t cudaHostGetDevicePointer(void **To, void *Host, unsigned) {
  ENTER;
  if (!Enter.device().heap().find(reinterpret_cast<uint64_t>(Host)))
    return Enter.refuse(Status::InvalidValue,
                        "the memory is neither pinned nor registered");
  return Enter.give(To, Host);
}
EXPORTED cudaError_t cudaHostGetFlags(unsigned *To, void *) {
  ENTER;
  return Enter.give(To, cudaHostAllocMapped);
}

EXPORTED cudaError_t cudaMemGetInfo(size_t *Free, size_t *Total) {
  ENTER;
  const DeviceHeap &Heap = Enter.device().heap();
  if (Free)
    *Free = Heap.capacityBytes() - Heap.usedBytes();
  if (Total)
    *Total = Heap.capacityBytes();
  return Enter.done();
}
EXPORTED cudaError_t cudaMemPrefetchAsync(const void *, size_t, int,
                                          cudaStream_t) {
  ENTER;
  return Enter.done();
}
EXPORTED cudaError_t cudaMemAdvise(const void *, size_t, cudaMemoryAdvise,
                                   int) {
  ENTER;
  return Enter.done();
}
/// Managed memory is where the host has it; advice is not kept.
EXPORTED cudaError_t cudaMemRangeGetAttribute(void *To, size_t Bytes,
                                              cudaMemRangeAttribute Which,
                                              const void *At, size_t) {
  ENTER;
  if (!To || !Enter.device().heap().find(reinterpret_cast<uint64_t>(At)))
    return Enter.refuse(
        Status::InvalidValue,
        Enter.device().heap().describe(reinterpret_cast<uint64_t>(At)));
  constexpr int InvalidDevice = -2, ReadMostly = 0;
  const int Value =
      Which == cudaMemRangeAttributeReadMostly ? ReadMostly : InvalidDevice;
  for (size_t I = 0; I + sizeof(int) <= Bytes; I += sizeof(int))
    std::memcpy(static_cast<char *>(To) + I, &Value, sizeof(int));
  return Enter.done();
}
EXPORTED cudaError_t cudaMemRangeGetAttributes(void **To, size_t *Bytes,
                                               cudaMemRangeAttribute *Which,
                                               size_t Count, const void *At,
                                               size_t Size) {
  ENTER;
  if (!To || !Bytes || !Which || !Count)
    return Enter(Status::InvalidValue);
  for (size_t I = 0; I < Count; ++I)
    if (cudaError_t E =
            cudaMemRangeGetAttribute(To[I], Bytes[I], Which[I], At, Size))
      return E;
  return Enter.done();
}
EXPORTED cudaError_t cudaPointerGetAttributes(cudaPointerAttributes *To,
                                              const void *At) {
  ENTER;
  if (!To)
    return Enter(Status::InvalidValue);
  const Allocation *A =
      Enter.device().heap().find(reinterpret_cast<uint64_t>(At));
  *To = {};
  if (!A)
    return Enter.done(); // cudaMemoryTypeUnregistered
  const bool OfDevice =
      A->Kind == MemoryKind::Device || A->Kind == MemoryKind::Variable;
  To->type = OfDevice                         ? cudaMemoryTypeDevice
             : A->Kind == MemoryKind::Managed ? cudaMemoryTypeManaged
                                              : cudaMemoryTypeHost;
  To->memoryType = OfDevice ? cudaMemoryTypeDevice : cudaMemoryTypeHost;
  To->isManaged = A->Kind == MemoryKind::Managed;
  To->devicePointer = const_cast<void *>(At);
  To->hostPointer = OfDevice ? nullptr : const_cast<void *>(At);
  return Enter.done();
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

EXPORTED cudaError_t cudaMemcpy(void *To, const void *From, size_t Bytes,
                                cudaMemcpyKind Kind) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copy(Enter, To, linear(Bytes), From, linear(Bytes), Kind);
}
EXPORTED cudaError_t cudaMemcpyAsync(void *To, const void *From, size_t Bytes,
                                     cudaMemcpyKind Kind, cudaStream_t S) {
  ENTER;
  if (isCapturing(S))
    return capture(Enter, S, flatCopy(To, From, Bytes, Kind));
  IN_STREAM(S);
  return copy(Enter, To, linear(Bytes), From, linear(Bytes), Kind);
}
EXPORTED cudaError_t cudaMemcpyPeer(void *To, int, const void *From, int,
                                    size_t Bytes) {
  ENTER;
  return copy(Enter, To, linear(Bytes), From, linear(Bytes),
              cudaMemcpyDeviceToDevice);
}
EXPORTED cudaError_t cudaMemcpyPeerAsync(void *To, int, const void *From, int,
                                         size_t Bytes, cudaStream_t) {
  ENTER;
  return copy(Enter, To, linear(Bytes), From, linear(Bytes),
              cudaMemcpyDeviceToDevice);
}

cudaError_t heddle::cuda::copyAll(const Call &Enter, void *const *To,
                                  const void *const *From, const size_t *Bytes,
                                  size_t Count,
                                  const cudaMemcpyAttributes *Attributes,
                                  const size_t *First, size_t NumAttributes,
                                  size_t *Failed, cudaStream_t S) {
  if (Failed)
    *Failed = SIZE_MAX;
  if (!To || !From || !Bytes || !Count || !Attributes || !First ||
      !NumAttributes || NumAttributes > Count || First[0] != 0)
    return Enter(Status::InvalidValue);
  if (!S || S == cudaStreamLegacy)
    return Enter.refuse(Status::InvalidValue,
                        "batches are not for the legacy stream");
  for (size_t I = 0; I < Count; ++I)
    if (cudaError_t E =
            cudaMemcpyAsync(To[I], From[I], Bytes[I], cudaMemcpyDefault, S)) {
      if (Failed)
        *Failed = I;
      return E;
    }
  return Enter.done();
}
// Since CUDA 13 no place for the number of what failed is given, under the same
// name.
__attribute__((visibility("default"))) cudaError_t
cudaMemcpyBatchAsync(void *const *, const void *const *, const size_t *, size_t,
                     const cudaMemcpyAttributes *, const size_t *, size_t,
                     uintptr_t, cudaStream_t) asm("cudaMemcpyBatchAsync");
__attribute__((visibility("default"))) cudaError_t cudaMemcpyBatchAsync(
    void *const *To, const void *const *From, const size_t *Bytes, size_t Count,
    const cudaMemcpyAttributes *Attributes, const size_t *First,
    size_t NumAttributes, uintptr_t FailedOrStream, cudaStream_t S) {
  ENTER;
  const bool New = Enter.device().isRelease13();
  return copyAll(Enter, To, From, Bytes, Count, Attributes, First,
                 NumAttributes,
                 New ? nullptr : reinterpret_cast<size_t *>(FailedOrStream),
                 New ? reinterpret_cast<cudaStream_t>(FailedOrStream) : S);
}

static cudaError_t copy2D(const Call &Enter, void *To, size_t ToPitch,
                          const void *From, size_t FromPitch, size_t Width,
                          size_t Height, cudaMemcpyKind Kind) {
  if (Height > 1 && (Width > ToPitch || Width > FromPitch))
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("rows of {} bytes in pitches of {} and {}",
                                    Width, ToPitch, FromPitch));
  return copy(Enter, To, box(Width, Height, 1, ToPitch, 0), From,
              box(Width, Height, 1, FromPitch, 0), Kind);
}
EXPORTED cudaError_t cudaMemcpy2D(void *To, size_t ToPitch, const void *From,
                                  size_t FromPitch, size_t Width, size_t Height,
                                  cudaMemcpyKind Kind) {
  ENTER;
  Enter.device().synchronise(Enter.name());
  return copy2D(Enter, To, ToPitch, From, FromPitch, Width, Height, Kind);
}
EXPORTED cudaError_t cudaMemcpy2DAsync(void *To, size_t ToPitch,
                                       const void *From, size_t FromPitch,
                                       size_t Width, size_t Height,
                                       cudaMemcpyKind Kind, cudaStream_t S) {
  ENTER;
  if (isCapturing(S))
    return capture(
        Enter, S,
        pitchedCopy(To, ToPitch, From, FromPitch, Width, Height, Kind));
  IN_STREAM(S);
  return copy2D(Enter, To, ToPitch, From, FromPitch, Width, Height, Kind);
}

EXPORTED cudaError_t cudaMemset(void *To, int Value, size_t Bytes) {
  ENTER;
  return Enter(
      Enter.device().fill(To, linear(Bytes), {uint8_t(Value)}, Enter.name()));
}
/// The node that fills rows of \p Width bytes.
static cudaMemsetParams fillOf(void *To, size_t Pitch, int Value, size_t Width,
                               size_t Height) {
  return {To, Pitch, uint8_t(Value), 1, Width, Height};
}
EXPORTED cudaError_t cudaMemsetAsync(void *To, int Value, size_t Bytes,
                                     cudaStream_t S) {
  ENTER;
  if (isCapturing(S))
    return capture(Enter, S, fillOf(To, Bytes, Value, Bytes, 1));
  IN_STREAM(S);
  return Enter(
      Enter.device().fill(To, linear(Bytes), {uint8_t(Value)}, Enter.name()));
}
EXPORTED cudaError_t cudaMemset2D(void *To, size_t Pitch, int Value,
                                  size_t Width, size_t Height) {
  ENTER;
  return Enter(Enter.device().fill(To, box(Width, Height, 1, Pitch, 0),
                                   {uint8_t(Value)}, Enter.name()));
}
EXPORTED cudaError_t cudaMemset2DAsync(void *To, size_t Pitch, int Value,
                                       size_t Width, size_t Height,
                                       cudaStream_t S) {
  ENTER;
  if (isCapturing(S))
    return capture(Enter, S, fillOf(To, Pitch, Value, Width, Height));
  IN_STREAM(S);
  return cudaMemset2D(To, Pitch, Value, Width, Height);
}
EXPORTED cudaError_t cudaMemset3D(cudaPitchedPtr To, int Value,
                                  cudaExtent Size) {
  ENTER;
  return Enter(Enter.device().fill(
      To.ptr,
      box(Size.width, Size.height, Size.depth, To.pitch, To.pitch * To.ysize),
      {uint8_t(Value)}, Enter.name()));
}
EXPORTED cudaError_t cudaMemset3DAsync(cudaPitchedPtr To, int Value,
                                       cudaExtent Size, cudaStream_t S) {
  ENTER;
  IN_STREAM(S);
  return cudaMemset3D(To, Value, Size);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Where \p Bytes at \p Offset of the variable lie.
static cudaError_t place(const Call &Enter, const void *Symbol, size_t Offset,
                         size_t Bytes, char *&At) {
  const Allocation *A = nullptr;
  if (Status S = Enter.device().variable(Symbol, Enter.name(), A);
      S != Status::Success)
    return Enter(S);
  if (Offset > A->SizeBytes || Bytes > A->SizeBytes - Offset)
    return Enter.refuse(Status::InvalidValue,
                        fmt::format("{} bytes at {} of a variable of {} bytes",
                                    Bytes, Offset, A->SizeBytes));
  At = reinterpret_cast<char *>(A->where()) + Offset;
  return cudaSuccess;
}

EXPORTED cudaError_t cudaMemcpyToSymbol(const void *Symbol, const void *From,
                                        size_t Bytes, size_t Offset,
                                        cudaMemcpyKind Kind) {
  ENTER;
  char *At = nullptr;
  if (cudaError_t E = place(Enter, Symbol, Offset, Bytes, At))
    return E;
  return copy(Enter, At, linear(Bytes), From, linear(Bytes), Kind);
}
EXPORTED cudaError_t cudaMemcpyToSymbolAsync(const void *Symbol,
                                             const void *From, size_t Bytes,
                                             size_t Offset, cudaMemcpyKind Kind,
                                             cudaStream_t S) {
  ENTER;
  char *At = nullptr;
  if (cudaError_t E = place(Enter, Symbol, Offset, Bytes, At))
    return E;
  return cudaMemcpyAsync(At, From, Bytes, Kind, S);
}
EXPORTED cudaError_t cudaMemcpyFromSymbol(void *To, const void *Symbol,
                                          size_t Bytes, size_t Offset,
                                          cudaMemcpyKind Kind) {
  ENTER;
  char *At = nullptr;
  if (cudaError_t E = place(Enter, Symbol, Offset, Bytes, At))
    return E;
  return copy(Enter, To, linear(Bytes), At, linear(Bytes), Kind);
}
EXPORTED cudaError_t cudaMemcpyFromSymbolAsync(void *To, const void *Symbol,
                                               size_t Bytes, size_t Offset,
                                               cudaMemcpyKind Kind,
                                               cudaStream_t S) {
  ENTER;
  char *At = nullptr;
  if (cudaError_t E = place(Enter, Symbol, Offset, Bytes, At))
    return E;
  return cudaMemcpyAsync(To, At, Bytes, Kind, S);
}
EXPORTED cudaError_t cudaGetSymbolAddress(void **To, const void *Symbol) {
  ENTER;
  char *At = nullptr;
  if (cudaError_t E = place(Enter, Symbol, 0, 0, At))
    return E;
  return Enter.give(To, At);
}
EXPORTED cudaError_t cudaGetSymbolSize(size_t *To, const void *Symbol) {
  ENTER;
  const Allocation *A = nullptr;
  if (Status S = Enter.device().variable(Symbol, Enter.name(), A);
      S != Status::Success)
    return Enter(S);
  return Enter.give(To, A->SizeBytes);
}
