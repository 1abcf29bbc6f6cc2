//===- WriteBatches.h - What batches of writes cost, by rates ---*- C++ -*-===//

#ifndef HEDDLE_MEMORY_WRITEBATCHES_H
#define HEDDLE_MEMORY_WRITEBATCHES_H

#include "arch/GPUSpec.h"

#include <algorithm>
#include <limits>

namespace heddle::memory {

/// What reads and writes of a DRAM channel cost each other where writes go in
/// batches (DRAMChannel), for models that follow neither banks nor queues. A
/// channel is a server of two queues, each of which it serves until it is
/// empty: a polling system, whose cycle is the time lost by switching over what
/// the load leaves, C = S / (1 - rho) (Takagi, Analysis of polling systems,
/// 1986). Lost is the turnaround of the bus, CL + tWTR after the data that the
/// commands overlap with, and the time in which all that still waits are
/// activates, tRC. A cycle has so many writes as come in it, at most what the
/// queue takes. A read that comes at the start of a batch of length D waits for
/// all of it, later ones for what is left of it and of the reads that it held
/// up: a triangle of height D and slope 1 - rho of the reads, which is the
/// vacation of Fuhrmann and Cooper (Operations research 33, 1985), and comes on
/// top of the wait in the queue.
///
/// Times in core cycles, work in cycles of a channel.
class WriteBatches {
public:
  explicit WriteBatches(const arch::GPUSpec &Spec)
      : High(Spec.DRAM.Policy == arch::DRAMPolicy::FRFCFS
                 ? std::min(Spec.DRAM.WriteHigh, Spec.DRAM.WriteQueue)
                 : 0),
        Low(std::min(Spec.DRAM.WriteLow, High)),
        Turn((Spec.DRAM.TCL + Spec.DRAM.TWTR) * Spec.Clock.Core /
             Spec.Clock.DRAM),
        Switch(Turn + Spec.DRAM.TRC * Spec.Clock.Core / Spec.Clock.DRAM) {}

  /// \p Reads and \p Writes of work come to each channel, the writes as
  /// \p Requests. Returns the work that turning the bus adds.
  double add(double At, double Reads, double Writes, double Requests) {
    if (!High)
      return 0;
    if (First > At)
      First = At;
    ReadWork += Reads;
    WriteWork += Writes;
    WriteRequests += Requests;
    const double Elapsed = std::max(At - First, ReadWork + WriteWork);
    if (Elapsed <= 0 || WriteRequests <= 0)
      return 0;
    ReadShare = ReadWork / Elapsed;
    const double Rate = WriteRequests / Elapsed;
    const double Idle = 1 - (ReadWork + WriteWork) / Elapsed;
    // What waits when a batch begins, and how much of it goes at once.
    const double Waiting = Rate * Switch < High * Idle
                               ? std::max(1.0, Rate * Switch / Idle)
                               : double(High);
    const double Batch = std::max(1.0, Waiting - Low);
    Length = Waiting > Low || !Low ? Batch * WriteWork / WriteRequests + Turn
                                   : 0; // a read that comes ends it
    Period = Batch / Rate;
    return ReadWork > 0 ? Requests * Turn / std::max(1u, High - Low) : 0;
  }

  /// How long a read of the bytes at \p Address waits for batches. Channels
  /// are at different points of their cycles.
  double wait(uint64_t Address) const {
    if (Length <= 0)
      return 0;
    // Fibonacci hashing.
    const uint64_t Hash = (Address / ChannelBytes) * 0x9E3779B97F4A7C15ull;
    const double Since = Period * double(Hash >> 32) / 4294967296.0;
    return std::max(0.0, Length - (1 - ReadShare) * Since);
  }

private:
  static constexpr uint64_t ChannelBytes = 256; ///< that lie in one
  const uint32_t High, Low;
  const double Turn, Switch;
  double First = std::numeric_limits<double>::infinity();
  double ReadWork = 0, WriteWork = 0, WriteRequests = 0;
  double ReadShare = 0, Length = 0, Period = 0;
};

} // namespace heddle::memory

#endif // HEDDLE_MEMORY_WRITEBATCHES_H
