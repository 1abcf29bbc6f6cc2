//===- RowChannel.cpp - Rows that one DRAM channel opens ------------------===//

#include "interval/RowChannel.h"

#include <algorithm>
#include <bit>

namespace heddle::interval {

// One from the middle: the first may have what is at the start of buffers.
RowChannel::RowChannel(const arch::GPUSpec &Spec, const memory::AddressMap &Map,
                       uint32_t OfLoads)
    : L2(Spec.L2), Map(Map), OfLoads(OfLoads),
      Slices(std::max(1u, Spec.L2.Slices / std::max(1u, Spec.DRAM.Channels)),
             Tags(Spec.L2, Spec.L2.TotalSize ? Spec.L2.Size : 0)),
      Dirty(Slices.size(), {Spec.L2, Spec.L2.TotalSize ? Spec.L2.Size : 0}),
      FirstSlice(Spec.DRAM.Channels / 2 * uint32_t(Slices.size())),
      Read(Spec.DRAM, Spec.L2.Interleave, Spec.DRAM.Queue, Spec.DRAM.Queue),
      Written(Spec.DRAM, Spec.L2.Interleave, memory::writesAtOnce(Spec.DRAM),
              memory::writesAtOnce(Spec.DRAM)) {}

RowChannel::Way &RowChannel::wayOf(unsigned Slice, uint64_t Local,
                                   uint32_t Step) {
  Tags &T = Slices[Slice - FirstSlice];
  if (const uint32_t At = T.find(Local); At != Tags::None) {
    T.touch(At);
    return T[At];
  }
  Way &W = T[T.replace(
      Local, [](const Way &) { return true; },
      [&](const Way &Old) {
        if (!Old.Dirty)
          return;
        write(Slice, Old, Step);
        Dirty[Slice - FirstSlice].left();
      })];
  W.Valid = W.Dirty = 0;
  return W;
}

void RowChannel::access(uint64_t Line, uint16_t Sectors, bool Reads,
                        bool Writes, uint32_t Step) {
  const uint32_t SectorBytes = sectorBytes(Writes);
  while (Sectors) {
    // Those that lie in one line of L2.
    const uint64_t Address =
        Line + uint64_t(std::countr_zero(Sectors)) * SectorBytes;
    const uint64_t First = Address / L2.Line * L2.Line;
    uint16_t Here = 0;
    for (; Sectors; Sectors &= Sectors - 1) {
      const uint64_t At =
          Line + uint64_t(std::countr_zero(Sectors)) * SectorBytes;
      if (At - First >= L2.Line)
        break;
      for (uint64_t Byte = 0; Byte < SectorBytes; Byte += L2.Sector)
        Here |= uint16_t(1 << ((At + Byte - First) / L2.Sector));
    }
    const memory::AddressMap::Place P = Map.place(First);
    if (!has(P))
      continue;
    uint16_t Fetched = Here;
    if (Slices.front().present()) {
      Way &W = wayOf(P.Slice, P.Local, Step);
      Fetched = Here & ~W.Valid;
      W.Valid |= Here;
      const bool Clean = !W.Dirty;
      W.Dirty |= Writes ? Here : 0;
      if (Tags &T = Slices[P.Slice - FirstSlice]; Clean && W.Dirty)
        Dirty[P.Slice - FirstSlice].soil(
            T, uint32_t(&W - &T[0]),
            [&](const Way &Old) { write(P.Slice, Old, Step); });
    } else if (Writes) {
      ask(Step, std::popcount(Here), true, inChannel(P.Slice, P.Local));
    }
    if (Reads && Fetched)
      ask(Step, std::popcount(Fetched), false, inChannel(P.Slice, P.Local));
  }
}

void RowChannel::endTurn() {
  std::ranges::stable_sort(OfTurn, {}, &Request::Step);
  for (const Request &R : OfTurn)
    (R.IsWrite ? Written : Read).add(R.Address, R.Sectors, 0);
  OfTurn.clear();
}

double RowChannel::activates() const {
  const double Sectors = Read.sectors() + Written.sectors();
  return Sectors > 0 ? (Read.activates() + Written.activates()) / Sectors : 0;
}

} // namespace heddle::interval
