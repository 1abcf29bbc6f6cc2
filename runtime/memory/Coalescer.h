//===- Coalescer.h - From lane addresses to lines and sectors ---*- C++ -*-===//

#ifndef HEDDLE_MEMORY_COALESCER_H
#define HEDDLE_MEMORY_COALESCER_H

#include "arch/GPUSpec.h"
#include "trace/WarpCursor.h"

#include <cstdint>
#include <span>

namespace heddle::memory {

/// What a warp does to one line.
struct LineAccess {
  uint64_t Line = 0;        ///< address of its first byte
  uint16_t Sectors = 0;     ///< touched
  uint16_t FullSectors = 0; ///< of which every byte is touched
  uint8_t Lanes = 0;        ///< lanes with an address in the line
  uint8_t SameAddress = 0;  ///< most lanes on one address (atomics need it)

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Line, Sectors, FullSectors, Lanes, SameAddress] = *this;
    A(Line, Sectors, FullSectors, Lanes, SameAddress);
  }
};

/// Merges the accesses of the lanes of a warp instruction into lines. Lines
/// come in the order of the first lane that touches them.
class Coalescer {
public:
  /// 32 lanes of 16 bytes, each of which may straddle two lines.
  static constexpr unsigned MaxLines = 64;

  /// Both are powers of two; at most 16 sectors per line.
  Coalescer(uint32_t LineBytes, uint32_t SectorBytes);
  /// For accesses to a cache, or to \p Below where the machine lacks it.
  /// \p Coalesced as in L1Spec; it does not hold for atomics.
  Coalescer(const arch::CacheSpec &Cache, const arch::CacheSpec &Below,
            bool Coalesced = false);

  /// Global, constant and texture accesses: fills \p Out[MaxLines], returns how
  /// many lines. \p Atomic asks for SameAddress.
  unsigned coalesce(const trace::MemoryAccess &A, int64_t ByteOffset,
                    uint32_t AccessBytes, bool Atomic, LineAccess *Out) const;

  /// The same for reads, for which only Line and Sectors are filled in.
  unsigned coalesceReads(const trace::MemoryAccess &A, int64_t ByteOffset,
                         uint32_t AccessBytes, LineAccess *Out) const;

  /// Local memory: word w of lane l lies at WarpBase + (32 * w + l) * 4, so
  /// that lanes that use the same offset share lines.
  unsigned coalesceLocal(const trace::MemoryAccess &A, int64_t ByteOffset,
                         uint32_t AccessBytes, uint64_t WarpBase,
                         LineAccess *Out) const;

private:
  unsigned touched(const trace::MemoryAccess &A, int64_t ByteOffset,
                   uint32_t AccessBytes, bool Atomic, LineAccess *Out) const;
  unsigned touchedByReads(const trace::MemoryAccess &A, int64_t ByteOffset,
                          uint32_t AccessBytes, LineAccess *Out) const;
  unsigned asIfCoalesced(const trace::MemoryAccess &A, int64_t ByteOffset,
                         uint32_t AccessBytes, LineAccess *Out,
                         unsigned Count) const;
  template <typename OffsetT>
  unsigned scatteredReads(uint32_t Mask, uint64_t Base, uint32_t AccessBytes,
                          LineAccess *Out, OffsetT &&OffsetOf) const;

  uint32_t LineShift, SectorShift;
  bool Coalesced = false;
};

/// One lane does what \p Lines say for all.
inline void takeOneLane(std::span<LineAccess> Lines) {
  for (LineAccess &L : Lines)
    L.Lanes = L.SameAddress = 1;
}

/// How many different addresses the lanes have, 1 at least.
unsigned differentWords(const trace::MemoryAccess &A);

/// Whether the banks take all lanes of an access of up to four bytes each
/// together, so that it does not matter which of the lanes has which address.
bool servesLanesTogether(const arch::SharedSpec &Spec);

/// Passes that the banks of shared memory need for one warp instruction: 1
/// without conflict. Lanes that read the same bank word share a pass
/// (broadcast); accesses wider than 4 bytes take the lanes in halves (8 bytes)
/// or quarters (16 bytes), as each bank delivers one word per pass. With
/// SharedSpec::MergeWide two of these share a pass where their words allow it,
/// with ConflictFree all have as few as their bytes need.
unsigned sharedPasses(const trace::MemoryAccess &A, int64_t ByteOffset,
                      uint32_t AccessBytes, const arch::SharedSpec &Spec);

/// Passes that the bytes of the lanes need without any conflict.
unsigned fewestPasses(const trace::MemoryAccess &A, uint32_t AccessBytes,
                      const arch::SharedSpec &Spec);

/// The same for atomics: lanes on the same word go one by one.
unsigned sharedAtomicPasses(const trace::MemoryAccess &A, int64_t ByteOffset,
                            uint32_t AccessBytes, const arch::SharedSpec &Spec);

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_COALESCER_H
