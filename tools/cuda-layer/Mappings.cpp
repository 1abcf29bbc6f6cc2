//===- Mappings.cpp - Memory that a program maps to addresses itself ------===//
//
// Memory has one address at a time. While it has none, what it holds lies in an
// allocation of its own, so a recording has copies from there and back.
//
//===----------------------------------------------------------------------===//

#include "DriverCalls.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <map>

using namespace heddle;
using namespace heddle::cuda;

namespace {
/// What cuMemCreate makes.
struct Physical {
  uint64_t Bytes;
  CUmemAllocationProp Properties;
  Origin Made;
  unsigned References = 1;
  const Allocation *At = nullptr; ///< where it is mapped or kept
};
struct Mappings {
  std::map<uint64_t, uint64_t> Ranges; ///< reserved: address, size
  std::map<CUmemGenericAllocationHandle, std::unique_ptr<Physical>> All;
  std::map<uint64_t, Physical *> Mapped; ///< by address
};
Mappings &mappings() {
  static auto *All = new Mappings;
  return *All;
}
} // namespace

/// Of addresses and sizes in bytes: what cuMemGetAllocationGranularity gives on
/// GPUs of these architectures.
static constexpr uint64_t Granularity = 2 << 20;
static constexpr uint64_t HostPage = 4096;

static CUmemGenericAllocationHandle handleOf(const Physical *P) {
  return reinterpret_cast<CUmemGenericAllocationHandle>(P);
}
static Physical *physicalOf(CUmemGenericAllocationHandle Handle) {
  const auto It = mappings().All.find(Handle);
  return It == mappings().All.end() ? nullptr : It->second.get();
}
/// The memory that is mapped at \p Address; null if there is none.
static Physical *mappedAt(uint64_t Address) {
  auto It = mappings().Mapped.upper_bound(Address);
  if (It == mappings().Mapped.begin())
    return nullptr;
  Physical *P = std::prev(It)->second;
  return P->At->holds(Address, 1) ? P : nullptr;
}
/// All memory that is mapped to exactly the range; none if a part of the range
/// is not mapped, or a part of the memory is elsewhere.
static std::vector<Physical *> mappedIn(uint64_t Address, uint64_t Bytes) {
  std::vector<Physical *> Found;
  uint64_t Next = Address;
  while (Next < Address + Bytes) {
    const auto It = mappings().Mapped.find(Next);
    if (It == mappings().Mapped.end())
      return {};
    Found.push_back(It->second);
    Next += It->second->Bytes;
  }
  return Next == Address + Bytes ? Found : std::vector<Physical *>();
}

static CUresult refuseHandle(const Call &Enter) {
  return result(
      Enter.refuse(Status::InvalidValue, "there is no such memory handle"));
}
static CUresult refuseRange(const Call &Enter, uint64_t At, uint64_t Bytes) {
  return result(Enter.refuse(
      Status::InvalidValue,
      fmt::format("0x{:x} and {} bytes are not what memory is mapped to", At,
                  Bytes)));
}

//===----------------------------------------------------------------------===//
// Addresses
//===----------------------------------------------------------------------===//

EXPORTED CUresult cuMemAddressReserve(CUdeviceptr *To, size_t Bytes,
                                      size_t Alignment, CUdeviceptr Hint,
                                      unsigned long long Flags) {
  ENTER;
  if (!To || !Bytes || Bytes % HostPage || Hint % HostPage || Flags ||
      (Alignment && !std::has_single_bit(Alignment)))
    return result(Enter.refuse(
        Status::InvalidValue,
        fmt::format("{} bytes, aligned to {}: give whole pages and a power of "
                    "two",
                    Bytes, Alignment)));
  const auto At = Enter.device().heap().reserve(
      Bytes, std::max<uint64_t>(Alignment, Granularity), Hint);
  if (!At)
    return result(
        Enter.refuse(Status::OutOfMemory,
                     fmt::format("no range of {} bytes is free", Bytes)));
  mappings().Ranges[*At] = Bytes;
  return result(Enter.give(To, *At));
}
EXPORTED CUresult cuMemAddressFree(CUdeviceptr At, size_t Bytes) {
  ENTER;
  const auto It = mappings().Ranges.find(At);
  if (It == mappings().Ranges.end() || It->second != Bytes)
    return result(Enter.refuse(
        Status::InvalidValue,
        fmt::format("no range of {} bytes is reserved at 0x{:x}", Bytes, At)));
  const auto First = mappings().Mapped.lower_bound(At);
  if (First != mappings().Mapped.end() && First->first < At + Bytes)
    return result(
        Enter.refuse(Status::InvalidValue, "memory is mapped to the range"));
  Enter.device().heap().unreserve(At, Bytes);
  mappings().Ranges.erase(It);
  return result(Enter.done());
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

/// Whether memory of this kind can be made.
static cudaError_t check(const Call &Enter, const CUmemAllocationProp *P) {
  if (!P)
    return Enter.refuseNull();
  if (P->location.type == CU_MEM_LOCATION_TYPE_HOST ||
      P->location.type == CU_MEM_LOCATION_TYPE_HOST_NUMA ||
      P->requestedHandleTypes != CU_MEM_HANDLE_TYPE_NONE)
    return Enter.refuse(Status::NotSupported,
                        "memory of the host, or that processes share, is not "
                        "supported");
  if (P->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      P->location.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return Enter.refuse(Status::InvalidValue,
                        "give CU_MEM_ALLOCATION_TYPE_PINNED and a device");
  return P->location.id == 0
             ? cudaSuccess
             : Enter.refuse(Status::InvalidDevice,
                            fmt::format("no device {}", P->location.id));
}
EXPORTED CUresult
cuMemGetAllocationGranularity(size_t *To, const CUmemAllocationProp *P,
                              CUmemAllocationGranularity_flags Which) {
  ENTER;
  if (cudaError_t E = check(Enter, P))
    return result(E);
  return result(Which == CU_MEM_ALLOC_GRANULARITY_MINIMUM ||
                        Which == CU_MEM_ALLOC_GRANULARITY_RECOMMENDED
                    ? Enter.give(To, Granularity)
                    : Enter(Status::InvalidValue));
}
EXPORTED CUresult cuMemCreate(CUmemGenericAllocationHandle *To, size_t Bytes,
                              const CUmemAllocationProp *P,
                              unsigned long long Flags) {
  ENTER;
  if (cudaError_t E = check(Enter, P))
    return result(E);
  if (!To || Flags || !Bytes || Bytes % Granularity)
    return result(Enter.refuse(
        Status::InvalidValue,
        fmt::format("{} bytes: give a multiple of {}", Bytes, Granularity)));
  DeviceHeap &Heap = Enter.device().heap();
  if (!Heap.take(Bytes))
    return result(
        Enter.refuse(Status::OutOfMemory,
                     fmt::format("{} bytes asked for, {} of {} are left", Bytes,
                                 Heap.capacityBytes() - Heap.usedBytes(),
                                 Heap.capacityBytes())));
  auto Made =
      std::make_unique<Physical>(Bytes, *P, Origin{Enter.name(), callStack()});
  *To = handleOf(Made.get());
  mappings().All[*To] = std::move(Made);
  return result(Enter.done());
}

/// The memory's allocation is no more.
static void drop(Device &D, Physical &P) {
  if (D.recorder())
    D.recorder()->dropped(*P.At);
  D.heap().release(*P.At, {D.call(), callStack()});
  P.At = nullptr;
}
/// What the memory holds is in \p To from now on.
static void move(Device &D, Physical &P, const Allocation *To) {
  if (D.recorder())
    D.recorder()->made(*To);
  if (P.At) {
    std::memcpy(pointer(To->Address), pointer(P.At->Address), P.Bytes);
    if (D.recorder())
      D.recorder()->copied(*P.At, linear(P.Bytes), *To, linear(P.Bytes));
    drop(D, P);
  }
  P.At = To;
}

EXPORTED CUresult cuMemRelease(CUmemGenericAllocationHandle Handle) {
  ENTER;
  Physical *P = physicalOf(Handle);
  if (!P || !P->References)
    return refuseHandle(Enter);
  if (--P->References || (P->At && P->At->IsMapped))
    return result(Enter.done()); // the last to have it frees it
  if (P->At)
    drop(Enter.device(), *P); // an allocation counts by itself
  else
    Enter.device().heap().giveBack(P->Bytes);
  mappings().All.erase(Handle);
  return result(Enter.done());
}
EXPORTED CUresult cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *To,
                                              void *At) {
  ENTER;
  Physical *P = mappedAt(reinterpret_cast<uint64_t>(At));
  if (!P || !To)
    return result(Enter.refuse(Status::InvalidValue,
                               "no memory is mapped to the address"));
  ++P->References;
  return result(Enter.give(To, handleOf(P)));
}
EXPORTED CUresult cuMemGetAllocationPropertiesFromHandle(
    CUmemAllocationProp *To, CUmemGenericAllocationHandle Handle) {
  ENTER;
  const Physical *P = physicalOf(Handle);
  return P ? result(Enter.give(To, P->Properties)) : refuseHandle(Enter);
}

//===----------------------------------------------------------------------===//
// Memory at addresses
//===----------------------------------------------------------------------===//

/// Whether the range is reserved, in one piece, and nothing is mapped there.
static bool isFree(uint64_t Address, uint64_t Bytes) {
  auto It = mappings().Ranges.upper_bound(Address);
  if (It == mappings().Ranges.begin())
    return false;
  const auto [Begin, Size] = *std::prev(It);
  if (Address - Begin >= Size || Bytes > Size - (Address - Begin))
    return false;
  const auto Next = mappings().Mapped.lower_bound(Address);
  return !mappedAt(Address) &&
         (Next == mappings().Mapped.end() || Next->first >= Address + Bytes);
}
EXPORTED CUresult cuMemMap(CUdeviceptr At, size_t Bytes, size_t Offset,
                           CUmemGenericAllocationHandle Handle,
                           unsigned long long Flags) {
  ENTER;
  Physical *P = physicalOf(Handle);
  if (!P)
    return refuseHandle(Enter);
  if (At % Granularity || Offset || Flags || !Bytes || Bytes > P->Bytes ||
      !isFree(At, Bytes))
    return result(Enter.refuse(
        Status::InvalidValue,
        fmt::format("0x{:x} and {} bytes are no free range in a reserved one, "
                    "or more than the memory has",
                    At, Bytes)));
  if (Bytes != P->Bytes || (P->At && P->At->IsMapped))
    return result(
        Enter.refuse(Status::NotSupported,
                     "parts of memory, and memory at two addresses at once, "
                     "are not supported"));
  DeviceHeap &Heap = Enter.device().heap();
  const Allocation *A = Heap.map(At, Bytes, P->Made);
  if (!A)
    return result(Enter.refuse(Status::OutOfMemory,
                               "the host has no memory for the range"));
  const bool WasKept = P->At != nullptr;
  move(Enter.device(), *P, A);
  if (WasKept)
    Heap.take(Bytes); // what kept it has counted
  Heap.setRights(*A, /*Readable=*/false, /*Writable=*/false);
  mappings().Mapped[At] = P;
  return result(Enter.done());
}
EXPORTED CUresult cuMemUnmap(CUdeviceptr At, size_t Bytes) {
  ENTER;
  const std::vector<Physical *> Found = mappedIn(At, Bytes);
  if (Found.empty())
    return refuseRange(Enter, At, Bytes);
  Device &D = Enter.device();
  // It waits for the GPU (note_sync of cuda.h).
  if (D.timeline())
    D.timeline()->order().hostWaits(D.timeline()->order().all());
  for (Physical *P : Found) {
    mappings().Mapped.erase(P->At->Address);
    D.heap().setRights(*P->At, /*Readable=*/true, /*Writable=*/true);
    D.heap().giveBack(P->Bytes);
    if (P->References) {
      const Allocation *Kept =
          D.heap().allocate(P->Bytes, MemoryKind::Device, {}, P->Made);
      if (!Kept)
        return result(Enter.refuse(Status::OutOfMemory,
                                   "the host has no memory to keep it in"));
      move(D, *P, Kept);
    } else {
      drop(D, *P);
      mappings().All.erase(handleOf(P));
    }
  }
  return result(Enter.done());
}

static cudaError_t checkLocation(const Call &Enter, const CUmemLocation &L) {
  if (L.type != CU_MEM_LOCATION_TYPE_DEVICE)
    return Enter.refuse(Status::NotSupported,
                        "only devices have access to memory that is mapped");
  return L.id == 0 ? cudaSuccess
                   : Enter.refuse(Status::InvalidDevice,
                                  fmt::format("no device {}", L.id));
}
EXPORTED CUresult cuMemSetAccess(CUdeviceptr At, size_t Bytes,
                                 const CUmemAccessDesc *Rights, size_t Count) {
  ENTER;
  if (!Rights || !Count)
    return result(Enter(Status::InvalidValue));
  const std::vector<Physical *> Found = mappedIn(At, Bytes);
  if (Found.empty())
    return refuseRange(Enter, At, Bytes);
  for (size_t I = 0; I < Count; ++I) {
    if (cudaError_t E = checkLocation(Enter, Rights[I].location))
      return result(E);
    const unsigned Flags = Rights[I].flags;
    if (Flags != CU_MEM_ACCESS_FLAGS_PROT_NONE &&
        Flags != CU_MEM_ACCESS_FLAGS_PROT_READ &&
        Flags != CU_MEM_ACCESS_FLAGS_PROT_READWRITE)
      return result(Enter(Status::InvalidValue));
    for (const Physical *P : Found)
      Enter.device().heap().setRights(
          *P->At, Flags != CU_MEM_ACCESS_FLAGS_PROT_NONE,
          Flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
  }
  return result(Enter.done());
}
EXPORTED CUresult cuMemGetAccess(unsigned long long *To,
                                 const CUmemLocation *Location,
                                 CUdeviceptr At) {
  ENTER;
  const Physical *P = mappedAt(At);
  if (!P || !To || !Location)
    return result(Enter(Status::InvalidValue));
  if (cudaError_t E = checkLocation(Enter, *Location))
    return result(E);
  *To = P->At->IsWritable   ? CU_MEM_ACCESS_FLAGS_PROT_READWRITE
        : P->At->IsReadable ? CU_MEM_ACCESS_FLAGS_PROT_READ
                            : CU_MEM_ACCESS_FLAGS_PROT_NONE;
  return result(Enter.done());
}
