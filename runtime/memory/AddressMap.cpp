//===- AddressMap.cpp - Which slice and row an address lives in -----------===//

#include "memory/AddressMap.h"

#include <bit>

namespace heddle::memory {
namespace {

/// Primitive polynomials over GF(2) by degree, without the leading term
/// (standard tables of linear feedback shift registers).
constexpr uint32_t Primitive[] = {0x0, 0x1, 0x3,  0x3,  0x3, 0x5,
                                  0x3, 0x3, 0x1d, 0x11, 0x9};

} // namespace

AddressMap::AddressMap(const arch::GPUSpec &Spec)
    : Hash(Spec.L2.Hash), Slices(Spec.L2.Slices),
      SlicesPerChannel(Spec.L2.Slices / Spec.DRAM.Channels),
      InterleaveShift(std::countr_zero(Spec.L2.Interleave)),
      SliceShift(std::countr_zero(std::bit_ceil(Slices))),
      PowerOfTwo(std::has_single_bit(Slices)) {
  if (Hash != arch::SliceHash::Polynomial || !PowerOfTwo || SliceShift == 0 ||
      SliceShift >= std::size(Primitive))
    return;
  // x^i modulo the polynomial for each bit, then sums for each part.
  uint32_t Power = 1;
  uint16_t BitRemainder[4 * PartBits];
  for (uint16_t &R : BitRemainder) {
    R = uint16_t(Power);
    Power <<= 1;
    if (Power >> SliceShift)
      Power = (Power & (Slices - 1)) ^ Primitive[SliceShift];
  }
  for (unsigned Part = 0; Part != Remainders.size(); ++Part)
    for (unsigned Value = 0; Value != Remainders[Part].size(); ++Value)
      for (unsigned Bit = 0; Bit != PartBits; ++Bit)
        if (Value >> Bit & 1)
          Remainders[Part][Value] ^= BitRemainder[Part * PartBits + Bit];
}

uint32_t AddressMap::hashed(uint32_t Slice, uint64_t Chunk,
                            uint64_t Group) const {
  if (Hash == arch::SliceHash::Modulo || Slices == 1)
    return Slice;
  if (!PowerOfTwo) {
    // No exclusive or stays below the number of slices: rotate instead.
    uint64_t Mixed = (Group * 0x9E3779B97F4A7C15ull) >> 40;
    return uint32_t((Slice + Mixed) % Slices);
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
