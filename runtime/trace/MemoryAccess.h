//===- MemoryAccess.h - Addresses of one executed memory record -*- C++ -*-===//

#ifndef HEDDLE_TRACE_MEMORYACCESS_H
#define HEDDLE_TRACE_MEMORYACCESS_H

#include "heddle/ABI/CodeTable.h"

#include <cstdint>
#include <stdexcept>

namespace heddle::trace {

/// Accesses to shared memory of at most this many bytes per lane may leave open
/// which lane has which address (LaneOrder).
constexpr unsigned MaxFreeBytes = 4;

/// The addresses that the lanes of Mask access. Device addresses for global
/// and constant memory, offsets into the thread block's window for shared
/// memory, offsets into the thread's frame for local memory.
///
/// One that a WarpCursor returned is valid until the cursor moves on.
struct MemoryAccess {
  uint64_t Base = 0;
  int64_t Stride = 0;               ///< bytes from lane to lane, if Affine
  const int64_t *Offsets = nullptr; ///< 32 distances from Base, unless Affine
  uint32_t Mask = 0;                ///< 0: the record was not executed
  HeddleMemorySpace Space = HEDDLE_SPACE_NONE; ///< never GENERIC
  bool Affine = true; ///< lane l accesses Base + l * Stride

  uint64_t address(unsigned Lane) const {
    return Base + (Affine ? Lane * uint64_t(Stride) : uint64_t(Offsets[Lane]));
  }

  /// Of a saved state, but for the offsets.
  template <class Archive> void serialize(Archive &A) {
    auto &[Base, Stride, Offsets, Mask, Space, Affine] = *this;
    auto Number = uint32_t(Space);
    A(Base, Stride, Mask, Number, Affine); // the offsets: RecordStates
    if (Number >= HEDDLE_NUM_SPACES)
      throw std::runtime_error("an access is to no space of memory");
    Space = HeddleMemorySpace(Number);
  }
};

} // namespace heddle::trace

#endif // HEDDLE_TRACE_MEMORYACCESS_H
