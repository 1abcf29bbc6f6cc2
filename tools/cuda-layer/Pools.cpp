//===- Pools.cpp - Memory that is allocated in the order of streams -------===//
//
// What is freed is free at once, since every operation is done when its call
// returns: pools keep nothing, they only count.
//
//===----------------------------------------------------------------------===//

#include "Graphs.h"

#include <map>
#include <unordered_map>

using namespace heddle;
using namespace heddle::cuda;

namespace {
struct Pool {
  uint64_t ReleaseThreshold = 0, Used = 0, High = 0;
  int Reuse[3] = {1, 1, 1};
};
struct Pools {
  Pool Default;
  Pool *Current = &Default;
  std::map<const void *, std::unique_ptr<Pool>> Made;
  /// Allocations: their pools and sizes.
  std::unordered_map<const void *, std::pair<Pool *, uint64_t>> Blocks;
};
Pools &pools() {
  static auto *All = new Pools;
  return *All;
}
Pool *poolOf(const void *Handle) {
  Pools &All = pools();
  return Handle == &All.Default      ? &All.Default
         : All.Made.contains(Handle) ? All.Made[Handle].get()
                                     : nullptr;
}
cudaMemPool_t handle(Pool *P) { return reinterpret_cast<cudaMemPool_t>(P); }
} // namespace

/// The node that allocates in the graph that \p Stream captures.
static cudaError_t captureAllocation(const Call &Enter, void **To, size_t Bytes,
                                     cudaStream_t Stream) {
  if (!To)
    return Enter.refuseNull();
  cudaMemAllocNodeParams P = {};
  P.poolProps.allocType = cudaMemAllocationTypePinned;
  P.poolProps.location = {cudaMemLocationTypeDevice, 0};
  P.bytesize = Bytes;
  AllocNode A;
  if (cudaError_t E = allocNode(Enter, capturedBy(Stream), P, A))
    return E;
  *To = A.Memory->At;
  return capture(Enter, Stream, std::move(A));
}
/// The node that frees in it.
static cudaError_t captureFree(const Call &Enter, const void *At,
                               cudaStream_t Stream) {
  FreeNode F;
  if (cudaError_t E = freeNode(Enter, capturedBy(Stream), At, F))
    return E;
  return capture(Enter, Stream, std::move(F));
}

static cudaError_t allocateFrom(const Call &Enter, Pool *P, void **To,
                                size_t Bytes, cudaStream_t Stream) {
  if (!P || checkStream(Stream) != Status::Success)
    return Enter.refuse(P ? Status::InvalidHandle : Status::InvalidValue,
                        "there is no such pool or stream");
  if (isCapturing(Stream))
    return captureAllocation(Enter, To, Bytes, Stream);
  if (Status S =
          Enter.device().allocate(To, Bytes, MemoryKind::Device, Enter.name());
      S != Status::Success)
    return Enter(S);
  pools().Blocks[*To] = {P, Bytes};
  P->Used += Bytes;
  P->High = std::max(P->High, P->Used);
  return Enter.done();
}
EXPORTED cudaError_t cudaMallocAsync(void **To, size_t Bytes, cudaStream_t S) {
  ENTER;
  return allocateFrom(Enter, pools().Current, To, Bytes, S);
}
EXPORTED cudaError_t cudaMallocFromPoolAsync(void **To, size_t Bytes,
                                             cudaMemPool_t P, cudaStream_t S) {
  ENTER;
  return allocateFrom(Enter, poolOf(P), To, Bytes, S);
}
EXPORTED cudaError_t cudaFreeAsync(void *At, cudaStream_t S) {
  ENTER;
  if (isCapturing(S))
    return captureFree(Enter, At, S);
  IN_STREAM(S);
  if (auto OfGraph = freeOfGraph(Enter, At))
    return *OfGraph;
  if (auto It = pools().Blocks.find(At); It != pools().Blocks.end()) {
    It->second.first->Used -= It->second.second;
    pools().Blocks.erase(It);
  }
  return Enter(Enter.device().release(At, /*OfHost=*/false, Enter.name()));
}

EXPORTED cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *To, int Index) {
  ENTER;
  if (!To || Index != 0)
    return Enter(To ? Status::InvalidDevice : Status::InvalidValue);
  *To = handle(&pools().Default);
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *To, int Index) {
  ENTER;
  if (!To || Index != 0)
    return Enter(To ? Status::InvalidDevice : Status::InvalidValue);
  *To = handle(pools().Current);
  return Enter.done();
}
EXPORTED cudaError_t cudaDeviceSetMemPool(int Index, cudaMemPool_t Handle) {
  ENTER;
  Pool *P = poolOf(Handle);
  if (!P || Index != 0)
    return Enter(P ? Status::InvalidDevice : Status::InvalidValue);
  pools().Current = P;
  return Enter.done();
}
EXPORTED cudaError_t cudaMemPoolCreate(cudaMemPool_t *To,
                                       const cudaMemPoolProps *Props) {
  ENTER;
  if (!To || !Props)
    return Enter(Status::InvalidValue);
  if (Props->handleTypes != cudaMemHandleTypeNone)
    return Enter.refuse(Status::NotSupported,
                        "pools that processes share are not supported");
  auto P = std::make_unique<Pool>();
  *To = handle(P.get());
  pools().Made[P.get()] = std::move(P);
  return Enter.done();
}
EXPORTED cudaError_t cudaMemPoolDestroy(cudaMemPool_t Handle) {
  ENTER;
  Pool *P = poolOf(Handle);
  if (!P || P == &pools().Default)
    return Enter.refuse(Status::InvalidValue,
                        P ? "the default pool stays" : "there is no such pool");
  if (pools().Current == P)
    pools().Current = &pools().Default;
  for (auto &[At, Block] : pools().Blocks)
    if (Block.first == P) // they live on
      Block.first = &pools().Default;
  pools().Default.Used += P->Used;
  pools().Made.erase(P);
  return Enter.done();
}
EXPORTED cudaError_t cudaMemPoolTrimTo(cudaMemPool_t Handle, size_t) {
  ENTER;
  return poolOf(Handle) ? Enter.done() : Enter(Status::InvalidValue);
}

/// Reads or, with \p Write, sets attribute \p Which.
static cudaError_t attribute(const Call &Enter, cudaMemPool_t Handle,
                             cudaMemPoolAttr Which, void *Value, bool Write) {
  Pool *P = poolOf(Handle);
  if (!P || !Value)
    return Enter(Status::InvalidValue);
  auto Move = [&](auto &Field) {
    auto *Given =
        static_cast<std::remove_reference_t<decltype(Field)> *>(Value);
    if (Write)
      Field = *Given;
    else
      *Given = Field;
    return Enter.done();
  };
  switch (Which) {
  case cudaMemPoolReuseFollowEventDependencies:
  case cudaMemPoolReuseAllowOpportunistic:
  case cudaMemPoolReuseAllowInternalDependencies:
    return Move(P->Reuse[Which - 1]);
  case cudaMemPoolAttrReleaseThreshold:
    return Move(P->ReleaseThreshold);
  case cudaMemPoolAttrReservedMemCurrent: // nothing is kept beside it
  case cudaMemPoolAttrUsedMemCurrent:
    return Write ? Enter(Status::InvalidValue) : Move(P->Used);
  case cudaMemPoolAttrReservedMemHigh:
  case cudaMemPoolAttrUsedMemHigh:
    if (Write) // zero resets it
      P->High = P->Used;
    else
      Move(P->High);
    return Enter.done();
  default:
    return Enter(Status::InvalidValue);
  }
}
EXPORTED cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t P,
                                             cudaMemPoolAttr Which,
                                             void *Value) {
  ENTER;
  return attribute(Enter, P, Which, Value, /*Write=*/true);
}
EXPORTED cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t P,
                                             cudaMemPoolAttr Which,
                                             void *Value) {
  ENTER;
  return attribute(Enter, P, Which, Value, /*Write=*/false);
}
EXPORTED cudaError_t cudaMemPoolSetAccess(cudaMemPool_t P,
                                          const cudaMemAccessDesc *, size_t) {
  ENTER;
  return poolOf(P) ? Enter.done() : Enter(Status::InvalidValue);
}
EXPORTED cudaError_t cudaMemPoolGetAccess(cudaMemAccessFlags *To,
                                          cudaMemPool_t P, cudaMemLocation *) {
  ENTER;
  if (!To || !poolOf(P))
    return Enter(Status::InvalidValue);
  *To = cudaMemAccessFlagsProtReadWrite;
  return Enter.done();
}

/// Whether \p Location names the memory that pools here are of.
static cudaError_t checkLocation(const Call &Enter,
                                 const cudaMemLocation *Location,
                                 cudaMemAllocationType Type) {
  if (!Location)
    return Enter.refuseNull();
  if (Location->type != cudaMemLocationTypeDevice ||
      Type != cudaMemAllocationTypePinned)
    return Enter.refuse(Status::NotSupported,
                        "pools of the host or of managed memory are not "
                        "supported");
  return Location->id == 0
             ? cudaSuccess
             : Enter.refuse(Status::InvalidDevice, "there is only device 0");
}
EXPORTED cudaError_t cudaMemGetDefaultMemPool(cudaMemPool_t *To,
                                              cudaMemLocation *Location,
                                              cudaMemAllocationType Type) {
  ENTER;
  if (cudaError_t E = checkLocation(Enter, Location, Type))
    return E;
  return cudaDeviceGetDefaultMemPool(To, 0);
}
EXPORTED cudaError_t cudaMemGetMemPool(cudaMemPool_t *To,
                                       cudaMemLocation *Location,
                                       cudaMemAllocationType Type) {
  ENTER;
  if (cudaError_t E = checkLocation(Enter, Location, Type))
    return E;
  return cudaDeviceGetMemPool(To, 0);
}
EXPORTED cudaError_t cudaMemSetMemPool(cudaMemLocation *Location,
                                       cudaMemAllocationType Type,
                                       cudaMemPool_t P) {
  ENTER;
  if (cudaError_t E = checkLocation(Enter, Location, Type))
    return E;
  return cudaDeviceSetMemPool(0, P);
}
