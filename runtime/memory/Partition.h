//===- Partition.h - DRAM channels and their L2 slices ----------*- C++ -*-===//

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

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Token, Exit, Bytes, SM, Slice, Kind, FromDRAM] = *this;
    A(Token, Exit, Bytes, SM, Slice, Kind, FromDRAM);
  }
};

/// A DRAM channel and its slices of L2; where L2 has halves one of each, and
/// what goes between them stays here. A request goes to the half that is near
/// to its SM; what has its home in the other one goes on, and what was read
/// leaves a copy. Works through the requests of its slices in time order.
/// Nothing outside touches it while it advances, so partitions run in parallel.
/// Times in L2 clock cycles.
class Partition {
public:
  /// Token of requests without a waiter.
  static constexpr uint64_t NoToken = ~uint64_t(0);

  /// The \p Index-th one of the machine.
  Partition(const arch::GPUSpec &Spec, const AddressMap &Map, unsigned Index);

  /// A request for a line of the slice (those of the first half come first) has
  /// come to it, or to its counterpart in the half of the SM; \p Arrival
  /// ascends per slice port.
  void route(unsigned Slice, const MemoryRequest &R, uint64_t LocalLine,
             Cycle Arrival);
  /// Handles everything before \p Until.
  void advance(Cycle Until);
  /// When something happens next; NeverCycle if nothing is left.
  Cycle nextEvent() const;

  unsigned preload(unsigned Slice, uint64_t LocalLine, uint16_t Sectors) {
    return Slices[Slice].L2.preload(LocalLine, Sectors);
  }
  /// The same for an access of \p SM: the half near to it gets a copy of what
  /// it reads, and a write leaves none.
  unsigned warm(unsigned Slice, uint64_t LocalLine, uint16_t Sectors,
                unsigned SM, bool Writes) {
    if (Channels.size() == 2) {
      Cache &Other = Slices[counterpart(Slice)].L2;
      if (Writes)
        Other.drop(LocalLine | Copy, Sectors);
      else if (nearHalf(Spec, SM) != (Slice >= PerChannel))
        Other.preload(LocalLine | Copy, Sectors);
    }
    return preload(Slice, LocalLine, Sectors);
  }
  /// Forgets the sectors and their copy.
  void drop(unsigned Slice, uint64_t LocalLine, uint16_t Sectors) {
    Slices[Slice].L2.drop(LocalLine, Sectors);
    if (Channels.size() == 2)
      Slices[counterpart(Slice)].L2.drop(LocalLine | Copy, Sectors);
  }
  /// Appends the slices' L2 to \p Out: moved, while nothing is on its way.
  void takeL2(std::vector<Cache> &Out) {
    for (Slice &S : Slices)
      Out.push_back(std::move(S.L2));
  }
  /// Takes the first ones of \p From, as takeL2() left them, and drops them.
  void putL2(std::span<Cache> &From) {
    for (Slice &S : Slices) {
      S.L2 = std::move(From.front());
      S.L2.resetCounters();
      From = From.subspan(1);
    }
  }

  /// What has left the slices and was not taken yet.
  std::vector<SliceReply> Replies;

  void addCounters(MemoryCounters &Sum) const;

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Replies, Spec, Map, Cost, Index, PerChannel, ToDRAM, FromDRAM,
           DRAMLatency, WriteLimit, HalfWay, Channels, Slices, Due, FirstDue,
           DueChanged, Fills, Pool, FreePool, Fetches, FreeFetches, Woken,
           Counts] = *this;
    DueChanged = true; // FirstDue is found again
    A(Replies, Due, Fills, Pool, FreePool, Fetches, FreeFetches, Counts);
    for (Channel &Each : Channels)
      A(Each);
    for (Slice &Each : Slices)
      A(Each);
  }

private:
  /// Marks the line as a copy of one that the other half has at this address:
  /// a bit that no address has.
  static constexpr uint64_t Copy = uint64_t(1) << AddressMap::AddressBits;

  struct Arrived {
    uint64_t LocalLine;
    uint64_t Token;
    Cycle Time;
    uint16_t SM;
    uint16_t Sectors;
    RequestKind Kind;
    uint8_t Lanes, SameAddress;
    bool FromHalf = false; ///< a read of the other half: Token is its fetch

    template <class Archive> void serialize(Archive &A) {
      auto &[LocalLine, Token, Time, SM, Sectors, Kind, Lanes, SameAddress,
             FromHalf] = *this;
      A(LocalLine, Token, Time, SM, Sectors, Kind, Lanes, SameAddress,
        FromHalf);
    }
  };
  /// Requests in the order of their arrival.
  struct Lane {
    RingBuffer<Arrived> Queue;
    Cycle BlockedSince = NeverCycle; ///< waits for a fill of the slice

    template <class Archive> void serialize(Archive &A) {
      auto &[Queue, BlockedSince] = *this;
      A(Queue, BlockedSince);
    }

    Cycle due() const {
      return Queue.empty() || BlockedSince != NeverCycle ? NeverCycle
                                                         : Queue.front().Time;
    }
  };
  struct Slice {
    explicit Slice(const arch::GPUSpec &Spec);
    Cache L2;
    Port In, Out;
    Lane SMs;
    /// From the other half, which go first. Its reads are never behind others
    /// that wait for an MSHR: halves that waited for each other's copies might
    /// do so for ever.
    Lane HalfReads, Half;
    size_t Known = 0; ///< of SMs, before the window of the last advance()
    Cycle Free = 0;
    bool Held = false; ///< waits until DRAM takes writes

    template <class Archive> void serialize(Archive &A) {
      auto &[L2, In, Out, SMs, HalfReads, Half, Known, Free, Held] = *this;
      A(L2, In, Out, SMs, HalfReads, Half, Known, Free, Held);
    }

    /// Whose turn it is at \p Now, when one is due.
    Lane &next(Cycle Now) {
      return HalfReads.due() <= Now ? HalfReads
             : Half.due() <= Now    ? Half
                                    : SMs;
    }
    /// When its next request is served.
    Cycle due() const {
      const Cycle First = std::min({SMs.due(), HalfReads.due(), Half.due()});
      return Held || First == NeverCycle ? NeverCycle : std::max(Free, First);
    }
  };
  struct Channel {
    explicit Channel(const arch::GPUSpec &Spec) : DRAM(Spec) {}
    DRAMChannel DRAM;
    Cycle Next = NeverCycle; ///< cached, L2 clock
    unsigned NumHeld = 0;    ///< slices that are Held

    template <class Archive> void serialize(Archive &A) {
      auto &[DRAM, Next, NumHeld] = *this;
      A(DRAM, Next, NumHeld);
    }
  };
  struct Fetch {
    uint16_t Sectors;
    uint16_t Slice;
    uint32_t For; ///< MSHR of the slice, or the request in Pool
    bool Through; ///< L2 does not keep it: For is a request
    bool FromDRAM;

    template <class Archive> void serialize(Archive &A) {
      auto &[Sectors, Slice, For, Through, FromDRAM] = *this;
      A(Sectors, Slice, For, Through, FromDRAM);
    }
  };
  struct Fill {
    Cycle Time;
    uint32_t Fetch;

    template <class Archive> void serialize(Archive &A) {
      auto &[Time, Fetch] = *this;
      A(Time, Fetch);
    }
  };

  Channel &channelOf(unsigned SliceIndex) {
    return Channels[SliceIndex >= PerChannel];
  }
  /// The slice in the other half that has the copies of this one's lines.
  unsigned counterpart(unsigned SliceIndex) const {
    return SliceIndex < PerChannel ? SliceIndex + PerChannel
                                   : SliceIndex - PerChannel;
  }
  void findDue(unsigned SliceIndex) {
    Due[SliceIndex] = Slices[SliceIndex].due();
    DueChanged = true;
  }
  void findFirst();
  void serve(unsigned SliceIndex, Cycle Now);
  bool mayWriteBack(const Slice &S, const Arrived &A) const;
  void letGo(unsigned ChannelIndex, Cycle Now);
  void stepDRAM(Channel &C, Cycle Now);
  bool lookUp(unsigned SliceIndex, const Arrived &A, Cycle Now);
  void write(unsigned SliceIndex, const Arrived &A, Cycle Now);
  bool read(unsigned SliceIndex, const Arrived &A, Cycle Now);
  void passOn(unsigned SliceIndex, Arrived A, Cycle Now);
  uint32_t newFetch(const Fetch &F);
  void addFill(Cycle Time, uint32_t FetchTag);
  void passThrough(unsigned SliceIndex, const Arrived &A, Cycle Now);
  void finish(unsigned SliceIndex, const Arrived &A, Cycle Now, bool FromDRAM);
  void prefetchFill(const Fill &F) const;
  void finishFill(const Fill &F);
  void reply(unsigned SliceIndex, const Arrived &A, Cycle Now, bool FromDRAM);
  /// The victim of \p Result goes to DRAM, if there is one.
  void writeBack(unsigned SliceIndex, const CacheResult &Result, Cycle Now);
  void toDRAM(unsigned SliceIndex, uint64_t LocalLine, uint16_t Sectors,
              bool Write, uint32_t Tag, Cycle Now);
  uint32_t newWaiting(const Arrived &A);

  const arch::GPUSpec &Spec;
  const AddressMap &Map;
  const LinkCost Cost;
  const unsigned Index, PerChannel; ///< slices
  ClockRatio ToDRAM, FromDRAM;
  Cycle DRAMLatency; ///< L2 clock
  const uint32_t WriteLimit;
  const Cycle HalfWay; ///< from one half to the other
  std::vector<Channel> Channels;
  std::vector<Slice> Slices;
  std::vector<Cycle> Due; ///< of the slices; kept, as all are asked often
  unsigned FirstDue = 0;  ///< of them, unless they have changed since
  bool DueChanged = true;
  std::vector<Fill> Fills;   ///< min-heap by time
  std::vector<Arrived> Pool; ///< requests that wait for fills
  std::vector<uint32_t> FreePool;
  std::vector<Fetch> Fetches;
  std::vector<uint32_t> FreeFetches;
  std::vector<uint32_t> Woken;
  MemoryCounters Counts; ///< what no part counts itself
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_PARTITION_H
