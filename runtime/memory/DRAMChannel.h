//===- DRAMChannel.h - Banks, rows and the scheduler of a channel -*- C++
//-*-===//

#ifndef HEDDLE_MEMORY_DRAMCHANNEL_H
#define HEDDLE_MEMORY_DRAMCHANNEL_H

#include "arch/GPUSpec.h"
#include "base/RingBuffer.h"
#include "base/Units.h"

#include <algorithm>
#include <array>
#include <bit>
#include <vector>

namespace heddle::memory {

/// Bank of a row; rows of a channel are numbered through all of its banks.
inline uint32_t bankOf(const arch::DRAMSpec &DRAM, uint64_t Row) {
  const auto InBank = uint32_t(Row >> std::countr_zero(DRAM.Banks));
  const uint32_t Hash = DRAM.HashBanks ? InBank ^ InBank >> 4 ^ InBank >> 8 : 0;
  return (uint32_t(Row) ^ Hash) & (DRAM.Banks - 1);
}

/// One channel, event by event, in DRAM command clock cycles. Each bank works
/// on one request at a time: row hits first, then the oldest (FR-FCFS), or
/// strictly the oldest of all (FCFS). Activates of different banks overlap
/// with data transfers; column commands share the bus. Writes wait for each
/// other and go in batches (WriteHigh), since turning the bus around costs
/// time, and have a queue of their own (WriteQueue). Banks are refreshed in
/// turn (single-bank refresh of HBM2, JESD235). `Fixed` is a link with the
/// machine's bandwidth, without banks.
class DRAMChannel {
public:
  struct Request {
    uint64_t Address = 0; ///< within the channel
    Cycle Arrival = 0;
    uint32_t Bursts = 1; ///< column commands, all in one row
    uint32_t Tag = 0;    ///< of the caller, for reads
    bool Write = false;

    template <class Archive> void serialize(Archive &A) {
      auto &[Address, Arrival, Bursts, Tag, Write] = *this;
      A(Address, Arrival, Bursts, Tag, Write);
    }
  };
  struct Counters {
    uint64_t Reads = 0, Writes = 0; ///< column commands
    uint64_t Activates = 0, RowHits = 0;
    uint64_t BusyCycles = 0, QueueCycles = 0;
    Cycle End = 0; ///< of the last data

    template <class Archive> void serialize(Archive &A) {
      auto &[Reads, Writes, Activates, RowHits, BusyCycles, QueueCycles, End] =
          *this;
      A(Reads, Writes, Activates, RowHits, BusyCycles, QueueCycles, End);
    }
  };

  /// \p Spec outlives the channel.
  explicit DRAMChannel(const arch::GPUSpec &Spec);
  explicit DRAMChannel(const arch::GPUSpec &&) = delete;

  /// Arrivals come in ascending order.
  void push(const Request &R) {
    Arrivals[isApart(R)].push_back(R);
    WritesWaiting += R.Write;
  }
  /// Writes that were pushed and have not gone out.
  uint32_t writesWaiting() const { return WritesWaiting; }

  /// When the next thing happens; NeverCycle if nothing waits.
  Cycle nextEvent() const;

  struct Completion {
    uint32_t Tag;
    Cycle Time; ///< the last data is out
  };
  /// Handles the event at nextEvent(). True if that finished a read.
  bool step(Completion &Done);

  const Counters &counters() const { return Stats; }

  /// Of a saved state.
  template <class Archive> void serialize(Archive &A) {
    auto &[Spec, Batches, BankShift, RowShift, TicksPerBurst, BusFree, Arrivals,
           Pool, FreePool, Banks, RefreshAt, FirstGroup, BusyBanks, InOrder,
           NumQueued, WritesQueued, WritesWaiting, Draining, NextOrder,
           NextRead, NextWrite, LastActivate, Activating, PickedBank, PickedAt,
           Stats] = *this;
    A(BusFree, Arrivals[0], Arrivals[1], Pool, FreePool, Banks, RefreshAt,
      BusyBanks, InOrder, NumQueued, WritesQueued, WritesWaiting, Draining,
      NextOrder, NextRead, NextWrite, LastActivate, Activating, PickedBank,
      PickedAt, Stats);
  }

private:
  static constexpr uint32_t None = ~0u;
  struct Queued {
    Request R;
    uint64_t Order;
    uint32_t Row;
    uint32_t Next;

    template <class Archive> void serialize(Archive &A) {
      auto &[R, Order, Row, Next] = *this;
      A(R, Order, Row, Next);
    }
  };
  /// Requests that wait for a bank, the oldest first.
  struct Waiting {
    uint32_t First = None, Last = None;

    template <class Archive> void serialize(Archive &A) {
      auto &[First, Last] = *this;
      A(First, Last);
    }
  };
  /// Fills one line of the host's cache.
  struct alignas(64) Bank {
    std::array<Waiting, 2> Queues; ///< the second as of Arrivals
    uint32_t Current = None;
    uint32_t OpenRow = None; ///< None: none since the start or a refresh
    // Of Current, kept here because pick() asks every bank.
    uint64_t Order = 0;
    bool Write = false;
    Cycle ColumnAt = 0;
    Cycle Activated = 0;
    Cycle MayPrecharge = 0; ///< without an open row: may open one

    template <class Archive> void serialize(Archive &A) {
      auto &[Queues, Current, OpenRow, Order, Write, ColumnAt, Activated,
             MayPrecharge] = *this;
      A(Queues, Current, OpenRow, Order, Write, ColumnAt, Activated,
        MayPrecharge);
    }
  };
  static_assert(sizeof(Bank) == 64);

  /// Whether the request goes to the queue of writes.
  bool isApart(const Request &R) const { return R.Write && Batches; }
  bool hasRoom(bool Apart) const {
    return Apart ? WritesQueued < Spec.WriteQueue
                 : NumQueued - (Batches ? WritesQueued : 0) < Spec.Queue;
  }
  void admit(Cycle Now);
  void enqueue(const Request &R, Cycle Now);
  void chooseDirection(Cycle Now);
  void refresh(uint32_t BankIndex, Cycle Now);
  void startBank(uint32_t BankIndex, Cycle Now);
  uint32_t takeNext(Bank &B);
  void openRow(Bank &B, uint32_t Row, Cycle Now);
  Cycle issueTime(const Bank &B) const {
    return std::max(B.ColumnAt, B.Write ? NextWrite : NextRead);
  }
  /// Finds the bank whose column command goes next, and when.
  void pick();
  void pickAmongAll();
  void putInOrder(uint32_t BankIndex);
  void takeFromOrder(uint32_t BankIndex);

  const arch::DRAMSpec &Spec;
  const bool Batches; ///< of writes
  uint32_t BankShift, RowShift;
  Cycle TicksPerBurst;             ///< 1/256 cycle
  Cycle BusFree = 0;               ///< 1/256 cycle
  RingBuffer<Request> Arrivals[2]; ///< the second: writes that go in batches
  std::vector<Queued> Pool;
  std::vector<uint32_t> FreePool;
  std::vector<Bank> Banks;
  std::vector<Cycle> RefreshAt; ///< of each bank, the next; if there are any
  uint64_t FirstGroup = 0;      ///< banks of bank group 0
  uint64_t BusyBanks = 0;       ///< bit per bank with a Current
  /// These banks, the one with the oldest Current first.
  std::vector<uint8_t> InOrder;
  uint32_t NumQueued = 0;
  uint32_t WritesQueued = 0;  ///< of NumQueued
  uint32_t WritesWaiting = 0; ///< and of Arrivals
  bool Draining = false;      ///< a batch of writes
  uint64_t NextOrder = 0;
  Cycle NextRead = 0, NextWrite = 0, LastActivate = 0;
  bool Activating = false;
  uint32_t PickedBank = None; ///< by pick(), and by startBank() since
  Cycle PickedAt = NeverCycle;
  Counters Stats;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_DRAMCHANNEL_H
