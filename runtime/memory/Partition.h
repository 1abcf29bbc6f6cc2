//===- Partition.h - A DRAM channel and its L2 slices -----------*- C++ -*-===//

#ifndef HEDDLE_MEMORY_PARTITION_H
#define HEDDLE_MEMORY_PARTITION_H

#include "base/RingBuffer.h"
#include "memory/AddressMap.h"
#include "memory/Cache.h"
#include "memory/ClockRatio.h"
#include "memory/DRAMChannel.h"
#include "memory/MemorySystem.h"
#include "memory/Port.h"

#include <algorithm>
#include <vector>

namespace heddle::memory {

/// What leaves a slice for an SM. Times in L2 clock cycles.
struct SliceReply {
  uint64_t Token;
  Cycle Exit; ///< the last packet is in the network
  uint32_t Bytes;
  uint16_t SM;
  uint16_t Slice; ///< of the machine
  RequestKind Kind;
  bool FromDRAM;
};

/// Works through the requests of its slices in time order. Nothing outside
/// touches it while it advances, so partitions run in parallel.
/// Times in L2 clock cycles.
class Partition {
public:
  /// Token of requests without a waiter.
  static constexpr uint64_t NoToken = ~uint64_t(0);

  Partition(const arch::GPUSpec &Spec, const AddressMap &Map,
            unsigned FirstSlice);

  /// A request has reached the slice; \p Arrival ascends per slice port.
  void route(unsigned Slice, const MemoryRequest &R, uint64_t LocalLine,
             Cycle Arrival);
  /// Handles everything before \p Until.
  void advance(Cycle Until);
  /// When something happens next; NeverCycle if nothing is left.
  Cycle nextEvent() const;

  void preload(unsigned Slice, uint64_t LocalLine, uint16_t Sectors) {
    Slices[Slice].L2.preload(LocalLine, Sectors);
  }

  /// What has left the slices and was not taken yet.
  std::vector<SliceReply> Replies;

  void addCounters(MemoryCounters &Sum) const;

private:
  struct Arrived {
    uint64_t LocalLine;
    uint64_t Token;
    Cycle Time;
    uint16_t SM;
    uint16_t Sectors;
    RequestKind Kind;
    uint8_t Lanes, SameAddress;
  };
  struct Slice {
    explicit Slice(const arch::GPUSpec &Spec);
    Cache L2;
    Port In, Out;
    RingBuffer<Arrived> Queue;
    size_t Known = 0; ///< of Queue, before the window of the last advance()
    Cycle Free = 0;
    Cycle BlockedSince = NeverCycle; ///< waits for a fill of this slice
    bool Held = false;               ///< waits until DRAM takes writes
    Cycle Due = NeverCycle; ///< of the next request; kept, as it is asked often

    void findDue() {
      Due = Queue.empty() || BlockedSince != NeverCycle || Held
                ? NeverCycle
                : std::max(Free, Queue.front().Time);
    }
  };
  struct Fetch {
    uint16_t Sectors;
    uint16_t Slice;
    uint32_t For; ///< MSHR of the slice; without L2 the request, in Pool
  };
  struct Fill {
    Cycle Time;
    uint32_t Fetch;
  };

  void serve(unsigned SliceIndex, Cycle Now);
  bool mayWriteBack(const Slice &S, const Arrived &A) const;
  void letGo(Cycle Now);
  bool lookUp(unsigned SliceIndex, const Arrived &A, Cycle Now);
  void passThrough(unsigned SliceIndex, const Arrived &A, Cycle Now);
  void finish(unsigned SliceIndex, const Arrived &A, Cycle Now, bool FromDRAM);
  void finishFill(const Fill &F);
  void reply(unsigned SliceIndex, const Arrived &A, Cycle Now, bool FromDRAM);
  void toDRAM(unsigned SliceIndex, uint64_t LocalLine, uint16_t Sectors,
              bool Write, uint32_t Tag, Cycle Now);
  uint32_t newWaiting(const Arrived &A);

  const arch::GPUSpec &Spec;
  const AddressMap &Map;
  const LinkCost Cost;
  const unsigned FirstSlice;
  ClockRatio ToDRAM, FromDRAM;
  Cycle DRAMLatency; ///< L2 clock
  const uint32_t WriteLimit;
  std::vector<Slice> Slices;
  DRAMChannel DRAM;
  std::vector<Fill> Fills;   ///< min-heap by time
  std::vector<Arrived> Pool; ///< requests that wait for fills
  std::vector<uint32_t> FreePool;
  std::vector<Fetch> Fetches;
  std::vector<uint32_t> FreeFetches;
  std::vector<uint32_t> Woken;
  Cycle NextDRAM = NeverCycle; ///< cached, L2 clock
  unsigned NumHeld = 0;        ///< slices that are Held
  MemoryCounters Counts;       ///< what no part counts itself
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_PARTITION_H
