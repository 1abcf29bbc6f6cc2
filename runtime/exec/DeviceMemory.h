//===- DeviceMemory.h - The memory of an application ----------------*- C++
//-*-===//

#ifndef HEDDLE_EXEC_DEVICEMEMORY_H
#define HEDDLE_EXEC_DEVICEMEMORY_H

#include "base/Result.h"
#include "heddle/ABI/AddressMap.h"
#include "launch/Launch.h"

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heddle::exec {

/// One allocation in global memory.
struct DeviceBuffer {
  std::string Name; ///< of the launch file, the parameter, or the variable
  uint64_t Address = 0;
  uint64_t SizeBytes = 0;
  /// Type of the elements; none for variables of the module.
  std::optional<launch::ScalarType> Type;
  bool Initialised = true; ///< false: --check reports reads of unwritten bytes
  bool IsArgument = false;
  /// Of a recorded program, whose buffers have no types: Type is that under
  /// which kernels take it.
  bool IsUntyped = false;
  bool HasSeveralTypes = false; ///< kernels disagree
};

/// A slot of the arena of AddressMap.h: buffers one after the other at
/// multiples of 256 bytes, as a GPU's allocator places them, and per host
/// thread (or per block, where all are held at once) a window of shared memory
/// and one of local memory. Around each of the three parts lie at least 8 GiB
/// that fault, so a wild 32-bit index ends in an error. The object owns
/// the slot. Memories are independent of each other: different
/// threads may use different ones at the same time. What a launch computes does
/// not depend on the slot unless it looks at the upper bits of addresses.
class DeviceMemory {
public:
  /// Memories that a process can have at a time.
  static constexpr unsigned MaxAtOnce =
      (HEDDLE_SHARED_BASE - HEDDLE_GLOBAL_BASE) / HEDDLE_SLOT_BYTES;
  /// Takes the first slot that is free.
  static Result<DeviceMemory> create();

  /// Leaves at least \p Bytes after each buffer, so that an access that runs
  /// out of one is not in the next.
  void setGap(uint64_t Bytes) { GapBytes = Bytes; }

  /// Reserves \p SizeBytes of zeroes; the address is in the result.
  Result<DeviceBuffer *> allocate(std::string Name, uint64_t SizeBytes);
  /// The same for a buffer that launches name.
  Result<DeviceBuffer *> allocateArgument(std::string Name, uint64_t SizeBytes);
  /// The same at \p Address, where no other buffer lies. Bytes that an earlier
  /// buffer shared a page with keep what they held.
  Result<DeviceBuffer *> allocateAt(std::string Name, uint64_t Address,
                                    uint64_t SizeBytes);
  /// Where buffers begin.
  uint64_t base() const { return HEDDLE_GLOBAL_BASE + Slot.Offset; }

  /// Returns the pages of an argument buffer to the system and forgets it. Its
  /// addresses are not used again but by allocateAt; until then pages that it
  /// had for itself fault.
  /// With \p OwnPages no other buffer is on its last page.
  void release(std::string_view Name, bool OwnPages = false);

  /// A kernel takes the buffer as one of \p Type elements.
  void noteType(std::string_view Name, launch::ScalarType Type);

  /// Makes windows for \p Workers host threads, or blocks that are held at
  /// once (at most MaxWindows). The more, the closer they lie. Each worker has
  /// \p Together windows, those of a cluster: their addresses differ in the
  /// lower 32 bits alone, and behind the last is room that faults.
  Result<void> makeWindows(unsigned Workers, uint64_t SharedBytes,
                           uint64_t LocalBytes, unsigned Together = 1);
  /// The same in two steps, for workers of which few may be needed: where their
  /// windows lie, then that the first \p Workers may access theirs.
  Result<void> placeWindows(unsigned Workers, uint64_t SharedBytes,
                            uint64_t LocalBytes, unsigned Together = 1);
  Result<void> openWindows(unsigned Workers);
  static constexpr unsigned MaxWorkers = 64;
  static constexpr unsigned MaxWindows = 8192;

  /// Of window \p Index: block r of worker w has w * Together + r.
  uint8_t *shared(unsigned Index) const;
  uint8_t *local(unsigned Index) const;
  /// Windows are aligned to 2^windowShift() bytes and reach no farther.
  unsigned windowShift() const {
    return unsigned(std::countr_zero(WindowStride));
  }
  uint64_t sharedBytes() const { return SharedBytes; }
  uint64_t localBytes() const { return LocalBytes; }

  const std::vector<std::unique_ptr<DeviceBuffer>> &buffers() const {
    return Buffers;
  }
  std::span<uint8_t> bytes(const DeviceBuffer &B) const {
    return {reinterpret_cast<uint8_t *>(B.Address), B.SizeBytes};
  }
  /// The argument buffer of that name, or null.
  const DeviceBuffer *findArgument(std::string_view Name) const;
  /// Whether two of \p Addresses that differ lie in the same buffer.
  bool overlap(std::span<const uint64_t> Addresses) const;
  /// The buffer that holds \p Address, or null.
  const DeviceBuffer *find(uint64_t Address) const;
  /// The buffer whose start or end is nearest to \p Address, or null.
  const DeviceBuffer *nearest(uint64_t Address) const;

  /// What \p Address is, for messages: "0xc0000104, 4 bytes past the end of
  /// 'out' (256 bytes)".
  std::string describe(uint64_t Address) const;

  /// The address as traces have it.
  uint64_t toDevice(uint64_t Address) const {
    return Address - (HEDDLE_GLOBAL_BASE + Slot.Offset) + HEDDLE_DEVICE_BASE;
  }
  /// What lies at device address 0 of the memory that has the window \p Shared.
  static uint64_t deviceZero(const uint8_t *Shared) {
    const uint64_t At = reinterpret_cast<uint64_t>(Shared) - HEDDLE_SHARED_BASE;
    return HEDDLE_GLOBAL_BASE + At / HEDDLE_SLOT_BYTES * HEDDLE_SLOT_BYTES -
           HEDDLE_DEVICE_BASE;
  }

private:
  /// The same slot of the three parts, unmapped at the end.
  class OwnedSlot {
  public:
    OwnedSlot() = default;
    OwnedSlot(OwnedSlot &&Other)
        : Offset(Other.Offset), Parts(std::exchange(Other.Parts, 0)) {}
    OwnedSlot &operator=(OwnedSlot &&Other);
    ~OwnedSlot() { release(); }
    /// Reserves slot \p Index, or only its first pages where address space is
    /// limited; false, with errno, if it cannot be had.
    bool reserve(unsigned Index, bool Whole);

    uint64_t Offset = 0; ///< from each part's base

  private:
    void release();
    unsigned Parts = 0; ///< that are reserved
  };
  OwnedSlot Slot;
  std::vector<std::unique_ptr<DeviceBuffer>> Buffers; // ascending addresses
  std::map<std::string, DeviceBuffer *, std::less<>> Arguments; // by name
  uint64_t Next = 0;
  uint64_t Committed = 0; ///< pages of global memory below may be accessed
  uint64_t GapBytes = 0;
  uint64_t SharedBytes = 0, LocalBytes = 0;
  uint64_t WorkerStride = 0; ///< bytes from one worker's to the next
  uint64_t WindowStride = 0; ///< bytes from one window to the next
  unsigned Together = 1;     ///< windows of a worker
  /// Of what placeWindows() placed last: pages that may be accessed.
  struct Windows {
    unsigned Workers = 0, Together = 0, Open = 0;
    uint64_t SharedBytes = 0, LocalBytes = 0;
  };
  Windows Made;
  uint64_t placeOf(unsigned Index) const;
};

} // namespace heddle::exec

#endif // HEDDLE_EXEC_DEVICEMEMORY_H
