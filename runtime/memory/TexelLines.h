//===- TexelLines.h - What a warp reads of a texture ------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_TEXELLINES_H
#define HEDDLE_MEMORY_TEXELLINES_H

#include "heddle/ABI/TextureOps.h"
#include "memory/Coalescer.h"

#include <bit>
#include <span>

namespace heddle::memory {

/// Calls \p Do(A, Bytes) with each row of texels that the lanes read:
/// \p Places and \p Footprints are the two records of a texture read
/// (ABI/TextureOps.h), A the lanes whose rows begin there.
template <typename F>
void forEachTexelRow(const trace::MemoryAccess &Places,
                     const trace::MemoryAccess &Footprints, F Do) {
  for (uint32_t Left = Places.Mask & Footprints.Mask; Left;) {
    const uint64_t Word = Footprints.address(unsigned(std::countr_zero(Left)));
    trace::MemoryAccess A = Places;
    A.Mask = 0;
    for (uint32_t L = Left; L; L &= L - 1)
      if (Footprints.address(unsigned(std::countr_zero(L))) == Word)
        A.Mask |= L & -L;
    Left &= ~A.Mask;
    const uint32_t Bytes = (Word & HEDDLE_FOOTPRINT_TEXEL)
                           << (Word & HEDDLE_FOOTPRINT_COLUMNS ? 1 : 0);
    if (!Bytes)
      continue;
    const uint64_t Row =
        Word >> HEDDLE_FOOTPRINT_ROW_SHIFT & HEDDLE_FOOTPRINT_PITCH;
    const uint64_t Slice = Row * (Word >> HEDDLE_FOOTPRINT_SLICE_SHIFT);
    for (unsigned S = 0; S <= (Word & HEDDLE_FOOTPRINT_SLICES ? 1u : 0u); ++S)
      for (unsigned R = 0; R <= (Word & HEDDLE_FOOTPRINT_ROWS ? 1u : 0u); ++R) {
        trace::MemoryAccess Part = A;
        Part.Base += S * Slice + R * Row;
        Do(Part, Bytes);
      }
  }
}

/// Whether record \p N of \p Records has footprints behind it.
inline bool hasFootprints(std::span<const HeddleMemoryRecord> Records,
                          uint32_t N) {
  return Records[N].Space == HEDDLE_SPACE_TEXTURE && N + 1 < Records.size() &&
         Records[N + 1].Space == HEDDLE_SPACE_PARAM;
}

/// The lines and sectors that the lanes' texels lie in: fills
/// \p Out[Coalescer::MaxLines], returns how many.
unsigned coalesceTexels(const Coalescer &Lines,
                        const trace::MemoryAccess &Places,
                        const trace::MemoryAccess &Footprints, LineAccess *Out);

/// Cycles of a pipe that takes a quad, four neighbouring lanes, per cycle and
/// filters \p FilterBytes of each lane's texels in it; texels of two slices
/// take twice as long.
unsigned texelTurns(const trace::MemoryAccess &Footprints,
                    unsigned FilterBytes);

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_TEXELLINES_H
