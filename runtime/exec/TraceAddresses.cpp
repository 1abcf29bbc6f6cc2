//===- TraceAddresses.cpp - Addresses as traces have them -----------------===//

#include "exec/TraceAddresses.h"

#include "exec/DeviceMemory.h"

#include <bit>

namespace heddle::exec {

/// An address in the shared memory of a cluster, by rank and offset.
static uint64_t toClusterAddress(const HeddleWarp &W, uint64_t Address) {
  const uint64_t At = Address - reinterpret_cast<uint64_t>(W.ClusterShared);
  const uint64_t Rank = At >> W.WindowShift;
  return Rank << HEDDLE_CLUSTER_RANK_SHIFT |
         (At - (Rank << W.WindowShift)) %
             (uint64_t(1) << HEDDLE_CLUSTER_RANK_SHIFT);
}

/// Whether a lane of a generic access to shared memory leaves that of its own
/// block.
static bool leavesBlock(const HeddleWarp &W, uint32_t Mask,
                        const uint64_t *Addresses) {
  if (W.ClusterBlocks == 1)
    return false;
  const uint64_t Own = reinterpret_cast<uint64_t>(W.Shared);
  for (; Mask; Mask &= Mask - 1)
    if ((Addresses[std::countr_zero(Mask)] ^ Own) >> W.WindowShift)
      return true;
  return false;
}

namespace {
/// Lane l moves down by Base + l * Step.
struct Translation {
  uint64_t Base, Step;

  Translation(const HeddleWarp &W, HeddleMemorySpace Space) {
    switch (Space) {
    case HEDDLE_SPACE_SHARED:
      Base = reinterpret_cast<uint64_t>(W.Shared);
      Step = 0;
      break;
    case HEDDLE_SPACE_LOCAL:
      Base = reinterpret_cast<uint64_t>(W.Local);
      Step = W.LocalStride;
      break;
    case HEDDLE_SPACE_PARAM: // a number of the instruction
      Base = Step = 0;
      break;
    default:
      Base = DeviceMemory::deviceZero(W.Shared);
      Step = 0;
    }
  }
  uint64_t operator()(unsigned Lane, uint64_t Address) const {
    return Address - Base - Lane * Step;
  }
};
} // namespace

HeddleMemorySpace toTraceAddresses(const HeddleWarp &W, HeddleMemorySpace Space,
                                   uint32_t Mask, const uint64_t *Addresses,
                                   uint64_t *Translated) {
  bool Generic = Space == HEDDLE_SPACE_GENERIC;
  // Lanes of one access that point into different memories are recorded as
  // those of the first: a machine would split the access, a trace does not.
  if (Generic)
    Space = heddleSpaceOfAddress(Addresses[std::countr_zero(Mask)]);
  if (Generic && Space == HEDDLE_SPACE_SHARED &&
      leavesBlock(W, Mask, Addresses))
    Space = HEDDLE_SPACE_CLUSTER;
  if (Space == HEDDLE_SPACE_CLUSTER) {
    for (unsigned L = 0; L < 32; ++L)
      Translated[L] = toClusterAddress(W, Addresses[L]);
  } else if (Generic) {
    for (uint32_t M = Mask; M; M &= M - 1) {
      unsigned L = std::countr_zero(M);
      Translated[L] =
          Translation(W, heddleSpaceOfAddress(Addresses[L]))(L, Addresses[L]);
    }
  } else {
    // Inactive lanes are translated too: that is cheaper than a test.
    const Translation T(W, Space);
    for (unsigned L = 0; L < 32; ++L)
      Translated[L] = T(L, Addresses[L]);
  }
  return Space;
}

} // namespace heddle::exec
