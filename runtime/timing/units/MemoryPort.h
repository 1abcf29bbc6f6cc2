//===- MemoryPort.h - The way from an SM to the interconnect ----*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_MEMORYPORT_H
#define HEDDLE_TIMING_UNITS_MEMORYPORT_H

#include "memory/MemorySystem.h"
#include "memory/Port.h"
#include "timing/units/LoadTable.h"

#include <span>
#include <vector>

namespace heddle::timing {

/// Splits accesses of an SM into requests of the memory system, gives each
/// its turn on the SM's port and keeps track of who waits for the answer.
class MemoryPort {
public:
  MemoryPort(const arch::GPUSpec &Spec, unsigned SM);

  /// Bytes [Line, Line + Sectors) of a cache with sectors of \p SectorBytes go
  /// out at \p At or later, for instruction \p Inst.
  void send(memory::RequestKind Kind, uint64_t Line, uint16_t Sectors,
            uint16_t FullSectors, uint32_t SectorBytes, Cycle At, ReplyTo To,
            uint32_t Owner, uint32_t Inst = memory::MemoryRequest::NoInst,
            uint8_t Lanes = 0, uint8_t SameAddress = 0);

  /// Cycles that a request at \p Now would be beyond what the miss queue
  /// holds: so long must the sender wait.
  Cycle backpressure(Cycle Now) const {
    Cycle Backlog = Link.backlog(Now);
    return Backlog > QueueCycles ? Backlog - QueueCycles : 0;
  }
  /// Whether a write may be sent (write credits).
  bool canWrite() const { return !WriteCredits || Writes < WriteCredits; }

  const Flight &flight(uint64_t Token) const { return Flights[Token]; }
  /// The response with \p Token came; true, with \p Done set, when it
  /// completes its group.
  bool receive(uint64_t Token, bool FromDRAM, Flight &Done);

  /// Adds the requests that leave before \p End to Counts[time - First].
  void countSent(Cycle First, Cycle End, std::span<uint32_t> Counts) const;
  /// Moves these requests to Out[Places[time - First]++].
  void takeSent(Cycle First, Cycle End, std::span<uint32_t> Places,
                std::span<memory::MemoryRequest> Out);

  /// The same for a lone SM, whose requests are in order anyway.
  void takeSent(Cycle End, std::vector<memory::MemoryRequest> &Out);

  /// When the next request that was not collected leaves, or NeverCycle.
  Cycle nextSent() const { return NextSent; }
  size_t inFlight() const { return Flights.inUse(); }
  uint64_t requests() const { return Requests; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[SM, LineBytes, SectorBytes, Cost, Payload, WriteCredits,
           SectorRequests, QueueCycles, Link, Flights, Outbox, NextSent,
           Sequence, Writes, Requests] = *this;
    A(Link, Flights, Outbox, NextSent, Sequence, Writes, Requests);
  }

private:
  unsigned packets(unsigned Sectors) const;

  unsigned SM;
  uint32_t LineBytes, SectorBytes; ///< of L2
  memory::LinkCost Cost;
  uint32_t Payload;
  uint32_t WriteCredits;
  bool SectorRequests;
  Cycle QueueCycles;
  memory::Port Link;
  FlightTable Flights;
  std::vector<memory::MemoryRequest> Outbox;
  Cycle NextSent = NeverCycle;
  uint32_t Sequence = 0;
  uint32_t Writes = 0; ///< packets under way
  uint64_t Requests = 0;
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_MEMORYPORT_H
