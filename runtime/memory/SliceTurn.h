//===- SliceTurn.h - How long a request keeps a slice busy ------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_SLICETURN_H
#define HEDDLE_MEMORY_SLICETURN_H

#include "arch/GPUSpec.h"

#include <algorithm>

namespace heddle::memory {

/// L2 cycles for which a request of \p Sectors keeps its slice of L2 from
/// others. Of an atomic, \p SameAddress lanes on one address go one by one
/// meanwhile; 0 for what is none.
inline uint64_t sliceTurn(const arch::L2Spec &L2, unsigned Sectors,
                          unsigned SameAddress) {
  return std::max(uint64_t(Sectors) * L2.CyclesPerSector,
                  uint64_t(SameAddress) * L2.AtomicCycles);
}

/// The same of an atomic by its lines alone, to compare slices: a sector takes
/// as long as a lane.
inline unsigned atomicTurns(unsigned Sectors, unsigned SameAddress) {
  return std::max({1u, Sectors, SameAddress});
}

/// Share of all requests that come in at the port of a slice whose lines are
/// \p Share of them. Where L2 has halves, each SM sends to the near one what
/// has its home in the other: half of the requests for a line come in at its
/// home, and half of those for the lines of the counterpart, which is taken to
/// be any slice.
inline double shareComingIn(const arch::L2Spec &L2, double Share) {
  if (L2.Halves != 2 || L2.Slices < 2)
    return Share;
  return (Share + (1 - Share) / (L2.Slices - 1)) / 2;
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_SLICETURN_H
