//===- LinkCost.h - What packets take on a link -----------------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_LINKCOST_H
#define HEDDLE_MEMORY_LINKCOST_H

#include "arch/GPUSpec.h"

#include <array>

namespace heddle::memory {

/// Bytes that sectors of a line take on a link: packet headers, the data itself
/// if the packets carry it, rounded up to flits. Write acknowledges and read
/// requests are headers.
class LinkCost {
public:
  explicit LinkCost(const arch::GPUSpec &Spec) {
    const arch::IcntSpec &N = Spec.Icnt;
    for (unsigned WithData = 0; WithData != 2; ++WithData)
      for (unsigned Sectors = 1; Sectors <= MaxSectors; ++Sectors) {
        auto Packet = [&](uint64_t Payload) {
          uint64_t Bytes = N.HeaderBytes + (WithData ? Payload : 0);
          Bytes = Bytes ? Bytes : 1;
          return (Bytes + N.FlitBytes - 1) / N.FlitBytes * N.FlitBytes;
        };
        uint64_t Payload = uint64_t(Sectors) * Spec.L2.Sector;
        uint64_t Rest = Payload % N.PacketPayload;
        Table[WithData][Sectors] =
            uint32_t(Payload / N.PacketPayload * Packet(N.PacketPayload) +
                     (Rest ? Packet(Rest) : 0));
      }
  }
  uint32_t bytes(unsigned Sectors, bool WithData) const {
    return Table[WithData][Sectors];
  }

private:
  static constexpr unsigned MaxSectors = 16;
  std::array<std::array<uint32_t, MaxSectors + 1>, 2> Table{};
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_LINKCOST_H
