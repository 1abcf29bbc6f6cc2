//===- Bursts.h - Column commands that sectors take -------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_BURSTS_H
#define HEDDLE_MEMORY_BURSTS_H

#include "arch/GPUSpec.h"

#include <algorithm>
#include <bit>

namespace heddle::memory {

/// The column commands that \p Sectors of a line, a mask, take of DRAM: those
/// in one burst share it, and each takes one at least.
inline uint32_t burstsOf(const arch::GPUSpec &Spec, uint16_t Sectors) {
  const uint32_t SectorBytes = std::max(1u, Spec.L2.Sector),
                 PerBurst = Spec.DRAM.BurstBytes / SectorBytes;
  if (PerBurst <= 1)
    return std::popcount(Sectors) *
           std::max(1u, SectorBytes / Spec.DRAM.BurstBytes);
  uint32_t Bursts = 0;
  for (uint32_t Left = Sectors; Left; ++Bursts) {
    uint32_t End = (std::countr_zero(Left) / PerBurst + 1) * PerBurst;
    Left = End < 16 ? Left >> End << End : 0;
  }
  return Bursts;
}

/// What these bursts carry, in sectors: no less than was asked for.
inline double sectorsMoved(const arch::GPUSpec &Spec, uint16_t Sectors) {
  return double(burstsOf(Spec, Sectors)) * Spec.DRAM.BurstBytes /
         std::max(1u, Spec.L2.Sector);
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_BURSTS_H
