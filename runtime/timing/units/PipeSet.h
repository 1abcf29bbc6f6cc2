//===- PipeSet.h - The execution pipes of an SM -----------------*- C++ -*-===//

#ifndef HEDDLE_TIMING_UNITS_PIPESET_H
#define HEDDLE_TIMING_UNITS_PIPESET_H

#include "arch/GPUSpec.h"
#include "base/Units.h"

#include <algorithm>
#include <vector>

namespace heddle::timing {

/// A resource that is taken for known stretches of time. busy(T) says for how
/// many cycles before T it was taken, so that the cycles that a warp lost to
/// it are a difference of two numbers.
struct BusyMeter {
  Cycle FreeAt = 0;
  uint64_t Booked = 0;
  Cycle FullSince = NeverCycle; ///< taken until further notice

  bool free(Cycle Now) const { return FreeAt <= Now; }
  /// Takes the resource from now (it is free) until \p Until.
  void take(Cycle Now, Cycle Until) {
    if (Until > Now) {
      Booked += Until - Now;
      FreeAt = Until;
    }
  }
  void block(Cycle From) {
    Booked -= FreeAt > From ? FreeAt - From : 0;
    FullSince = From;
    FreeAt = NeverCycle;
  }
  void unblock(Cycle At) {
    Booked += At - FullSince;
    FullSince = NeverCycle;
    FreeAt = At;
  }
  uint64_t busy(Cycle At) const {
    if (FullSince != NeverCycle)
      return Booked + (At > FullSince ? At - FullSince : 0);
    return Booked - (FreeAt > At ? FreeAt - At : 0);
  }
};

/// The units of one kind that one scheduler, or all of them, issue to.
struct PipeGroup {
  BusyMeter Issue; ///< whether another instruction can be issued to it
  uint64_t Issued = 0, BusyCycles = 0;
  unsigned FirstUnit = 0, NumUnits = 1;
};

/// All pipes. An instruction that starts in a unit takes it for its initiation
/// interval; QueueInsts - 1 more may wait in front of the unit.
class PipeSet {
public:
  explicit PipeSet(const arch::GPUSpec &Spec);

  unsigned numPipes() const { return Pipes; }
  PipeGroup &group(unsigned Scheduler, unsigned Pipe) {
    return Groups[GroupOf[Scheduler * Pipes + Pipe]];
  }
  const PipeGroup &group(unsigned Scheduler, unsigned Pipe) const {
    return Groups[GroupOf[Scheduler * Pipes + Pipe]];
  }

  /// Sends an instruction with initiation interval \p Initiation to a pipe
  /// that has room; returns the cycle in which it starts, at least \p Delay
  /// cycles after \p Now. Units count time at issue: instructions with
  /// different delays overtake each other on the way to the pipe.
  Cycle start(PipeGroup &G, unsigned Pipe, Cycle Now, unsigned Delay,
              unsigned Initiation) {
    Cycle *Units = UnitFree.data() + G.FirstUnit;
    Cycle *Best = std::min_element(Units, Units + G.NumUnits);
    Cycle Turn = std::max(Now, *Best);
    *Best = Turn + Initiation;
    Cycle Earliest = *std::min_element(Units, Units + G.NumUnits);
    ++G.Issued;
    G.BusyCycles += Initiation;
    Cycle Ahead = Cycle(Queue[Pipe] - 1) * Initiation;
    G.Issue.take(Now, Earliest > Ahead ? Earliest - Ahead : 0);
    return Turn + Delay;
  }

  /// Sums of the groups of \p Pipe, for reports.
  void totals(unsigned Pipe, uint64_t &Issued, uint64_t &Busy) const;
  unsigned units(unsigned Pipe) const { return UnitsOf[Pipe]; }

private:
  unsigned Pipes;
  std::vector<PipeGroup> Groups;
  std::vector<uint16_t> GroupOf; ///< by scheduler and pipe
  std::vector<Cycle> UnitFree;
  std::vector<uint32_t> Queue, UnitsOf; ///< by pipe
};

} // namespace heddle::timing

#endif // HEDDLE_TIMING_UNITS_PIPESET_H
