//===- DeviceHeap.cpp - Allocations of a program --------------------------===//

#include "cuda/DeviceHeap.h"

#include <fmt/format.h>

#include <sys/mman.h>

#include <algorithm>

namespace heddle::cuda {

/// As cudaMalloc aligns (CUDA C++ Programming Guide: at least 256); whole pages
/// for what has some, so that a kernel that uses them after the free faults.
static constexpr uint64_t SmallAlignment = 512, Page = 4096;
/// What the arena of device memory holds, whatever the device has.
static constexpr uint64_t ArenaBytes = uint64_t(960) << 30;

static uint64_t alignTo(uint64_t Value, uint64_t To) {
  return (Value + To - 1) / To * To;
}

DeviceHeap::DeviceHeap(exec::DeviceMemory &Memory, uint64_t CapacityBytes,
                       bool WholePages)
    : Memory(Memory), Capacity(CapacityBytes), WholePages(WholePages) {
  Free[Memory.base()] = Memory.base() + ArenaBytes;
}

uint64_t DeviceHeap::alignmentOf(uint64_t SizeBytes) const {
  return SizeBytes < Page && !WholePages ? SmallAlignment : Page;
}

static bool takesDevice(MemoryKind Kind) { return Kind != MemoryKind::Pinned; }
static bool isCounted(const Allocation &A) {
  return takesDevice(A.Kind) && !A.IsMapped;
}

const Allocation *DeviceHeap::allocate(uint64_t SizeBytes, MemoryKind Kind,
                                       std::string Name, Origin Made) {
  if (takesDevice(Kind) && SizeBytes > Capacity - Used)
    return nullptr;
  const uint64_t Alignment = alignmentOf(SizeBytes);
  const uint64_t Bytes = alignTo(std::max<uint64_t>(SizeBytes, 1), Alignment);
  for (auto [Begin, End] : Free) {
    const uint64_t At = alignTo(Begin, Alignment);
    if (At > End || Bytes > End - At)
      continue;
    Allocation A{At, SizeBytes, Kind, Next, std::move(Name)};
    if (A.Name.empty())
      A.Name = fmt::format("buffer{}", A.Number);
    if (!Memory.allocateAt(A.Name, At, SizeBytes))
      return nullptr;
    ++Next;
    Free.erase(Begin);
    if (Begin < At)
      Free[Begin] = At;
    if (At + Bytes < End)
      Free[At + Bytes] = End;
    std::erase_if(Freed, [&](const auto &F) {
      return F.first < At + Bytes && At < F.first + F.second.SizeBytes;
    });
    A.Made = std::move(Made);
    Used += takesDevice(Kind) ? SizeBytes : 0;
    return &(Allocations[At] = std::move(A));
  }
  return nullptr;
}

void DeviceHeap::release(const Allocation &A, Origin At) {
  const uint64_t Alignment = alignmentOf(A.SizeBytes);
  uint64_t Begin = A.Address;
  uint64_t End = Begin + alignTo(std::max<uint64_t>(A.SizeBytes, 1), Alignment);
  Memory.release(A.Name, Alignment == Page);
  Freed[A.Address] = {std::max<uint64_t>(A.SizeBytes, 1), A.Number, A.Made,
                      std::move(At)};
  Used -= isCounted(A) ? A.SizeBytes : 0;
  Shared.erase(A.HostAddress);
  const bool StaysReserved = A.IsMapped;
  Allocations.erase(Begin);
  if (!StaysReserved)
    freeRange(Begin, End);
}

void DeviceHeap::freeRange(uint64_t Begin, uint64_t End) {
  auto After = Free.lower_bound(Begin);
  if (After != Free.end() && After->first == End) {
    End = After->second;
    After = Free.erase(After);
  }
  if (After != Free.begin())
    if (auto Before = std::prev(After); Before->second == Begin) {
      Before->second = End;
      return;
    }
  Free[Begin] = End;
}

std::optional<uint64_t> DeviceHeap::reserve(uint64_t SizeBytes,
                                            uint64_t Alignment, uint64_t Hint) {
  auto Take = [&](uint64_t Begin, uint64_t End, uint64_t At) {
    if (At < Begin || At % Alignment || At > End || SizeBytes > End - At)
      return false;
    Free.erase(Begin);
    if (Begin < At)
      Free[Begin] = At;
    if (At + SizeBytes < End)
      Free[At + SizeBytes] = End;
    return true;
  };
  if (auto It = Free.upper_bound(Hint); Hint && It != Free.begin()) {
    const auto [Begin, End] = *std::prev(It);
    if (Take(Begin, End, Hint))
      return Hint;
  }
  for (auto [Begin, End] : Free)
    if (const uint64_t At = alignTo(Begin, Alignment); Take(Begin, End, At))
      return At;
  return std::nullopt;
}

void DeviceHeap::unreserve(uint64_t Address, uint64_t SizeBytes) {
  freeRange(Address, Address + SizeBytes);
}

const Allocation *DeviceHeap::map(uint64_t Address, uint64_t SizeBytes,
                                  Origin Made) {
  Allocation A{Address, SizeBytes, MemoryKind::Device, Next,
               fmt::format("buffer{}", Next)};
  if (!Memory.allocateAt(A.Name, Address, SizeBytes))
    return nullptr;
  ++Next;
  std::erase_if(Freed, [&](const auto &F) {
    return F.first < Address + SizeBytes &&
           Address < F.first + F.second.SizeBytes;
  });
  A.IsMapped = true;
  A.Made = std::move(Made);
  return &(Allocations[Address] = std::move(A));
}

int DeviceHeap::rightsOf(const Allocation &A) {
  return (A.IsReadable ? PROT_READ : PROT_NONE) |
         (A.IsWritable ? PROT_WRITE : PROT_NONE);
}

void DeviceHeap::setRights(const Allocation &A, bool Readable, bool Writable) {
  Allocation &Own = Allocations.at(A.Address);
  Own.IsReadable = Readable;
  Own.IsWritable = Writable;
  ::mprotect(reinterpret_cast<void *>(A.Address), A.SizeBytes, rightsOf(Own));
}

bool DeviceHeap::take(uint64_t SizeBytes) {
  if (SizeBytes > Capacity - Used)
    return false;
  Used += SizeBytes;
  return true;
}

void DeviceHeap::share(const Allocation &A, uint64_t HostAddress) {
  Allocations.at(A.Address).HostAddress = HostAddress;
  Shared[HostAddress] = &A;
}

const Allocation *DeviceHeap::find(uint64_t Address) const {
  if (auto It = Shared.upper_bound(Address);
      It != Shared.begin() && std::prev(It)->second->holds(Address, 1))
    return std::prev(It)->second;
  auto It = Allocations.upper_bound(Address);
  if (It == Allocations.begin())
    return nullptr;
  const Allocation &A = std::prev(It)->second;
  return A.holds(Address, 1) || A.Address == Address ? &A : nullptr;
}

const DeviceHeap::FreedAllocation *DeviceHeap::freedAt(uint64_t Address) const {
  auto It = Freed.upper_bound(Address);
  if (It == Freed.begin() ||
      Address - std::prev(It)->first >= std::prev(It)->second.SizeBytes)
    return nullptr;
  return &std::prev(It)->second;
}

bool DeviceHeap::wasFreed(uint64_t Address) const { return freedAt(Address); }

/// "allocation 3 of 4096 bytes, made by cudaMalloc at app.cu:12".
static std::string describeAllocation(uint64_t Number, uint64_t SizeBytes,
                                      const Origin &Made) {
  std::string Text =
      fmt::format("allocation {} of {} bytes", Number, SizeBytes);
  if (!Made.Call.empty())
    Text +=
        fmt::format(", made by {}{}", Made.Call, lineAfter(" at", Made.Stack));
  return Text;
}

std::string DeviceHeap::describe(const Allocation &A) {
  return describeAllocation(A.Number, A.SizeBytes, A.Made);
}

std::string DeviceHeap::describe(uint64_t Address) const {
  std::string Text = fmt::format("address 0x{:x}, ", Address);
  if (const Allocation *A = find(Address))
    return Text + fmt::format("byte {} of an allocation of {} bytes",
                              Address - A->where(), A->SizeBytes);
  if (const FreedAllocation *F = freedAt(Address))
    return Text + fmt::format(
                      "which was freed{}: {}", lineAfter(" at", F->Freed.Stack),
                      describeAllocation(F->Number, F->SizeBytes, F->Made));
  return Text + "which is no memory of the device";
}

} // namespace heddle::cuda
