//===- DeviceHeap.h - Allocations of a program ------------------*- C++ -*-===//

#ifndef HEDDLE_CUDA_DEVICEHEAP_H
#define HEDDLE_CUDA_DEVICEHEAP_H

#include "cuda/CallSites.h"
#include "exec/DeviceMemory.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace heddle::cuda {

/// Whose memory it is. The host may look at all but Device.
enum class MemoryKind { Device, Managed, Pinned, Variable };

/// Where a program allocated or freed something.
struct Origin {
  std::string Call; ///< of the API
  CallStack Stack;
};

struct Allocation {
  uint64_t Address = 0, SizeBytes = 0;
  MemoryKind Kind = MemoryKind::Device;
  uint64_t Number = 0; ///< counts from 0
  std::string Name;    ///< of the buffer in device memory
  unsigned Flags = 0;  ///< of cudaHostAlloc
  /// Of a __managed__ variable: where the program itself has it, and kernels
  /// too. The address in device memory is then only that of recordings.
  uint64_t HostAddress = 0;
  Origin Made = {};
  /// At an address that the program has reserved: the range stays reserved, and
  /// the program accounts for the memory.
  bool IsMapped = false;
  bool IsReadable = true, IsWritable = true; ///< for the device

  uint64_t where() const { return HostAddress ? HostAddress : Address; }

  bool holds(uint64_t At, uint64_t Bytes) const {
    return At >= where() && At - where() <= SizeBytes &&
           Bytes <= SizeBytes - (At - where());
  }
};

/// Gives out the addresses of one device memory, freed ones again. Where they
/// lie depends on the order of calls only, so a replay gets the same.
class DeviceHeap {
public:
  /// With \p WholePages no two allocations share a page.
  DeviceHeap(exec::DeviceMemory &Memory, uint64_t CapacityBytes,
             bool WholePages);

  /// Null if the device has no room left.
  const Allocation *allocate(uint64_t SizeBytes, MemoryKind Kind,
                             std::string Name = {}, Origin Made = {});
  /// \p A is one of this heap's and is gone afterwards.
  void release(const Allocation &A, Origin At = {});

  /// Takes a range of addresses, if possible at \p Hint; nothing if there is
  /// none. \p Alignment is a power of two.
  std::optional<uint64_t> reserve(uint64_t SizeBytes, uint64_t Alignment,
                                  uint64_t Hint);
  /// The range, in which nothing is mapped, is free again.
  void unreserve(uint64_t Address, uint64_t SizeBytes);
  /// Memory at a reserved address. Null if it cannot be had.
  const Allocation *map(uint64_t Address, uint64_t SizeBytes, Origin Made);
  void setRights(const Allocation &A, bool Readable, bool Writable);
  /// Memory that is not mapped counts as used, too. Whether it is there.
  bool take(uint64_t SizeBytes);
  void giveBack(uint64_t SizeBytes) { Used -= SizeBytes; }
  /// What the host's pages of \p A allow, as mprotect has it.
  static int rightsOf(const Allocation &A);

  /// The allocation that holds \p Address, or null.
  const Allocation *find(uint64_t Address) const;
  /// \p A is a variable that the host has at \p HostAddress.
  void share(const Allocation &A, uint64_t HostAddress);
  /// Whether \p Address was freed and not allocated again.
  bool wasFreed(uint64_t Address) const;
  /// "address 0x..., which was freed at app.cu:31; ...", for messages.
  std::string describe(uint64_t Address) const;
  /// "allocation 3 of 4096 bytes, made by cudaMalloc at app.cu:12".
  static std::string describe(const Allocation &A);

  uint64_t capacityBytes() const { return Capacity; }
  uint64_t usedBytes() const { return Used; }
  const std::map<uint64_t, Allocation> &all() const { return Allocations; }

private:
  struct FreedAllocation {
    uint64_t SizeBytes, Number;
    Origin Made, Freed;
  };
  uint64_t alignmentOf(uint64_t SizeBytes) const;
  void freeRange(uint64_t Begin, uint64_t End);
  const FreedAllocation *freedAt(uint64_t Address) const;

  exec::DeviceMemory &Memory;
  const uint64_t Capacity;
  const bool WholePages;
  uint64_t Used = 0; ///< device and managed memory
  uint64_t Next = 0;
  std::map<uint64_t, Allocation> Allocations;    ///< by address
  std::map<uint64_t, const Allocation *> Shared; ///< by address of the host
  std::map<uint64_t, uint64_t> Free;             ///< ranges: begin, end
  std::map<uint64_t, FreedAllocation> Freed;     ///< by address
};

} // namespace heddle::cuda

#endif // HEDDLE_CUDA_DEVICEHEAP_H
