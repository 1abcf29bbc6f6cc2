//===- AddressMap.h - Which slice and row an address lives in ---*- C++ -*-===//

#ifndef HEDDLE_MEMORY_ADDRESSMAP_H
#define HEDDLE_MEMORY_ADDRESSMAP_H

#include "arch/GPUSpec.h"
#include "base/Divider.h"

#include <array>
#include <cstdint>

namespace heddle::memory {

/// Whether the second half of L2 is the near one of an SM: the machines' files
/// do not say which are, here it is those of the second half.
inline bool nearHalf(const arch::GPUSpec &Spec, unsigned SM) {
  return SM * 2 >= Spec.SM.Count;
}

/// Whether \p Slice lies in the half of L2 that is not the near one of \p SM.
inline bool inOtherHalf(const arch::GPUSpec &Spec, unsigned SM,
                        unsigned Slice) {
  return (Slice * 2 >= Spec.L2.Slices) != nearHalf(Spec, SM);
}

/// Spreads chunks of l2.interleave bytes over the slices. Every hash maps each
/// run of as many chunks as slices to all slices, so (slice, local) is unique.
/// `polynomial` takes the chunk number modulo an irreducible polynomial (Rau,
/// "Pseudo-randomly interleaved memory", ISCA 1991).
class AddressMap {
public:
  /// Of device memory, since Pascal (NVIDIA, "Tesla P100", 2016). The models
  /// place nothing beyond.
  static constexpr unsigned AddressBits = 49;

  explicit AddressMap(const arch::GPUSpec &Spec);

  struct Place {
    uint32_t Slice;
    uint64_t Local; ///< address within the slice, dense
  };
  Place place(uint64_t Address) const {
    uint64_t Chunk = Address >> InterleaveShift;
    uint64_t Group =
        PowerOfTwo ? Chunk >> SliceShift : BySlices.quotient(Chunk);
    uint32_t Slice =
        uint32_t(PowerOfTwo ? Chunk & (Slices - 1) : Chunk - Group * Slices);
    return {hashed(Slice, Chunk, Group),
            (Group << InterleaveShift) |
                (Address & ((uint64_t(1) << InterleaveShift) - 1))};
  }

  /// Where a slice's local address lies in the memory of its channel, whose
  /// slices take chunks in turn.
  uint64_t channelAddress(uint32_t SliceInChannel, uint64_t Local) const {
    uint64_t Group = Local >> InterleaveShift;
    return ((Group * SlicesPerChannel + SliceInChannel) << InterleaveShift) |
           (Local & ((uint64_t(1) << InterleaveShift) - 1));
  }

private:
  uint32_t hashed(uint32_t Slice, uint64_t Chunk, uint64_t Group) const;

  arch::SliceHash Hash;
  uint32_t Slices, SlicesPerChannel, InterleaveShift, SliceShift;
  bool PowerOfTwo;
  Divider BySlices;
  /// Remainders of the parts of a chunk number, by part: those that an
  /// address of AddressBits has.
  static constexpr unsigned PartBits = 11;
  std::array<std::array<uint16_t, 1 << PartBits>, 4> Remainders{};
};

// In every model each line passes here.
inline uint32_t AddressMap::hashed(uint32_t Slice, uint64_t Chunk,
                                   uint64_t Group) const {
  if (Hash == arch::SliceHash::Modulo || Slices == 1)
    return Slice;
  if (!PowerOfTwo) {
    // No exclusive or stays below the number of slices: rotate instead.
    uint64_t Mixed = (Group * 0x9E3779B97F4A7C15ull) >> 40;
    return uint32_t(BySlices.remainder(Slice + Mixed));
  }
  uint32_t Result = 0;
  if (Hash == arch::SliceHash::Polynomial) {
    for (const auto &OfPart : Remainders) {
      Result ^= OfPart[Chunk % OfPart.size()];
      Chunk >>= PartBits;
    }
    return Result & (Slices - 1);
  }
  for (; Chunk; Chunk >>= SliceShift)
    Result ^= uint32_t(Chunk);
  return Result & (Slices - 1);
}

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_ADDRESSMAP_H
