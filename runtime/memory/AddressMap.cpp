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
      PowerOfTwo(std::has_single_bit(Slices)), BySlices(Slices) {
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

} // namespace heddle::memory
