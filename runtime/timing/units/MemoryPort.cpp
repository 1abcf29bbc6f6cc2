//===- MemoryPort.cpp - The way from an SM to the interconnect ------------===//

#include "timing/units/MemoryPort.h"

#include <algorithm>
#include <bit>

using namespace heddle;
using namespace heddle::timing;
using memory::RequestKind;

static double bytesPerCoreCycle(const arch::GPUSpec &Spec) {
  if (Spec.Clock.Core <= 0 || Spec.Clock.L2 <= 0)
    return Spec.Icnt.RequestBytes;
  return Spec.Icnt.RequestBytes * Spec.Clock.L2 / Spec.Clock.Core;
}

MemoryPort::MemoryPort(const arch::GPUSpec &Spec, unsigned SM)
    : SM(SM), LineBytes(Spec.L2.Line ? Spec.L2.Line : 128),
      SectorBytes(Spec.L2.Sector ? Spec.L2.Sector : 32), Cost(Spec),
      Payload(std::max(1u, Spec.Icnt.PacketPayload)),
      WriteCredits(Spec.Icnt.WriteCredits),
      SectorRequests(Spec.Icnt.SectorRequests), QueueCycles(0),
      Link(bytesPerCoreCycle(Spec)) {
  double Rate = bytesPerCoreCycle(Spec);
  if (Rate > 0)
    QueueCycles = Cycle(std::max(1u, Spec.L1.MissQueue) *
                        std::max(1.0, Cost.bytes(1, true) / Rate));
  else
    QueueCycles = NeverCycle;
}

unsigned MemoryPort::packets(unsigned Sectors) const {
  return std::max(1u, (Sectors * SectorBytes + Payload - 1) / Payload);
}

void MemoryPort::send(RequestKind Kind, uint64_t Line, uint16_t Sectors,
                      uint16_t FullSectors, uint32_t FromSector, Cycle At,
                      ReplyTo To, uint32_t Owner, uint32_t Inst, uint8_t Lanes,
                      uint8_t SameAddress) {
  // Sectors may lie in several lines of L2, or several sectors of the cache in
  // one sector of L2.
  uint32_t Group = Flights.take();
  Flight &F = Flights[Group];
  F.Sectors = Sectors;
  F.Owner = Owner;
  F.To = To;
  const bool Carries = Kind != RequestKind::Read;
  const bool Fetches = To == ReplyTo::Instructions || To == ReplyTo::Constant;
  auto Send = [&](uint64_t L2Line, uint16_t Mask, uint16_t Full) {
    unsigned Count = std::popcount(Mask);
    uint64_t Bytes = Cost.bytes(Count, Carries);
    memory::MemoryRequest R;
    R.Line = L2Line;
    R.Sent = Link.send(At, Bytes);
    R.Token = Group;
    R.Sequence = Sequence++;
    R.SM = SM;
    R.SectorMask = Mask;
    R.Kind = Kind;
    R.Lanes = Lanes;
    R.SameAddress = SameAddress;
    R.Inst = Inst;
    R.FullSectors = (Mask & ~Full) == 0;
    R.Common = Fetches;
    Outbox.push_back(R);
    NextSent = std::min(NextSent, R.Sent);
    ++F.Parts;
    ++Requests;
    if (Carries) {
      const unsigned Packets = packets(Count);
      F.Packets += Packets;
      Writes += Packets;
    }
  };
  auto Flush = [&](uint64_t L2Line, uint16_t Mask, uint16_t Full) {
    if (!SectorRequests)
      return Send(L2Line, Mask, Full);
    // A fetch of a sector of the cache is one packet, which L2 takes apart. So
    // are loads of L1, but those wait where L2's queue has no room for all
    // parts, which is not modelled: there packets of their own come nearer.
    if (Fetches && FromSector > SectorBytes) {
      Send(L2Line, Mask, Full);
      Outbox.back().BySector = true;
      F.Parts += std::popcount(Mask) - 1;
      return;
    }
    for (uint32_t Rest = Mask; Rest; Rest &= Rest - 1)
      Send(L2Line, uint16_t(Rest & -Rest), Full);
  };

  if (FromSector == SectorBytes && Line % LineBytes == 0 &&
      (uint32_t(Sectors) >> (LineBytes / SectorBytes)) == 0) {
    Flush(Line, Sectors, FullSectors);
    return;
  }
  uint64_t Current = 0;
  uint16_t Mask = 0, Full = 0;
  for (uint32_t Rest = Sectors; Rest; Rest &= Rest - 1) {
    unsigned S = std::countr_zero(Rest);
    uint64_t Begin = Line + uint64_t(S) * FromSector;
    for (uint64_t A = Begin / SectorBytes * SectorBytes; A < Begin + FromSector;
         A += SectorBytes) {
      uint64_t L2Line = A / LineBytes * LineBytes;
      if (Mask && L2Line != Current) {
        Flush(Current, Mask, Full);
        Mask = Full = 0;
      }
      Current = L2Line;
      uint16_t Bit = 1 << ((A - L2Line) / SectorBytes);
      Mask |= Bit;
      if (FullSectors >> S & 1)
        Full |= Bit;
    }
  }
  Flush(Current, Mask, Full);
}

bool MemoryPort::receive(uint64_t Token, bool FromDRAM, Flight &Done) {
  Flight F = Flights[Token];
  F.FromDRAM |= FromDRAM;
  if (--F.Parts) {
    Flights[Token] = F;
    return false;
  }
  Writes -= F.Packets;
  Done = F;
  Flights.give(Token);
  return true;
}

void MemoryPort::countSent(Cycle First, Cycle End,
                           std::span<uint32_t> Counts) const {
  if (NextSent >= End)
    return;
  for (const memory::MemoryRequest &R : Outbox)
    if (R.Sent < End)
      ++Counts[R.Sent - First];
}

void MemoryPort::takeSent(Cycle First, Cycle End, std::span<uint32_t> Places,
                          std::span<memory::MemoryRequest> Out) {
  if (NextSent >= End)
    return;
  NextSent = NeverCycle;
  size_t Kept = 0;
  for (const memory::MemoryRequest &R : Outbox) {
    if (R.Sent < End) {
      Out[Places[R.Sent - First]++] = R;
      continue;
    }
    NextSent = std::min(NextSent, R.Sent);
    Outbox[Kept++] = R;
  }
  Outbox.resize(Kept);
}

void MemoryPort::takeSent(Cycle End, std::vector<memory::MemoryRequest> &Out) {
  const auto Rest = std::ranges::find_if(
      Outbox, [End](const memory::MemoryRequest &R) { return R.Sent >= End; });
  Out.insert(Out.end(), Outbox.begin(), Rest);
  Outbox.erase(Outbox.begin(), Rest);
  NextSent = Outbox.empty() ? NeverCycle : Outbox.front().Sent;
}
